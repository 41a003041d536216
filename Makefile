# Builds, installs and tests the extension. `make help` prints this list.
#
#   make                      the module, against the server of $(PG_CONFIG); make install, installcheck, uninstall, clean
#   make cli                  the command line luuid, without PostgreSQL; make install-cli, into $(DESTDIR)$(prefix)
#   make install-headers      the C++ library, into $(DESTDIR)$(prefix), which is /usr/local
#   make setup                the packages that building and testing need
#   make demo                 the extension in a throw-away server; installs what it needs
#   make psql                 psql in such a server
#   make test                 the everyday tests, in some minutes; installs what they need
#   make test-all             what every change passes: make test, and then
#   make test-long              what takes longer: several servers, crashes, clocks, dumps, recipes
#   make test-drivers           drivers of Python, Java, JavaScript, Ruby, Go, Rust, Perl, PHP and C++
#   make test-fuzz              fuzzers, for LUUID_FUZZ_SECONDS=600 or less; and the unit tests under sanitizers, which a release alone has to pass
#   make test-18                the SQL tests and some TAP tests with PostgreSQL 18, in a root folder of Debian's sid
#   make test-release         what a release passes beside that, in hours:
#   make test-heavy             all TAP tests with ten times the rows, clients, faults and time, those of a release on 18; Spin's search of the models
#   make test-mappers           object-relational mappers of the languages of test-drivers
#   make test-neighbours        other extensions and tools, some in root folders of LUUID_SUITES='trixie sid'; installing starts services
#   make test-servers           README's commands on new machines with PostgreSQL 15, 17, 18 and 19, and pg_upgrade between these
#   make test-packages          the zip of make dist, and the Debian packages; for LUUID_SUITES='bookworm trixie sid'
#   make test-arm64             the Debian packages of arm64: built, tested with SQL and installed by emulation
#   make test-images            both images, built and run by Podman, with stand-ins for what a registry would have
#   make test-machines          the unit tests as AArch64, s390x and i386 run them; each header compiled alone and for others
#   make test-memory            a server that checks itself: SQL, hostile arguments, its own tests
#   make test-mutants         which test fails if one line changes: NUMBER=20 SEED=1 ROOM='src/luuid src/cli' MUTANTS=survivors
#   make bench                all measurements; QUICK=yes in ten minutes; REPORTS='core text' for only these
#   make bench-18             the same with PostgreSQL 18, in a root folder of Debian's sid
#   make image                luuid:18-trixie, an image of PostgreSQL 18 with luuid; POSTGRES=17-bookworm for another
#   make extension-image      an image of luuid's files alone, as CloudNativePG mounts it
#   make dist                 the zip for PGXN, of HEAD, in build/
#   make tle                  sql/plain.sql as an extension for pg_tle, in build/: doc/plain.md

# In another folder make reaches the sources by a link, since it would split a path with spaces.
ifneq ($(word 2,$(MAKEFILE_LIST)),)
here := source/
EXTRA_CLEAN = source
$(shell file='$(MAKEFILE_LIST)' && ln -sfn "$$(dirname "$${file# }")" source)
else
here := $(dir $(MAKEFILE_LIST))
endif
EXTVERSION  := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(here)luuid.control)

# The caller's flags for the command line and the library. PGXS replaces them below by the server's.
client_flags := VERSION='$(EXTVERSION)' CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS)' CXXFLAGS='$(or $(CXXFLAGS),-O2)' \
	LDFLAGS='$(LDFLAGS)'

PG_CONFIG ?= pg_config
ifeq ($(here),./)
# PGXS builds in the current folder. From the checkout make calls itself in build/module: Python would import a luuid.so from here.
goals := $(or $(filter all install uninstall installdirs installcheck clean distclean maintainer-clean,$(MAKECMDGOALS)),all)
relative = $(if $(filter-out /%,$(firstword $($(1)))),$(1)='../../$($(1))')
.PHONY: $(goals) in-module
$(goals): in-module
in-module:
	@mkdir -p build/module
	@$(MAKE) --no-print-directory -C build/module -f ../../Makefile $(goals) \
		$(call relative,DESTDIR) $(if $(findstring /,$(PG_CONFIG)),$(call relative,PG_CONFIG))
else
# PGXS has no VPATH of its own if the server was built in its source folder.
override VPATH := $(here:/=)

EXTENSION    = luuid
# The control file of luuid_contrib is generated, since its version is lower on servers that lack what the last script
# needs.
DATA_built   = luuid_contrib.control
MODULE_big   = luuid
OBJS         = $(patsubst $(here)%.cpp,%.o,$(sort $(wildcard $(addprefix $(here)src/pg/,*.cpp */*.cpp */*/*.cpp))))
DATA         = $(patsubst $(here)%,%,$(wildcard $(here)sql/luuid--*.sql)) sql/luuid_contrib--1.0.sql \
	sql/luuid_removal.sql sql/luuid_dependents.sql \
	$(if $(filter 1.1,$(contrib_version)),sql/luuid_contrib--1.0--1.1.sql)
contrib_version = $(if $(filter 15 16 17,$(MAJORVERSION)),1.0,1.1)
EXTRA_CLEAN += built-for
# Only documents with luuid in their name, since all extensions share one folder of documents.
DOCS         = $(patsubst $(here)%,%,$(wildcard $(here)doc/luuid*.md))
# In this order: install drops and re-creates the extension, and fixture creates what the others read. The last requires
# PostgreSQL's contrib modules.
REGRESS      = install fixture catalog vectors text value layout order boundary hash index plan slice rewrite estimate partition \
	generator settings cast parallel jit window shard base32 seal uniqid typed \
	$(if $(wildcard $(datadir)/extension/btree_gist.control),contrib)
# The database has this encoding and locale, whatever the cluster has.
REGRESS_OPTS = --load-extension=luuid --encoding=UTF8 --no-locale

# Flags of the object files and of the JIT's bitcode. Without exceptions, RTTI and guarded statics the module needs
# only libc, and with hidden visibility it exports only its SQL functions. The server's flags may name warnings of gcc that
# clang lacks; gcc ignores the one that would say so.
PG_CPPFLAGS = -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fvisibility=hidden \
	-I'$(here)src' -Wall -Wextra $(WERROR) -Wno-unknown-warning-option -DLUUID_VERSION='"$(EXTVERSION)"'

# g++ links libgcc for arithmetic that the processor lacks, such as 64-bit division on i386. A server need not have the shared
# library, so this links the few functions that are called. The licence of libgcc permits it.
SHLIB_LINK = -static-libgcc

# Keeps the CXXFLAGS that a package build sets in the environment: PGXS replaces them by the server's.
PG_CXXFLAGS := $(CXXFLAGS)

# Empty without the server's headers: Debian's client packages have PGXS, but not these.
PGXS      := $(if $(wildcard $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)/postgres.h),$(shell $(PG_CONFIG) --pgxs))

ifneq ($(PGXS),)
override COMPILER = $(CXX) $(CXXFLAGS)
include $(PGXS)
# Debian's package of the server's development files depends on clang, but not on g++.
ifeq ($(shell command -v $(CXX) || :),)
CXX = $(or $(subst clang,clang++,$(CLANG)),g++)
endif
$(OBJS) $(OBJS:.o=.bc): $(wildcard $(addprefix $(here)src/,*/*.hpp */*/*.hpp */*/*/*.hpp)) $(here)Makefile $(here)luuid.control
# What was built for another server is built again. built-for has what pg_config printed for the last build.
$(OBJS) $(OBJS:.o=.bc) luuid_contrib.control: built-for
ifneq ($(shell $(PG_CONFIG) | cmp -s - built-for || echo another),)
.PHONY: built-for
endif
built-for:
	@$(PG_CONFIG) > $@
# Whatever the umask is, the server can read what is installed.
MKDIR_P := umask 022 && $(MKDIR_P)
install_llvm_module += chmod a+r '$(DESTDIR)$(bitcodedir)/$(1).index.bc'
ifneq ($(and $(word 2,$(DESTDIR)),$(filter install,$(MAKECMDGOALS)),$(filter yes,$(with_llvm))),)
$(error PGXS installs no bitcode into a DESTDIR with spaces, as "$(DESTDIR)": add with_llvm=no)
endif
# Prints what installcheck lacks, before pg_regress fails. Order-only and phony, so that it runs every time.
installcheck: | can-installcheck
.PHONY: can-installcheck
can-installcheck:
	@'$(here)test/can-installcheck' '$(bindir)/psql'
# PGXS installs a document without its folder, but looks for it in that folder to uninstall it.
uninstall: uninstall-docs
.PHONY: uninstall-docs
uninstall-docs:
	rm -f $(addprefix '$(DESTDIR)$(docdir)/$(docmoduledir)'/,$(notdir $(DOCS)))
luuid_contrib.control: $(here)luuid_contrib.control.in $(here)Makefile
	sed 's/@version@/$(contrib_version)/' $< > $@

$(shell mkdir -p $(dir $(OBJS)))
else
all install installcheck clean:
	@echo "PostgreSQL's development files are missing: $(PG_CONFIG) names no headers." >&2
	@echo "Run 'make setup', install postgresql-server-dev-NN, or set PG_CONFIG to your server's pg_config." >&2
	@exit 1
endif
uninstall: uninstall-clients
endif

# The targets below work on a bare Debian machine: they install what is missing, and call make again to find PGXS.
.PHONY: help setup setup-drivers setup-fuzz setup-18 demo psql test test-all test-long test-drivers test-fuzz test-18 test-release test-heavy test-mappers test-neighbours \
	test-servers test-packages test-arm64 test-images test-machines test-memory test-mutants bench bench-18 image extension-image dist tle cli install-cli \
	install-headers uninstall-clients

help:
	@sed -n 's/^#   //p' $(here)Makefile

cli:
	@$(MAKE) --no-print-directory -C $(here)src/cli $(client_flags)

install-cli:
	@$(MAKE) --no-print-directory -C $(here)src/cli $(client_flags) install

install-headers:
	@$(MAKE) --no-print-directory -C $(here)src/luuid $(client_flags) install

uninstall-clients:
	@for client in cli luuid; do $(MAKE) --no-print-directory -C $(here)src/$$client $(client_flags) uninstall || exit; done

setup:
	@test/setup

# Only psql may read the standard input.
demo psql:
	@test/setup server < /dev/null
	@LUUID_SERVER_OPTIONS=shared_preload_libraries=luuid test/staged test/with-server $(if $(filter demo,$@),test/demo/run,psql)

test:
	@test/setup 'postgresql-NN-partman?'
	@test/run

test-all:
	@.ci/run

# One after the other.
test-release:
	@for target in test-fuzz test-heavy test-mappers test-servers test-packages test-neighbours test-machines test-images test-arm64; do \
		LUUID_SUITES='bookworm trixie sid' $(MAKE) --no-print-directory $$target || exit; done
	@for suite in bookworm trixie sid experimental; do $(as_root)test/in-suite $$suite 'make test-memory' || exit; done

test-long: setup
	@test/run long

test-heavy: setup-18
	@test/setup spin
	@LUUID_TEST_SCALE=10 test/run tap release
	@$(as_root)test/in-suite sid 'test/run release'
	@test/run interleavings model

as_root = $(if $(filter 0,$(shell id -u)),,sudo --preserve-env=LUUID_ROOTS,LUUID_SUITES )

test-servers:
	@test/setup mmdebstrap
	@test/run servers

test-18: setup-18
	@$(as_root)test/in-suite sid 'test/run preloaded pg18'

setup-18:
	@test/setup mmdebstrap
	@$(as_root)test/in-suite sid test/setup

test-packages:
	@test/setup autopkgtest dpkg-dev mmdebstrap python3-jsonschema unzip
	@test/run dist packages

test-machines:
	@test/setup g++-aarch64-linux-gnu g++-i686-linux-gnu g++-s390x-linux-gnu qemu-user clang libc++-dev musl-dev \
		g++-mingw-w64-x86-64-posix
	@test/run machines

test-arm64:
	@test/setup arch-test binfmt-support dpkg-dev mmdebstrap qemu-user-static
	@if arch-test arm64 >/dev/null; then LUUID_ARCHITECTURE=arm64 test/run packages; \
		else echo "skipped: this kernel does not run programs of arm64 by qemu, as binfmt_misc would have it"; fi

test-images:
	@test/setup mmdebstrap podman runc
	@test/run images

# These programs build by the same command. The list ends with `true`, since make ignores the output of a command whose
# status is 127, which the shell returns for a program that is not there.
image_builder = $(or $(firstword $(shell for program in podman docker buildah; do command -v $$program; done; true)),\
	$(error an image is built by Podman, Docker or Buildah: install one, as by 'sudo apt-get install podman'))
image extension-image: POSTGRES = 18-trixie
# A registry shows these labels of both images.
labels = org.opencontainers.image.version=$(EXTVERSION).0 \
	org.opencontainers.image.created=$(shell date -u +%Y-%m-%dT%H:%M:%SZ) \
	org.opencontainers.image.revision=$(shell git rev-parse HEAD 2>/dev/null)
# Docker's format, since Podman and Buildah would write OCI's, which has no health check.
build_image = BUILDAH_FORMAT=docker $(image_builder) build --file container/Containerfile \
	--build-arg POSTGRES='$(POSTGRES)' $(labels:%=--label %)

image:
	$(build_image) --tag luuid:$(POSTGRES) .

# Labels as CloudNativePG's own images have them. The files fit servers of one release of Debian only.
extension-image: labels += io.cloudnativepg.image.base.name=ghcr.io/cloudnative-pg/postgresql:$(subst -,-minimal-,$(POSTGRES)) \
	io.cloudnativepg.image.base.pgmajor=$(firstword $(subst -, ,$(POSTGRES))) \
	io.cloudnativepg.image.base.os=$(lastword $(subst -, ,$(POSTGRES)))
extension-image:
	$(build_image) --target extension --tag luuid-extension:$(EXTVERSION).0-$(POSTGRES) .

dist: zip = build/luuid-$(EXTVERSION).0.zip
dist:
	@mkdir -p build
	@git archive --prefix=luuid-$(EXTVERSION).0/ --output=$(zip) HEAD
	@echo $(zip)

# Without BEGIN and COMMIT, since pg_tle runs the script in the transaction of CREATE EXTENSION.
tle: build/luuid-plain-tle.sql
	@echo $<
build/luuid-plain-tle.sql: $(here)sql/plain.sql $(here)luuid.control $(here)Makefile
	@mkdir -p build
	@{ echo "-- Makes luuid_plain available to CREATE EXTENSION in one database, by pg_tle: doc/plain.md."; \
		echo "SELECT pgtle.install_extension('luuid_plain', '$(EXTVERSION)', 'plain SQL functions of luuid', \$$luuid_plain\$$"; \
		sed -E '/^(BEGIN|COMMIT);$$/d' $<; echo '$$luuid_plain$$);'; } > $@

bench:
	@test/setup gnuplot-nox libbenchmark-dev
	@bench/run $(if $(QUICK),--quick) $(REPORTS)

bench-18:
	@test/setup mmdebstrap
	@$(as_root)bench/in-suite sid 'bench QUICK=$(QUICK) REPORTS="$(REPORTS)"'

test-drivers test-mappers: setup-drivers
	@test/run $(@:test-%=%)

setup-drivers:
	@test/setup cargo 'chromium?' default-jdk-headless golang-github-jackc-pgx-v4-dev 'golang-github-jackc-pgx-v5-dev?' \
		golang-github-lib-pq-dev golang-go gunicorn libdbd-pg-perl 'libhibernate3-java?' 'libjavassist-java?' \
		libpostgresql-jdbc-java libpq-dev libpqxx-dev librust-tokio-postgres-dev 'mono-mcs?' npm 'pgbouncer?' php-cli php-doctrine-dbal \
		'php-doctrine-orm?' php-illuminate-database php-pgsql python3-alembic python3-asyncpg python3-django \
		'python3-djangorestframework?' python3-mypy python3-pip python3-psycopg python3-psycopg2 python3-pydantic 'python3-pytest-django?' \
		python3-setuptools python3-sqlalchemy 'python3-sqlmodel?' python3-tap python3-wheel 'rubocop?' ruby-activerecord ruby-pg ruby-sequel rustc \
		uwsgi-core uwsgi-plugin-python3

test-neighbours:
	@test/setup mmdebstrap npm $(patsubst %,'%?',pgbouncer pgloader pgpool2 \
		$(addprefix postgresql-NN-,cron hypopg pgaudit pglogical pgtap plproxy repack wal2json))
	@test/run neighbours suites

test-fuzz: setup-fuzz
	@test/run fuzz sqlfuzz sanitize

setup-fuzz:
	@test/setup clang libclang-rt-dev

test-memory:
	@test/setup clang libclang-rt-dev bzip2 dpkg-dev bison flex
	@test/fuzz/memory

test-mutants: setup
	@SEED='$(SEED)' NUMBER='$(NUMBER)' ROOM='$(ROOM)' test/mutate $(MUTANTS)

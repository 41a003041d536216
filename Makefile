# Builds, installs and tests the extension.
#
#   make demo           install what is missing, build, and show the extension at work in a throw-away server
#   make test           the same set-up, then every everyday test
#   make test-heavy     the tests of a server's life with ten times the rows, clients, faults and time
#   make test-servers   the everyday tests on PostgreSQL 15, 17 and 18, in root folders of their Debian suites
#   make bench          the same set-up, then every measurement; make bench-quick, in a few minutes
#   make test-fuzz      fuzzes the core, and SQL's every function; LUUID_FUZZ_SECONDS=600 for longer
#   make test-memory    unit tests under sanitizers, and the SQL tests in a server built to check itself
#   make, make install, make installcheck
#                       the usual PGXS targets, against the server of $(PG_CONFIG)

here := $(dir $(lastword $(MAKEFILE_LIST)))

EXTENSION    = luuid
EXTVERSION  := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(here)luuid.control)
MODULE_big   = luuid
OBJS         = $(addprefix src/pg/,backend.o boundary.o generator.o hash.o identity.o layout.o module.o order.o settings.o \
	shard.o shared.o text.o uniqid.o value.o)
DATA         = sql/luuid--1.0.sql sql/luuid--1.0--1.1.sql
DOCS        := $(patsubst $(here)%,%,$(wildcard $(here)doc/*.md))
# In this order: install drops and re-creates the extension, and fixture makes what the rest reads.
REGRESS      = install fixture catalog text value layout order boundary hash index plan partition generator settings \
	cast parallel jit window shard uniqid
REGRESS_OPTS = --load-extension=luuid

# These reach both the object files and the JIT's bitcode. Without exceptions, RTTI and guarded statics the module needs
# libc alone, and with everything else hidden it exports its SQL functions alone.
PG_CPPFLAGS = -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fvisibility=hidden \
	-Wall -Wextra $(WERROR) -DLUUID_VERSION='"$(EXTVERSION)"'

PG_CONFIG ?= pg_config
PGXS      := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))

ifneq ($(PGXS),)
override COMPILER = $(CXX) $(CXXFLAGS)
include $(PGXS)
$(OBJS) $(OBJS:.o=.bc): $(wildcard $(here)src/*/*.hpp) $(here)Makefile $(here)luuid.control | $(CURDIR)/src/pg
$(CURDIR)/src/pg:  # a build outside the source tree
	$(MKDIR_P) $@
else
all install installcheck clean:
	@echo "PostgreSQL's development files are missing: $(PG_CONFIG) names no PGXS." >&2
	@echo "Run 'make setup', install postgresql-server-dev-NN, or set PG_CONFIG to your server's pg_config." >&2
	@exit 1
endif

# Everything below starts from a bare Debian machine, so it finds PGXS anew once that is installed.
.PHONY: setup demo test test-heavy test-servers test-fuzz test-memory bench bench-quick

setup:
	@test/setup

demo: setup
	@test/staged test/with-server test/demo

test: setup
	@test/run

test-heavy: setup
	@LUUID_TEST_SCALE=10 test/run tap

test-servers:
	@test/setup mmdebstrap
	@$(if $(filter 0,$(shell id -u)),,sudo )test/servers

bench: setup
	@bench/run

bench-quick: setup
	@bench/run --quick

test-fuzz:
	@test/setup clang libclang-rt-dev
	@test/run fuzz sqlfuzz

test-memory:
	@test/setup clang libclang-rt-dev bzip2 dpkg-dev libicu-dev libreadline-dev libssl-dev zlib1g-dev
	@test/run sanitize memcheck

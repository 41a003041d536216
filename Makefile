# Builds the extension with PGXS; `make demo` and `make test` need nothing but apt.
EXTENSION   = luuid
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" luuid.control)
MODULE_big  = luuid
OBJS        = $(patsubst %.cpp,%.o,$(wildcard src/pg/*.cpp))
DATA        = $(wildcard sql/luuid--*.sql)
DOCS        = doc/luuid.md
PG_CPPFLAGS = -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fvisibility=hidden \
	-Wall -Wextra $(WERROR) -DLUUID_VERSION='"$(EXTVERSION)"'

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)
override COMPILER = $(CXX) $(CXXFLAGS)
include $(PGXS)
$(OBJS) $(OBJS:.o=.bc): $(wildcard src/*/*.hpp)

# Compiles the headers that nearly all of the module's files include once for each compiler, for builds in half the time: what
# users build needs no such file. From build/module: make -f ../../Makefile -f ../../test/precompiled.mk
precompiled := pg/datum.hpp.gch pg/bitcode.pch
# The objects depend on the headers themselves.
$(OBJS): | pg/datum.hpp.gch
$(OBJS:.o=.bc): | pg/bitcode.pch
# g++ finds the header itself where it refuses what was compiled, as with other flags.
$(OBJS): private override CPPFLAGS += -include pg/datum.hpp
$(OBJS:.o=.bc): private override CPPFLAGS += -include-pch pg/bitcode.pch

$(precompiled): $(wildcard $(addprefix $(here)src/,*/*.hpp */*/*.hpp */*/*/*.hpp)) $(here)Makefile built-for | pg
pg/datum.hpp.gch:
	$(COMPILE.cc) -include $(here)src/pg/datum.hpp -x c++-header -o $@ /dev/null
pg/bitcode.pch:
	$(subst -xc++,-xc++-header,$(COMPILE.cxx.bc)) -include $(here)src/pg/datum.hpp -o $@ /dev/null
pg:
	mkdir $@

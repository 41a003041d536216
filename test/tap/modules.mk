# Two variants of the module for TAP tests: luuid_one_pid.so takes the process id from same_pid.c instead of from the server,
# and luuid_next.so is of a later version. From build/module: make -f ../../Makefile -f ../../test/tap/modules.mk modules
.PHONY: modules
modules: luuid_one_pid.so luuid_next.so

luuid_one_pid.so: $(OBJS)
	$(LINK.shared) -Wl,--wrap=MyProcPid -o $@ $^ $(LDFLAGS) $(LDFLAGS_SL) $(SHLIB_LINK)

luuid_next.so: $(filter-out src/pg/module.o,$(OBJS)) module_next.o
	$(LINK.shared) -o $@ $^ $(LDFLAGS) $(LDFLAGS_SL) $(SHLIB_LINK)

module_next.o: src/pg/module.cpp src/pg/module.o
	$(COMPILE.cc) -ULUUID_VERSION -DLUUID_VERSION='"next"' -o $@ $<

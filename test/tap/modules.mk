# Two variants of the module for TAP tests: luuid_one_pid.so takes the process id from same_pid.c instead of from the server,
# and luuid_next.so is of a later version, which has one function more. From build/module: make -f ../../Makefile -f ../../test/tap/modules.mk modules
.PHONY: modules
modules: luuid_one_pid.so luuid_next.so

luuid_one_pid.so: $(OBJS)
	$(LINK.shared) -Wl,--wrap=MyProcPid -o $@ $^ $(LDFLAGS) $(LDFLAGS_SL) $(SHLIB_LINK)

luuid_next.so: $(OBJS) next.o
	$(LINK.shared) -o $@ $^ $(LDFLAGS) $(LDFLAGS_SL) $(SHLIB_LINK)

next.o: test/data/next.cpp $(OBJS)
	$(COMPILE.cc) -o $@ $<

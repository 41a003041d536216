# Two variants of the module for TAP tests: luuid_one_pid.so takes the process id from same_pid.c instead of from the server,
# and luuid_next.so is of a later version. From the checkout's root: make -f Makefile -f test/tap/modules.mk modules
.PHONY: modules
modules: build/luuid_one_pid.so build/luuid_next.so

build/luuid_one_pid.so: $(OBJS) | build
	$(LINK.shared) -Wl,--wrap=MyProcPid -o $@ $^ $(LDFLAGS) $(LDFLAGS_SL) $(SHLIB_LINK)

build/luuid_next.so: $(filter-out src/pg/module.o,$(OBJS)) build/module_next.o
	$(LINK.shared) -o $@ $^ $(LDFLAGS) $(LDFLAGS_SL) $(SHLIB_LINK)

build/module_next.o: src/pg/module.cpp src/pg/module.o | build
	$(COMPILE.cc) -ULUUID_VERSION -DLUUID_VERSION='"next"' -o $@ $<

build:
	mkdir -p $@

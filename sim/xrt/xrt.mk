# XRT: the worker program that holds libxrt, the emulated devices and their xclbins.
#   build/chainmail-xrt, build/libchainmail_emu.so    what --device sw_emu, hw_emu and xrt need
#   build/emu/TOPOLOGY.sw_emu.xclbin                  the HLS kernel as an emulated device
#   build/emu/TOPOLOGY.hw_emu.xclbin                  the Verilated RTL kernel as one

# XILINX_XRT, if set (setup.sh of an XRT installation), is the XRT that is used; otherwise Debian's, whose xrt.pc is
# broken, so its folder is named here. Its warnings are not ours, hence -isystem.
XRT_INCLUDE  := $(if $(XILINX_XRT),$(XILINX_XRT)/include,/usr/include/xrt)
XRT_CPPFLAGS := -isystem $(XRT_INCLUDE)
# Without it the CPU's program is complete: what is behind XRT is left out, which `chainmail devices` says.
HAVE_XRT     := $(wildcard $(XRT_INCLUDE)/xrt/xrt_device.h)
XRT_LDLIBS   := $(if $(XILINX_XRT),-L$(XILINX_XRT)/lib -Wl$(comma)-rpath$(comma)$(XILINX_XRT)/lib) \
                -lxrt_coreutil -luuid -pthread

$(OUT)/obj/host/device/xrt/worker/%.o: private CPPFLAGS += $(XRT_CPPFLAGS)
$(OUT)/obj/sim/xrt/%.o: private CPPFLAGS += -Isim $(XRT_CPPFLAGS)
$(OUT)/obj/tests/xrt/%.o: private CPPFLAGS += -Isim $(XRT_CPPFLAGS)
build/lint/host/device/xrt/worker/%.ok build/lint/sim/xrt/%.ok build/lint/tests/xrt/%.ok: \
    private CPPFLAGS += -Isim $(XRT_CPPFLAGS)

# ---- worker and preload ----------------------------------------------------------------------
XRT_WORKER_OBJECTS := $(patsubst %.cpp,$(OUT)/obj/%.o,$(wildcard host/device/xrt/worker/*.cpp))
# Without sanitizers, like the library that is loaded before it.
NO_SANITIZER := $(filter-out -fsanitize% -fno-sanitize%,$(CXXFLAGS))
$(OUT)/chainmail-xrt $(XRT_WORKER_OBJECTS): private CXXFLAGS := $(NO_SANITIZER)
$(OUT)/chainmail-xrt: $(XRT_WORKER_OBJECTS)
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(XRT_LDLIBS) -o $@

# What host and device program both do with the memory they share.
EMU_SHARED := wire shared_device shared_calls control_port
PRELOAD_SOURCES := $(patsubst %,sim/xrt/%.cpp,short_sleep short_wait fair_mutex late_assert fast_calls card_latency $(EMU_SHARED))
$(OUT)/libchainmail_emu.so: $(PRELOAD_SOURCES) $(wildcard sim/xrt/*.hpp) host/support/eager_wait.hpp $(OUT)/flags
	@mkdir -p $(@D)
	@echo "  LINK   $@"
	@$(CXX) $(CPPFLAGS) -Isim $(XRT_CPPFLAGS) $(NO_SANITIZER) -fPIC -shared $(PRELOAD_SOURCES) -o $@

# For other XRT host programs (docs/emulation.md).
$(OUT)/chainmail-emu: $(OUT)/obj/sim/xrt/with_emulation.o $(OUT)/libchainmail.a
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(LDLIBS) -o $@

XRT_PROGRAMS := $(OUT)/chainmail-xrt $(OUT)/libchainmail_emu.so $(OUT)/chainmail-emu
all: $(if $(HAVE_XRT),$(XRT_PROGRAMS))

# ---- emulated devices ------------------------------------------------------------------------
EMU_TOPOLOGIES := 5x2 8x3 16x2 16x3 16x1 128-rows-f4-p-g 128-flips 128-flips-f4-p-g graph-6-84c9a448
EMU_SOFTWARE := 512-rows-f4 1024-flips-w64 lattice-8x8x8  # too large to simulate in reasonable time
EMU_OBJECTS := $(patsubst %,$(OUT)/obj/sim/xrt/%.o,$(EMU_SHARED) link memory compute_unit server device_main)

.PHONY: xclbin-emu
xclbin-emu: ## emulated devices, for --device sw_emu and hw_emu
xclbin-emu: $(EMU_TOPOLOGIES:%=$(OUT)/emu/%.sw_emu.xclbin) $(EMU_TOPOLOGIES:%=$(OUT)/emu/%.hw_emu.xclbin) \
    $(EMU_SOFTWARE:%=$(OUT)/emu/%.sw_emu.xclbin)

$(OUT)/write_xclbin: $(patsubst %,$(OUT)/obj/sim/xrt/%.o,write_xclbin xclbin zip)
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ -lz -o $@

# One kernel object under several names gives each compute unit its own on-chip memories.
EMU_UNITS := unit1 unit2 unit3 unit4
$(foreach unit,$(EMU_UNITS),$(OUT)/emu/%.sw_emu.$(unit).o): $(OUT)/obj/kernel/%.o
	@mkdir -p $(@D)
	@for unit in $(EMU_UNITS); do \
	  objcopy --redefine-sym $(call kernel_of,$*)_$(subst -,_,$*)=pbit_burst_$$unit $< \
	    $(OUT)/emu/$*.sw_emu.$$unit.o; done

$(OUT)/emu/%.sw_emu.device: $(EMU_OBJECTS) $(OUT)/obj/sim/xrt/hls_unit.o \
    $(foreach unit,$(EMU_UNITS),$(OUT)/emu/%.sw_emu.$(unit).o)
	@$(CXX) $(CXXFLAGS) $^ -pthread -o $@
	@strip -g $@

# The Verilated kernel of one topology (sim/sim.mk).
$(OUT)/emu/%.hw_emu.device: $(EMU_OBJECTS) $(OUT)/obj/sim/xrt/rtl_unit.o \
    $(patsubst %,$(OUT)/obj/sim/%.o,axi_memory kernel_core rtl_kernel) $(SIM)/%/core.o \
    $(patsubst %,$(SIM)/runtime/%.o,$(RUNTIME_plain)) $(SIM)/%/model.a
	@mkdir -p $(@D)
	@$(CXX) $(CXXFLAGS) $^ -lfmt -pthread -o $@
	@strip -g $@

$(OUT)/emu/%.xclbin: $(OUT)/emu/%.device $(OUT)/write_xclbin
	@echo "  XCLBIN $@"
	@$(if $(filter graph-%,$*),$(OUT)/write_topology edges $(basename $*) > $(@:.xclbin=.edges))
	@$(OUT)/write_xclbin $< 1 $(call kernel_of,$*) > $@
# The same device with more of its compute units in the metadata.
$(OUT)/emu/%.two_units.xclbin: $(OUT)/emu/%.device $(OUT)/write_xclbin
	@echo "  XCLBIN $@"
	@$(OUT)/write_xclbin $< 2 $(call kernel_of,$*) > $@
$(OUT)/emu/%.four_units.xclbin: $(OUT)/emu/%.device $(OUT)/write_xclbin
	@echo "  XCLBIN $@"
	@$(OUT)/write_xclbin $< 4 $(call kernel_of,$*) > $@

# ---- tests -----------------------------------------------------------------------------------
# A device whose kernel adds numbers: enough to test the protocol, the worker and the watchdogs.
$(OUT)/tests/adder.device: $(EMU_OBJECTS) $(OUT)/obj/tests/xrt/fixture/adder_unit.o
	@mkdir -p $(@D)
	@$(CXX) $(CXXFLAGS) $^ -pthread -o $@
# A foreign program with our library loaded first: a sanitizer would have to come before it.
$(OUT)/tests/ordinary_host $(OUT)/obj/tests/xrt/fixture/ordinary_host.o: private CXXFLAGS := $(NO_SANITIZER)
$(OUT)/tests/ordinary_host: $(OUT)/obj/tests/xrt/fixture/ordinary_host.o
	@mkdir -p $(@D)
	@$(CXX) $(CXXFLAGS) $^ $(XRT_LDLIBS) -o $@
$(OUT)/tests/xrt: $(patsubst %,$(OUT)/obj/sim/xrt/%.o,xclbin zip $(EMU_SHARED) memory compute_unit)
$(OUT)/tests/xrt: private LDLIBS += -lz
$(OUT)/tests/xrt: | $(OUT)/tests/adder.device $(OUT)/tests/ordinary_host $(OUT)/chainmail-xrt \
    $(OUT)/chainmail-emu $(OUT)/libchainmail_emu.so \
    $(OUT)/emu/5x2.sw_emu.two_units.xclbin $(OUT)/emu/5x2.sw_emu.four_units.xclbin $(OUT)/emu/5x2.sw_emu.xclbin \
    $(OUT)/emu/16x2.sw_emu.xclbin $(OUT)/emu/16x2.hw_emu.xclbin \
    $(OUT)/emu/16x1.sw_emu.xclbin $(OUT)/emu/16x1.hw_emu.xclbin \
    $(OUT)/emu/64-flips.sw_emu.xclbin $(OUT)/emu/64-flips.hw_emu.xclbin \
    $(OUT)/emu/128-flips-f4-p-g.sw_emu.xclbin $(OUT)/emu/128-flips-f4-p-g.hw_emu.xclbin \
    $(patsubst %,$(OUT)/emu/graph-6-84c9a448.%.xclbin,sw_emu hw_emu) $(OUT)/emu/lattice-5x5x5.sw_emu.xclbin \
    $(OUT)/emu/40-rows-l2.sw_emu.xclbin $(OUT)/emu/40-rows-l2.hw_emu.xclbin \
    $(OUT)/emu/40-rows-l2-f4.sw_emu.xclbin $(OUT)/emu/40-rows-l2-f4.hw_emu.xclbin $(OUT)/chainmail

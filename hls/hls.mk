# The HLS kernel: natively, one object per topology from the same source; with Vitis, one .xo.
# A topology is named as `write_topology` reads it: NxK with suffixes for what is not default.
TOPOLOGIES := 5x2 8x3 8x1 16x2 16x3 16x1 40x3 40x1 100x3 100x1 5x2-t9-b17-w2-r16

# ---- native kernels, linked into the host program and the tests ------------------------------
# -idirafter: Vitis' own <ap_int.h> wins when it is on the include path (USE_VITIS_HEADERS=1).
HLS_CPPFLAGS := -idirafter hls/ap
ifdef USE_VITIS_HEADERS
HLS_CPPFLAGS += -DUSE_VITIS_HEADERS -isystem $(or $(XILINX_HLS),$(XILINX_VITIS))/include
endif
# The kernel is full of pragmas and loop labels that only HLS reads.
HLS_CXXFLAGS := -Wno-unknown-pragmas -Wno-unused-label
GENERATOR_OBJECTS := $(patsubst %.cpp,$(OUT)/obj/%.o,hls/write_topology.cpp \
    $(wildcard host/topology/*.cpp host/embedding/*.cpp host/problem/quadratic.cpp))
KERNEL_OBJECTS := $(TOPOLOGIES:%=$(OUT)/obj/kernel/%.o) $(OUT)/obj/kernel/registry.o

$(OUT)/libchainmail.a: $(KERNEL_OBJECTS)

$(OUT)/write_topology: $(GENERATOR_OBJECTS)
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(LDLIBS) -o $@

# Rewritten only when it changes, so that kernels are rebuilt only then.
.PRECIOUS: $(OUT)/topology/%/topology_constants.hpp
$(OUT)/topology/%/topology_constants.hpp: $(OUT)/write_topology
	@mkdir -p $(@D)
	@$< hls $* > $@.new
	@cmp -s $@.new $@ && rm $@.new && touch $@ || mv $@.new $@

$(OUT)/obj/kernel/registry.cpp: $(OUT)/write_topology hls/hls.mk
	@mkdir -p $(@D)
	@$< registry $(TOPOLOGIES) > $@

$(OUT)/obj/kernel/registry.o: $(OUT)/obj/kernel/registry.cpp
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@

$(OUT)/obj/kernel/%.o: hls/pbit_burst.cpp $(OUT)/topology/%/topology_constants.hpp
	@mkdir -p $(@D)
	@echo "  KERNEL $*"
	@$(CXX) $(CXXFLAGS) $(HLS_CXXFLAGS) -I$(OUT)/topology/$* $(HLS_CPPFLAGS) \
	    -Dpbit_burst=pbit_burst_$(subst -,_,$*) -MMD -MP -c $< -o $@

# Tests of the kernel's parts include them with the constants of 100x3.
HLS_TEST_OBJECTS := $(patsubst %.cpp,$(OUT)/obj/%.o,$(wildcard tests/hls/*.cpp))
$(HLS_TEST_OBJECTS): $(OUT)/topology/100x3/topology_constants.hpp
$(HLS_TEST_OBJECTS): CPPFLAGS += -I$(OUT)/topology/100x3 $(HLS_CPPFLAGS)
$(HLS_TEST_OBJECTS): CXXFLAGS += $(HLS_CXXFLAGS) -Wno-unused-function
build/lint/hls/%.ok build/lint/tests/hls/%.ok: CPPFLAGS += -Ibuild/topology/100x3 -idirafter hls/ap
$(patsubst %.cpp,build/lint/%.ok,hls/pbit_burst.cpp $(wildcard tests/hls/*.cpp)): \
    build/topology/100x3/topology_constants.hpp

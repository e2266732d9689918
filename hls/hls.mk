# The HLS kernel: natively, one object per topology from the same source; with Vitis, one .xo.
# A topology is named as `write_topology` reads it: NxK with suffixes for what is not default.
TOPOLOGIES := 5x2 8x3 8x1 16x2 16x3 16x1 33x2 40x3 40x1 100x3 100x1 5x2-t9-b17-w2-r16
# ... behind a serial line: an ECP5, and the simulated board with wide states (sim/board/board.mk).
TOPOLOGIES += 8x3-b17-r64 16x3-b17-r64 32x3-b17-r64 10x8-b17-w2-r16
# N-rows: the row kernel (docs/rows.md).
TOPOLOGIES += 16-rows 16-rows-l4-b17-w2-r24 40-rows-l2 64-rows-l4-r16 100-rows-l8 128-rows 256-rows 512-rows \
    1024-rows 2048-rows
# ... with constraints: forms, products, groups.
TOPOLOGIES += 16-rows-f2 16-rows-l4-b17-w2-r24-f4-m4-p-g 40-rows-l2-f4 40-rows-p 64-rows-l4-r16-g 100-rows-l8-f2-p-g \
    128-rows-f4-p-g 256-rows-f4 512-rows-f4

# N-flips: the flip kernel (docs/flips.md).
TOPOLOGIES += 16-flips 16-flips-r5-b17 16-flips-r70 64-flips 64-flips-w64-r40 128-flips 256-flips 1024-flips-w64 2048-flips-w64
# ... with products.
TOPOLOGIES += 16-flips-r5-b17-p 64-flips-p 128-flips-p 1024-flips-w64-p
# ... with forms.
TOPOLOGIES += 16-flips-r5-b17-f2 16-flips-r5-f4-m4-p 64-flips-f4-p \
    16-flips-r27-g 64-flips-f4-p-g 128-flips-f4-p-g

# Rings wired for a lattice, and for each graph that hls/graphs has a list of edges of (docs/wired.md).
TOPOLOGIES += lattice-2x2x2 lattice-3x3 lattice-5x5x5 lattice-8x8x8 $(patsubst hls/graphs/%.edges,%,$(wildcard hls/graphs/*.edges))

# ---- native kernels, linked into the host program and the tests ------------------------------
# -idirafter: another <ap_int.h> on the include path wins. AP_INT=dir names the folder of AMD's, for instance
# $XILINX_HLS/include or a clone of Xilinx/HLS_arbitrary_Precision_Types; what is built with it is in a folder of its own.
HLS_CPPFLAGS := -idirafter hls/ap
ifdef AP_INT
HLS_CPPFLAGS += -DUSE_AMD_AP_INT -isystem $(AP_INT)
endif
# Only HLS understands the kernel's pragmas and loop labels.
HLS_CXXFLAGS := -Wno-unknown-pragmas -Wno-unused-label
GENERATOR_OBJECTS := $(patsubst %.cpp,$(OUT)/obj/%.o,hls/write_topology.cpp host/problem/quadratic.cpp \
    host/problem/precision.cpp host/support/decimal.cpp \
    host/support/atomic_file.cpp $(wildcard host/topology/*.cpp host/embedding/*.cpp))
KERNEL_OBJECTS := $(TOPOLOGIES:%=$(OUT)/obj/kernel/%.o) $(OUT)/obj/kernel/registry.o $(OUT)/obj/kernel/boards.o

$(OUT)/libchainmail.a: $(KERNEL_OBJECTS)

# It needs only a compiler: a machine with Vitis may have nothing else.
ifneq ($(BUILD),aarch64)  # there it is the build machine's (constraints/kria.mk)
$(OUT)/write_topology: $(GENERATOR_OBJECTS)
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ -o $@
endif

# Rewritten only when it changes, so that kernels are rebuilt only then.
$(OUT)/topology/%/topology_constants.hpp: $(OUT)/write_topology
	@mkdir -p $(@D)
	@$< hls $* > $@.new
	@$(if_changed)

# Checked every time, since TOPOLOGIES may have changed.
.PHONY: always
$(OUT)/obj/kernel/registry.cpp: $(OUT)/write_topology always
	@mkdir -p $(@D)
	@$< registry $(TOPOLOGIES) > $@.new
	@$(if_changed)

BOARD_FILES := $(wildcard constraints/*.cfg)
$(OUT)/obj/kernel/boards.cpp: $(OUT)/write_topology $(BOARD_FILES)
	@mkdir -p $(@D)
	@$< boards $(BOARD_FILES) > $@

$(OUT)/obj/kernel/registry.o $(OUT)/obj/kernel/boards.o: $(OUT)/obj/kernel/%.o: $(OUT)/obj/kernel/%.cpp
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@

# The kernel's source and function follow from the name; dependency files know the source.
kernel_of = $(if $(findstring -flips,$(1)),pbit_flips,$(if $(findstring -rows,$(1)),pbit_rows,pbit_burst))
$(OUT)/obj/kernel/%.o: $(OUT)/topology/%/topology_constants.hpp
	@mkdir -p $(@D)
	@echo "  KERNEL $*"
	@$(CXX) $(CXXFLAGS) $(HLS_CXXFLAGS) -I$(OUT)/topology/$* $(HLS_CPPFLAGS) \
	    -D$(call kernel_of,$*)=$(call kernel_of,$*)_$(subst -,_,$*) -MMD -MP -c hls/$(call kernel_of,$*).cpp -o $@

# Tests of the kernel's parts include them with the constants of 100x3.
HLS_TEST_OBJECTS := $(patsubst %.cpp,$(OUT)/obj/%.o,$(wildcard tests/hls/*.cpp))
$(HLS_TEST_OBJECTS): $(OUT)/topology/100x3/topology_constants.hpp
$(HLS_TEST_OBJECTS): private CPPFLAGS += -I$(OUT)/topology/100x3 $(HLS_CPPFLAGS)
$(HLS_TEST_OBJECTS): private CXXFLAGS += $(HLS_CXXFLAGS) -Wno-unused-function
build/lint/hls/%.ok build/lint/tests/hls/%.ok: private CPPFLAGS += -Ibuild/topology/100x3 -idirafter hls/ap
$(patsubst %.cpp,build/lint/%.ok,hls/pbit_burst.cpp $(wildcard tests/hls/*.cpp)): \
    build/topology/100x3/topology_constants.hpp
# With all options: none of its code is dead.
build/lint/hls/pbit_rows.ok: private CPPFLAGS := -Ibuild/topology/128-rows-f4-p-g $(CPPFLAGS) -idirafter hls/ap
build/lint/hls/pbit_rows.ok: build/topology/128-rows-f4-p-g/topology_constants.hpp

build/lint/hls/pbit_flips.ok: private CPPFLAGS := -Ibuild/topology/64-flips $(CPPFLAGS) -idirafter hls/ap
build/lint/hls/pbit_flips.ok: build/topology/64-flips/topology_constants.hpp

# ---- graphs: kernels wired for a problem's graph ----------------------------------------------
.PHONY: graph
graph: $(OUT)/chainmail ## a list of edges in hls/graphs, for which `make` then builds kernels (PROBLEM=file)
	@name=$$($< topology $(or $(PROBLEM),$(error make graph needs PROBLEM=file)) | awk '/^topology/ { print $$2 }') && \
	    $< topology $(PROBLEM) --form edges -o hls/graphs/$$name.edges && echo "hls/graphs/$$name.edges"

# ---- csim: the kernel's own tests, natively --------------------------------------------------
.PHONY: csim
csim: $(OUT)/tests/hls ## run the HLS kernel's test bench natively
	@$<

# ---- xo: the kernel for Vitis, 2022.1 to 2025.x ----------------------------------------------
# make xo BOARD=u55c TOPOLOGY=100x3; VITIS_VERSION=2024.2 overrides the version that v++ reports.
# Boards are described in constraints/; constraints/vitis.mk links and packages what is made here.
BOARD     ?= u55c
board_fact = $(shell sed -n 's/^$(1)=//p' constraints/$(BOARD).cfg 2>/dev/null)
# The largest that should fit with room to spare (docs/bitstreams.md); TOPOLOGY=rows: the largest row kernel.
TOPOLOGY  ?= $(or $(call board_fact,topology),100x3)
ifeq ($(TOPOLOGY),rows)
override TOPOLOGY := $(or $(call board_fact,rows),$(error TOPOLOGY=rows: constraints/$(BOARD).cfg has no rows=))
endif
KERNEL_TOP = $(call kernel_of,$(TOPOLOGY))
FREQUENCY ?= $(call board_fact,frequency)
PLATFORM  ?= $(or $(call board_fact,platform),$(error BOARD=$(BOARD) is not one of $(VITIS_BOARDS); or give PLATFORM=))
VITIS_VERSION ?= $(or $(shell v++ --version 2>/dev/null | grep -o 'v20[0-9]*\.[0-9]' | head -1 | tr -d v),2024.2)
XO_DIR     = build/xo/$(TOPOLOGY)/$(BOARD)/hls
XO         = $(XO_DIR)/$(KERNEL_TOP).xo
XO_HEADER  = $(OUT)/topology/$(TOPOLOGY)/topology_constants.hpp
# The unified flow is here to stay; before 2024.2 the classic one is better tested.
XO_MODE    = $(if $(filter 2022.% 2023.% 2024.1,$(VITIS_VERSION)),classic,unified)
# Alveo shells have a scalable clock, which --kernel_frequency sets in every version, and a fixed one of 250 MHz, which
# --freqhz (from 2023.2) would select: then nothing scales if timing fails. A Kria's are all fixed.
XO_CLOCK   = $(if $(filter kv260,$(BOARD)),$(if $(filter 2022.% 2023.1,$(VITIS_VERSION)),--clock.defaultFreqHz,--freqhz) \
    $(FREQUENCY),--kernel_frequency $(shell expr $(FREQUENCY) / 1000000))
# A deeper ring than the kernel's default (hls/types.hpp), if a report's PipelineDepth requires it.
HLS_DEFINES = $(if $(HLS_DEPTH),-DHLS_DEPTH=$(HLS_DEPTH))

.PHONY: xo
xo: vitis-tools ## compile the HLS kernel with Vitis (TOPOLOGY=, BOARD= or PLATFORM=)
	@$(MAKE) --no-print-directory KERNEL=hls $(XO) xo-verdict

define xo_classic
	@mkdir -p $(XO_DIR)
	v++ -c -t hw --platform $(PLATFORM) -k $(KERNEL_TOP) $(XO_CLOCK) --save-temps $(HLS_DEFINES) \
	    -Ihls -I$(dir $(XO_HEADER)) --temp_dir $(XO_DIR)/temp --report_dir $(XO_DIR)/reports \
	    hls/$(KERNEL_TOP).cpp -o $@
endef

define xo_unified
	@mkdir -p $(XO_DIR)
	sed -e 's|@PLATFORM@|$(PLATFORM)|' -e 's|@FREQUENCY@|$(FREQUENCY)|' -e 's|@ROOT@|$(CURDIR)|' \
	    -e 's|@HEADER@|$(CURDIR)/$(dir $(XO_HEADER))|' -e 's|@XO@|$(CURDIR)/$@|' \
	    -e 's|@DEFINES@|$(HLS_DEFINES)|' -e 's|@KERNEL@|$(KERNEL_TOP)|' \
	    hls/hls_config.cfg > $(XO_DIR)/hls_config.cfg
	v++ -c --mode hls --config $(XO_DIR)/hls_config.cfg --work_dir $(XO_DIR)/work
	vitis-run --mode hls --package --config $(XO_DIR)/hls_config.cfg --work_dir $(XO_DIR)/work
endef

build/xo/%/hls/$(KERNEL_TOP).xo: hls/$(KERNEL_TOP).cpp $(wildcard hls/*.hpp) hls/hls_config.cfg $(XO_HEADER)
	$(xo_$(XO_MODE))

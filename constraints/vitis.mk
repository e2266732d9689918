# The Vitis flow: kernel object (hls/hls.mk, or package_xo for the RTL), link, judge, package.
#   make bitstream BOARD=u55c|u50|u250|u280|kv260 KERNEL=hls|rtl TOPOLOGY=100x3|rows|... CUS=n
#   make -n bitstream BOARD=u50 VITIS_VERSION=2022.1       the commands of any version, Vitis or not
# docs/bitstreams.md says what is needed and what has been checked. Vitis only warns of a missed initiation interval or
# clock, so its reports are checked. A verdict is a separate target: a bad one does not lose hours of v++, and
# ACCEPT_SCALED=1 can be given afterwards.
VITIS_BOARDS := u55c u50 u250 u280 kv260
BOARDS       += $(VITIS_BOARDS)
KERNEL       ?= hls
CUS          ?= 1
VITIS_VERSIONS := 2022.1 2022.2 2023.1 2023.2 2024.1 2024.2 2025.1 2025.2

.PHONY: $(VITIS_BOARDS:%=bitstream-%) vitis-tools xclbin
# The tools are checked first, so that a machine without them gets only that message.
$(VITIS_BOARDS:%=bitstream-%): vitis-tools
	@$(MAKE) --no-print-directory xclbin

# Units that the board file has a memory bank for.
UNITS_OF_BOARD = $(shell grep -c '^sp=' constraints/$(BOARD).cfg)
vitis-tools:
	@[ "$(CUS)" -ge 1 ] 2>/dev/null && [ "$(CUS)" -le $(UNITS_OF_BOARD) ] || { \
	    echo "CUS=$(CUS): BOARD=$(BOARD) has room for 1 to $(UNITS_OF_BOARD) compute units" >&2; exit 2; }
	@$(if $(filter hls rtl,$(KERNEL)),,$(error KERNEL=$(KERNEL) is not hls or rtl))
	@$(if $(filter $(VITIS_VERSIONS),$(VITIS_VERSION)),,$(error Vitis $(VITIS_VERSION) is not one of $(VITIS_VERSIONS)))
	@for tool in v++ $(if $(filter rtl,$(KERNEL)),vivado); do command -v $$tool >/dev/null || { \
	    echo "BOARD=$(BOARD) needs AMD Vitis 2022.1 to 2025.2 with the platform $(PLATFORM):" \
	    "$$tool is not on the PATH. Install both from AMD, then source settings64.sh of Vitis" \
	    "(and setup.sh of XRT); 'make -n' with the same arguments shows the commands" >&2; exit 1; }; done
	@! command -v platforminfo >/dev/null || platforminfo -p $(PLATFORM) >/dev/null 2>&1 || { \
	    echo "the platform $(PLATFORM) is not installed (platforminfo does not know it): install its package from" \
	    "AMD, or name another with PLATFORM=" >&2; exit 1; }
	@command -v python3 >/dev/null || { echo "python3 is needed to judge the reports of v++" \
	    "(package python3, on Debian and RHEL alike)" >&2; exit 1; }

# ---- the RTL kernel as an object ---------------------------------------------------------------
# Vivado packages a plain Verilog top, so the kernel steps back under another name.
KERNEL_TOPS := rtl/array/pbit_burst.sv rtl/rows/pbit_rows.sv rtl/flips/pbit_flips.sv
vpath pbit_%.sv rtl/array rtl/rows rtl/flips
build/xo/pbit_%.v: pbit_%.sv constraints/verilog_top
	@mkdir -p $(@D)
	constraints/verilog_top $< > $@
build/xo/pbit_%_core.sv: pbit_%.sv
	@mkdir -p $(@D)
	sed 's/^module pbit_$* /module pbit_$*_core /' $< > $@
LINT_TOPS := 5x2 16-rows 16-flips
lint-rtl: $(LINT_TOPS:%=build/lint/rtl/%.verilog_top.ok)
$(foreach t,$(LINT_TOPS),$(eval build/lint/rtl/$(t).verilog_top.ok: build/xo/$(call kernel_of,$(t)).v \
    build/xo/$(call kernel_of,$(t))_core.sv))
build/lint/rtl/%.verilog_top.ok: build/lint/rtl/%.ok
	@$(VERILATOR) --lint-only -Wall -Wno-SYMRSVDWORD --top-module $(call kernel_of,$*) -y build/topology/$* \
	    build/topology/$*/topology_pkg.sv $(RTL_SEARCH) $(filter %.sv %.v,$^)
	@yosys -q -p "read_verilog $(filter %.v,$^)"
	@touch $@

RTL_XO_DIR     = build/xo/$(TOPOLOGY)/$(BOARD)/rtl
RTL_XO_SOURCES = $(filter-out $(KERNEL_TOPS),$(if $(findstring -flips,$(TOPOLOGY)),$(FLIPS_SOURCES),$(if \
    $(findstring -rows,$(TOPOLOGY)),$(ROWS_SOURCES),$(RING_SOURCES) $(OUT)/topology/$(TOPOLOGY)/cm_stage_wiring.sv))) build/xo/$(KERNEL_TOP)_core.sv build/xo/$(KERNEL_TOP).v \
    $(OUT)/topology/$(TOPOLOGY)/topology_pkg.sv
build/xo/%/rtl/$(KERNEL_TOP).xo: $(RTL_XO_SOURCES) constraints/package_xo.tcl $(OUT)/write_topology
	@mkdir -p $(RTL_XO_DIR)
	$(OUT)/write_topology kernel-xml $(KERNEL_TOP) > $(RTL_XO_DIR)/kernel.xml
	vivado -mode batch -nojournal -log $(RTL_XO_DIR)/vivado.log -source constraints/package_xo.tcl \
	    -tclargs $(call board_fact,part) $(RTL_XO_DIR)/kernel.xml $@ $(RTL_XO_DIR)/work $(RTL_XO_SOURCES)

# ---- link and package --------------------------------------------------------------------------
# Where buffers lie: in the card's memory, or in the host's, which the card reaches by itself (no copies; the shell
# must have it enabled: xbutil configure --host-mem).
BUFFERS ?= $(call board_fact,buffers)
LINK_DIR = build/vitis/$(BOARD)/$(KERNEL)-$(TOPOLOGY)-$(CUS)
XCLBIN   = $(LINK_DIR)/$(KERNEL_TOP).xclbin
xclbin: $(XCLBIN) $(if $(filter kv260,$(BOARD)),$(LINK_DIR)/$(KERNEL_TOP).bit.bin)
	@echo "$(XCLBIN): $(CUS) x $(TOPOLOGY), $(KERNEL) kernel"

# The RTL kernel takes one slot per clock by construction; the HLS kernel is checked before it is linked.
.PHONY: xo-verdict timing-verdict
xo-verdict: $(if $(filter hls,$(KERNEL)),$(XO))
	$(if $(filter hls,$(KERNEL)),constraints/check_reports ii $(KERNEL_TOP) $(XO_DIR))
timing-verdict: $(LINK_DIR)/$(KERNEL_TOP).link.xclbin
	constraints/check_reports$(if $(ACCEPT_SCALED), --accept-scaled) timing $(LINK_DIR)

build/vitis/%/$(KERNEL_TOP).link.xclbin: build/xo/$(TOPOLOGY)/$(BOARD)/$(KERNEL)/$(KERNEL_TOP).xo \
    constraints/$(BOARD).cfg $(OUT)/write_topology | xo-verdict
	@mkdir -p $(LINK_DIR)
	$(OUT)/write_topology link $(KERNEL_TOP) constraints/$(BOARD).cfg $(CUS) $(BUFFERS) > $(LINK_DIR)/link.cfg
	v++ -l -t hw --platform $(PLATFORM) $(XO_CLOCK) --save-temps --config $(LINK_DIR)/link.cfg \
	    --temp_dir $(LINK_DIR)/temp --report_dir $(LINK_DIR)/reports \
	    --log_dir $(LINK_DIR)/logs $< -o $@

# Only what passed gets the result's name; beside it are the edges of an array wired for a graph.
build/vitis/%/$(KERNEL_TOP).xclbin: build/vitis/%/$(KERNEL_TOP).link.xclbin | timing-verdict
	$(if $(filter graph-%,$(TOPOLOGY)),$(OUT)/write_topology edges $(TOPOLOGY) > $(@:.xclbin=.edges))
	$(if $(filter kv260,$(BOARD)),cp $(LINK_DIR)/$(KERNEL_TOP).link.xclbin $@,v++ -p -t hw \
	    --platform $(PLATFORM) $(LINK_DIR)/$(KERNEL_TOP).link.xclbin --package.out_dir $(LINK_DIR)/package -o $@)

# A Kria needs no packaging; what it loads by itself is the bare bitstream, in the byte order of its
# configuration port.
%.bit.bin: %.xclbin
	xclbinutil --force --input $< --dump-section BITSTREAM:RAW:$*.bit
	printf 'all: { [destination_device = pl] $*.bit }\n' > $*.bif
	bootgen -image $*.bif -arch zynqmp -process_bitstream bin -w -o $@

# ---- what fits -----------------------------------------------------------------------------------
.PHONY: fit-table
fit-table: ## compute units expected to fit each Vitis board (projected from docs/lab/performance.md)
	@constraints/fit_table docs/lab/performance.md $(VITIS_BOARDS:%=constraints/%.cfg)

# The Vitis flow: kernel object (hls/hls.mk, or package_xo for the RTL), link, judge, package.
#   make bitstream BOARD=u55c|u50|u250|u280|kv260 KERNEL=hls|rtl TOPOLOGY=100x3 CUS=n
#   make -n bitstream BOARD=u50 VITIS_VERSION=2022.1       the commands of any version, Vitis or not
# docs/bitstreams.md tells what is needed and what has been checked.
# Vitis only warns of a missed initiation interval or clock, so its reports are judged. A verdict is a
# target of its own: hours of v++ outlast it, and ACCEPT_SCALED=1 can be said afterwards.
VITIS_BOARDS := u55c u50 u250 u280 kv260
BOARDS       += $(VITIS_BOARDS)
KERNEL       ?= hls
CUS          ?= 1
VITIS_VERSIONS := 2022.1 2022.2 2023.1 2023.2 2024.1 2024.2 2025.1 2025.2

.PHONY: $(VITIS_BOARDS:%=bitstream-%) vitis-tools xclbin
# The tools are looked for first, so that a machine without them is told so and nothing else.
$(VITIS_BOARDS:%=bitstream-%): vitis-tools
	@$(MAKE) --no-print-directory xclbin

# Units that the board file has a memory bank for.
UNITS_OF_BOARD = $(shell grep -c '^sp=' constraints/$(BOARD).cfg)
vitis-tools:
	@[ "$(CUS)" -ge 1 ] 2>/dev/null && [ "$(CUS)" -le $(UNITS_OF_BOARD) ] || { \
	    echo "CUS=$(CUS): BOARD=$(BOARD) has room for 1 to $(UNITS_OF_BOARD) compute units" >&2; exit 2; }
	@$(if $(filter hls rtl,$(KERNEL)),,$(error KERNEL=$(KERNEL) is not hls or rtl))
	@$(if $(findstring -rows,$(TOPOLOGY)),$(error TOPOLOGY=$(TOPOLOGY): the row kernel has no board recipe yet, rings (NxK) have))
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
build/xo/pbit_burst.v: rtl/axi/pbit_burst.sv constraints/verilog_top
	@mkdir -p $(@D)
	constraints/verilog_top $< > $@
build/xo/pbit_burst_core.sv: rtl/axi/pbit_burst.sv
	@mkdir -p $(@D)
	sed 's/^module pbit_burst /module pbit_burst_core /' $< > $@
lint-rtl: build/lint/rtl/verilog_top.ok
build/lint/rtl/verilog_top.ok: build/xo/pbit_burst.v build/xo/pbit_burst_core.sv build/lint/rtl/5x2.ok
	@verilator --lint-only -Wall -Wno-SYMRSVDWORD --top-module pbit_burst -y build/topology/5x2 \
	    build/topology/5x2/topology_pkg.sv $(RTL_SEARCH) build/xo/pbit_burst_core.sv build/xo/pbit_burst.v
	@yosys -q -p "read_verilog build/xo/pbit_burst.v"
	@touch $@

RTL_XO_DIR     = build/xo/$(TOPOLOGY)/$(BOARD)/rtl
RTL_XO_SOURCES = $(filter-out rtl/axi/pbit_burst.sv,$(RING_SOURCES)) build/xo/pbit_burst_core.sv \
    build/xo/pbit_burst.v $(OUT)/topology/$(TOPOLOGY)/topology_pkg.sv \
    $(OUT)/topology/$(TOPOLOGY)/cm_stage_wiring.sv
build/xo/%/rtl/pbit_burst.xo: $(RTL_XO_SOURCES) constraints/package_xo.tcl $(OUT)/write_topology
	@mkdir -p $(RTL_XO_DIR)
	$(OUT)/write_topology kernel-xml > $(RTL_XO_DIR)/kernel.xml
	vivado -mode batch -nojournal -log $(RTL_XO_DIR)/vivado.log -source constraints/package_xo.tcl \
	    -tclargs $(call board_fact,part) $(RTL_XO_DIR)/kernel.xml $@ $(RTL_XO_DIR)/work $(RTL_XO_SOURCES)

# ---- link and package --------------------------------------------------------------------------
# Where buffers lie: in the card's memory, or in the host's, which the card reaches by itself (no copies; the shell
# must have it enabled: xbutil configure --host-mem).
BUFFERS ?= $(call board_fact,buffers)
LINK_DIR = build/vitis/$(BOARD)/$(KERNEL)-$(TOPOLOGY)-$(CUS)
XCLBIN   = $(LINK_DIR)/pbit_burst.xclbin
xclbin: $(XCLBIN) $(if $(filter kv260,$(BOARD)),$(LINK_DIR)/pbit_burst.bit.bin)
	@echo "$(XCLBIN): $(CUS) x $(TOPOLOGY), $(KERNEL) kernel"

# The RTL kernel takes a slot a clock by construction; the HLS kernel is judged before it is linked.
.PHONY: xo-verdict timing-verdict
xo-verdict: $(if $(filter hls,$(KERNEL)),$(XO))
	$(if $(filter hls,$(KERNEL)),constraints/check_reports ii $(XO_DIR))
timing-verdict: $(LINK_DIR)/pbit_burst.link.xclbin
	constraints/check_reports$(if $(ACCEPT_SCALED), --accept-scaled) timing $(LINK_DIR)

build/vitis/%/pbit_burst.link.xclbin: build/xo/$(TOPOLOGY)/$(BOARD)/$(KERNEL)/pbit_burst.xo \
    constraints/$(BOARD).cfg $(OUT)/write_topology | xo-verdict
	@mkdir -p $(LINK_DIR)
	$(OUT)/write_topology link constraints/$(BOARD).cfg $(CUS) $(BUFFERS) > $(LINK_DIR)/link.cfg
	v++ -l -t hw --platform $(PLATFORM) $(XO_CLOCK) --save-temps --config $(LINK_DIR)/link.cfg \
	    --temp_dir $(LINK_DIR)/temp --report_dir $(LINK_DIR)/reports \
	    --log_dir $(LINK_DIR)/logs $< -o $@

# Only what was judged well gets the result's name.
build/vitis/%/pbit_burst.xclbin: build/vitis/%/pbit_burst.link.xclbin | timing-verdict
	$(if $(filter kv260,$(BOARD)),cp $(LINK_DIR)/pbit_burst.link.xclbin $@,v++ -p -t hw \
	    --platform $(PLATFORM) $(LINK_DIR)/pbit_burst.link.xclbin --package.out_dir $(LINK_DIR)/package -o $@)

# A Kria needs no packaging; what it loads by itself is the bare bitstream, in the byte order of its
# configuration port.
%.bit.bin: %.xclbin
	xclbinutil --force --input $< --dump-section BITSTREAM:RAW:$*.bit
	printf 'all: { [destination_device = pl] $*.bit }\n' > $*.bif
	bootgen -image $*.bif -arch zynqmp -process_bitstream bin -w -o $@

# ---- what fits -----------------------------------------------------------------------------------
.PHONY: fit-table
fit-table: ## compute units expected to fit each Vitis board (projected from docs/performance.md)
	@constraints/fit_table docs/performance.md $(VITIS_BOARDS:%=constraints/%.cfg)

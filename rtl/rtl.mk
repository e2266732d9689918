# The RTL kernel itself: what it is generated from, lint, proofs, synthesis.
RTL_ROOMS    := array axi rows flips pbit uart prim
RTL_SOURCES  := rtl/cm_pkg.sv $(wildcard $(RTL_ROOMS:%=rtl/%/*.sv))
# What Yosys reads: one kernel without the others' modules, whose types its package may lack.
RING_SOURCES := $(filter-out rtl/rows/% rtl/flips/% rtl/pbit/cm_gumbel.sv,$(RTL_SOURCES))
ROWS_SOURCES := $(filter-out rtl/array/% rtl/uart/% rtl/flips/%,$(RTL_SOURCES))
FLIPS_SOURCES := $(filter-out rtl/array/% rtl/uart/% rtl/rows/%,$(RTL_SOURCES))
# Packages are listed; tools find modules themselves.
RTL_SEARCH   := $(RTL_ROOMS:%=-y rtl/%) rtl/cm_pkg.sv
# Newer versions print three lines of statistics per run; older ones have no option to suppress them. Evaluated on first
# use.
VERILATOR     = verilator $(VERILATOR_QUIET)
VERILATOR_QUIET = $(eval VERILATOR_QUIET := $(shell verilator --quiet-stats --version >/dev/null 2>&1 && \
    echo --quiet-stats))$(VERILATOR_QUIET)
# Every model that tests simulate is looked at as closely as by lint. As with the compiler, warnings are errors where
# WERROR=1 asks for it; a newer Verilator has more of them.
RTL_WARNINGS := -Wall $(if $(WERROR),,-Wno-fatal)

$(OUT)/topology/%/topology_pkg.sv: $(OUT)/write_topology
	@mkdir -p $(@D)
	@$< rtl $* > $@.new
	@$(if_changed)
$(OUT)/topology/%/cm_stage_wiring.sv: $(OUT)/write_topology
	@mkdir -p $(@D)
	@$< wiring $* > $@.new
	@$(if_changed)
$(OUT)/topology/%/cm_bar_pkg.sv: $(OUT)/write_topology
	@mkdir -p $(@D)
	@$< bar $* > $@.new
	@$(if_changed)

# ---- lint: Verilator with every warning, Yosys must read it too ---------------------------------
# -defer: a module that this topology does not use (cm_folded_stage) is not elaborated.
LINT_RTL_TOPOLOGIES := 5x2 8x3 16x1 5x2-t9-b17-w2-r16
.PHONY: lint-rtl
lint: lint-rtl
lint-rtl: $(LINT_RTL_TOPOLOGIES:%=build/lint/rtl/%.ok) ## lint the RTL with Verilator and Yosys
build/lint/rtl/%.ok: $(RTL_SOURCES) build/topology/%/topology_pkg.sv \
    build/topology/%/cm_stage_wiring.sv
	@mkdir -p $(@D)
	@echo "  LINT   rtl $*"
	@for wide in 0 1; do $(VERILATOR) --lint-only -Wall -DCM_ASSERT -GWideAdd="1'b$$wide" --top-module pbit_burst \
	    -y build/topology/$* build/topology/$*/topology_pkg.sv $(RTL_SEARCH) rtl/array/pbit_burst.sv || exit 1; done
	@yosys -q -p "read_verilog -sv -defer build/topology/$*/topology_pkg.sv \
	    build/topology/$*/cm_stage_wiring.sv $(RING_SOURCES); hierarchy -check -top pbit_burst; \
	    proc; check -assert"
	@touch $@

LINT_ROWS_TOPOLOGIES := 16-rows 40-rows-l2 100-rows-l8 1024-rows 16-rows-l4-b17-w2-r24-f4-m4-p-g
lint-rtl: $(LINT_ROWS_TOPOLOGIES:%=build/lint/rtl/%.ok)
$(LINT_ROWS_TOPOLOGIES:%=build/lint/rtl/%.ok): build/lint/rtl/%.ok: $(RTL_SOURCES) \
    build/topology/%/topology_pkg.sv
	@mkdir -p $(@D)
	@echo "  LINT   rtl $*"
	@for wide in 0 1; do $(VERILATOR) --lint-only -Wall -DCM_ASSERT -GWideAdd="1'b$$wide" --top-module pbit_rows \
	    build/topology/$*/topology_pkg.sv $(RTL_SEARCH) rtl/rows/pbit_rows.sv || exit 1; done
	@yosys -q -p "read_verilog -sv -defer build/topology/$*/topology_pkg.sv $(ROWS_SOURCES); \
	    hierarchy -check -top pbit_rows; proc; check -assert"
	@touch $@

LINT_FLIPS_TOPOLOGIES := 16-flips 16-flips-r70 64-flips-w64-r40 1024-flips-w64 64-flips-p 16-flips-r5-b17-f2 64-flips-f4-p \
    16-flips-r27-g 64-flips-f4-p-g
lint-rtl: $(LINT_FLIPS_TOPOLOGIES:%=build/lint/rtl/%.ok)
$(LINT_FLIPS_TOPOLOGIES:%=build/lint/rtl/%.ok): build/lint/rtl/%.ok: $(RTL_SOURCES) \
    build/topology/%/topology_pkg.sv
	@mkdir -p $(@D)
	@echo "  LINT   rtl $*"
	@for wide in 0 1; do $(VERILATOR) --lint-only -Wall -DCM_ASSERT -GWideAdd="1'b$$wide" --top-module pbit_flips \
	    build/topology/$*/topology_pkg.sv $(RTL_SEARCH) rtl/flips/pbit_flips.sv || exit 1; done
	@yosys -q -p "read_verilog -sv -defer build/topology/$*/topology_pkg.sv $(FLIPS_SOURCES); \
	    hierarchy -check -top pbit_flips; proc; check -assert"
	@touch $@

# The custom logic of an F2 instance, with stand-ins for the HDK's headers.
LINT_BAR_TOPOLOGIES := 8x3-b17-r64 16-flips
lint-rtl: $(LINT_BAR_TOPOLOGIES:%=build/lint/bar/%.ok)
$(LINT_BAR_TOPOLOGIES:%=build/lint/bar/%.ok): build/lint/bar/%.ok: $(RTL_SOURCES) $(wildcard rtl/bar/* sim/bar/hdk/*) \
    build/topology/%/topology_pkg.sv build/topology/%/cm_stage_wiring.sv build/topology/%/cm_bar_pkg.sv
	@mkdir -p $(@D)
	@echo "  LINT   rtl $* custom logic"
	@$(VERILATOR) --lint-only -Wall -DCM_ASSERT --top-module cl_chainmail $(CL_FLAGS) rtl/bar/cl_chainmail.sv
	@for bytes in 4 8; do $(VERILATOR) --lint-only -Wall -GHostBytes=$$bytes --top-module cm_bar_kernel $(CL_FLAGS) \
	    rtl/bar/cm_bar_kernel.sv || exit 1; done
	@yosys -q -p "read_verilog -sv -defer -DCM_KERNEL=$(call kernel_of,$*) -Isim/bar/hdk -Irtl/bar \
	    build/topology/$*/cm_bar_pkg.sv build/topology/$*/topology_pkg.sv $(if $(findstring -flips,$*),$(FLIPS_SOURCES),\
	    build/topology/$*/cm_stage_wiring.sv $(RING_SOURCES)) $(wildcard rtl/bar/*.sv); \
	    hierarchy -check -top cl_chainmail; proc; check -assert"
	@touch $@

# ---- proofs: bounded and by induction -------------------------------------------------------------
PROOFS := cm_sync_fifo cm_axi_burst_splitter cm_axi_address_channel cm_axi_lite_control cm_axi_read_master \
          cm_axi_write_master cm_slot_sequencer cm_row_sequencer \
          cm_row_builder cm_form_schedule cm_flip_queue
# Induction depth and parameters: small ones if the proof is the same for all.
PROVE_cm_sync_fifo           := 12 Width=4 Depth=4
PROVE_cm_axi_burst_splitter  := 2 DataBytes=8
PROVE_cm_axi_address_channel := 6 DataWidth=32 MaxOutstanding=2 MaxBeats=4 CountWidth=11
PROVE_cm_axi_lite_control    := 8 ArgWords=4 ArgMask=11 StatusWords=2
PROVE_cm_axi_read_master     := 6 DataWidth=32 MaxOutstanding=2 MaxBeats=4 CountWidth=11
PROVE_cm_axi_write_master    := 6 DataWidth=32 MaxOutstanding=2 MaxBeats=4 CountWidth=11
PROVE_cm_slot_sequencer      := 8 Depth=5 IndexBits=4
PROVE_cm_row_sequencer       := 8 Depth=5 SlotBits=3 RowBits=2
PROVE_cm_row_builder         := 6 RowBeats=3 FieldBits=2
PROVE_cm_flip_queue          := 4 Replicas=5 Width=3
PROVE_cm_form_schedule       := 10 Forms=2 NumberBits=1 SlotBits=2 Bits=2 ReadAt=3 WriteAt=8
.PHONY: prove
prove: $(PROOFS:%=build/prove/%.ok) ## prove the AXI side and the ring's addressing (yosys, z3)
build/prove/%.ok: rtl/formal/%_proof.svh $(RTL_SOURCES) rtl/formal/prove
	@mkdir -p $(@D)
	@rtl/formal/prove $* $(firstword $(PROVE_$*)) $(@D) $(wordlist 2,99,$(PROVE_$*))
	@touch $@

# ---- synthesis estimate -----------------------------------------------------------------------------
SYNTH_TOPOLOGIES ?= 16x2 32x3 64x3 100x3 32x1 100x1
.PHONY: synth-report
# Paths and fan-outs of a small array, where control and AXI dominate, and of the largest, where broadcasts do; of a row
# kernel with all its options.
TIMING_TOPOLOGIES ?= 16x2 100x3 64-rows-l4-f4-p-g 256-flips
synth-report: $(patsubst %,build/synth/%.stat,$(sort $(SYNTH_TOPOLOGIES) $(TIMING_TOPOLOGIES))) ## area, logic levels and fan-out by Yosys for UltraScale+
	@rtl/synth_report $(SYNTH_TOPOLOGIES:%=build/synth/%.stat)
	@rtl/timing_report --limit 2.6 5 256 $(TIMING_TOPOLOGIES:%=build/synth/%.json)
build/synth/%.stat: $(RTL_SOURCES) build/topology/%/topology_pkg.sv \
    build/topology/%/cm_stage_wiring.sv
	@mkdir -p $(@D)
	@echo "  SYNTH  $*"
	@yosys -q -l build/synth/$*.log -p "read_verilog -sv -defer build/topology/$*/topology_pkg.sv \
	    $(if $(findstring -flips,$*),$(FLIPS_SOURCES),$(if $(findstring -rows,$*),$(ROWS_SOURCES),build/topology/$*/cm_stage_wiring.sv $(RING_SOURCES))); \
	    hierarchy -check -top $(call kernel_of,$*) -chparam WideAdd 1'b0; rename -top $(call kernel_of,$*); \
	    synth_xilinx -family xcup -top $(call kernel_of,$*) -noiopad -noclkbuf; tee -o $@.new stat; \
	    write_json build/synth/$*.json" \
	    > build/synth/$*.out 2>&1 || { tail -n 5 build/synth/$*.out; exit 1; }
	@mv $@.new $@

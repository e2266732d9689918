# The open flow for iCE40 boards: yosys, nextpnr-ice40, icepack; no vendor tool.
#   make bitstream BOARD=hx8k        build/bitstream/hx8k.bin, its utilisation and clock
#   make program BOARD=hx8k          into the board's flash
#   make program BOARD=hx8k SRAM=1   into the FPGA alone, until power-off (jumpers: docs/uart.md)
#   make gate-level BOARD=hx8k       the netlist, simulated, against the RTL
ICE40_BOARDS   := hx8k icebreaker
ICE40_TOPOLOGY := 5x2-t9-b17-w2-r16
BOARDS         += $(ICE40_BOARDS)
PROGRAM_BOARDS += $(ICE40_BOARDS)

# Part, package, clock and how many p-bits share an engine. The UP5K is the slower part.
ICE40_PART_hx8k        := --hx8k --package ct256
ICE40_MHZ_hx8k         := 48
ICE40_TURNS_hx8k       := 3
ICE40_SYNTH_hx8k       :=
ICE40_PART_icebreaker  := --up5k --package sg48
ICE40_MHZ_icebreaker   := 24
ICE40_TURNS_icebreaker := 5
ICE40_SYNTH_icebreaker := -dsp
ICE40_SEED             ?= 1
# Of the serial line; the driver's own choice (host/device/uart/uart_port.hpp) unless it is given.
BAUD                   ?= 3000000
ICE40_BAUD             := $(BAUD)

ICE40_SOURCES := $(RING_SOURCES) $(wildcard rtl/board/*.sv)
ICE40_GENERATED := $(addprefix $(OUT)/topology/$(ICE40_TOPOLOGY)/,topology_pkg.sv cm_stage_wiring.sv)

.PHONY: $(ICE40_BOARDS:%=bitstream-%) $(ICE40_BOARDS:%=program-%)

# The receiver samples a bit in its middle: it needs four clocks per bit, and a rate that the clock can be divided to
# (within 3 %).
.PHONY: $(ICE40_BOARDS:%=ice40-baud-%)
$(ICE40_BOARDS:%=ice40-baud-%): ice40-baud-%:
	@clock=$$(( $(ICE40_MHZ_$*) * 1000000 )); divider=$$(( clock / $(ICE40_BAUD) )); \
	if [ $$divider -lt 4 ] || [ $$(( (clock / divider - $(ICE40_BAUD)) * 100 )) -gt $$(( 3 * $(ICE40_BAUD) )) ]; then \
	  echo "BAUD=$(ICE40_BAUD): $* has $$divider clocks of $(ICE40_MHZ_$*) MHz for a bit; expected" \
	    "4 or more, at a rate within 3 % of a whole division" >&2; exit 1; fi

# Another array would need other folding and pins.
.PHONY: $(ICE40_BOARDS:%=ice40-topology-%)
$(ICE40_BOARDS:%=ice40-topology-%): ice40-topology-%:
	@$(if $(filter-out file default,$(origin TOPOLOGY)),$(if $(filter-out $(ICE40_TOPOLOGY) 5x2,$(TOPOLOGY)),\
	  echo "TOPOLOGY=$(TOPOLOGY): BOARD=$* holds $(ICE40_TOPOLOGY) and no other array" >&2; exit 2,:),:)

build/bitstream/%.json: $(ICE40_SOURCES) $(ICE40_GENERATED) constraints/ice40.mk | ice40-baud-% ice40-topology-%
	@mkdir -p $(@D)
	@echo "  YOSYS  $*"
	@yosys -q -l build/bitstream/$*.yosys.log -p "read_verilog -sv $(ICE40_GENERATED) \
	    $(ICE40_SOURCES); chparam -set ClockMHz $(ICE40_MHZ_$*) -set Turns $(ICE40_TURNS_$*) \
	    -set Baud $(ICE40_BAUD) cm_$*_board; \
	    synth_ice40 $(ICE40_SYNTH_$*) -top cm_$*_board -json $@.new" > build/bitstream/$*.out 2>&1 \
	    || { tail -n 5 build/bitstream/$*.out >&2; exit 1; }
	@mv $@.new $@

# nextpnr itself fails when the clock is not met.
.PRECIOUS: build/bitstream/%.asc build/bitstream/%.json
build/bitstream/%.asc: build/bitstream/%.json constraints/%.pcf
	@echo "  PNR    $*"
	@nextpnr-ice40 $(ICE40_PART_$*) --json $< --pcf constraints/$*.pcf --freq $(ICE40_MHZ_$*) \
	    --seed $(ICE40_SEED) --asc $@.new --report build/bitstream/$*.report.json \
	    > build/bitstream/$*.pnr.log 2>&1 \
	    || { grep -E '^(ERROR|Warning|Info: Max freq)' build/bitstream/$*.pnr.log >&2; exit 1; }
	@mv $@.new $@

build/bitstream/%.bin: build/bitstream/%.asc
	@icepack $< $@

$(ICE40_BOARDS:%=bitstream-%): bitstream-%: ice40-topology-% build/bitstream/%.bin
	@constraints/ice40_report build/bitstream/$*.bin $(ICE40_MHZ_$*) build/bitstream/$*.report.json

$(ICE40_BOARDS:%=program-%): program-%: bitstream-%
	iceprog $(if $(SRAM),-S) build/bitstream/$*.bin

# The netlist for simulation; cells are simulated with the models Yosys ships.
build/bitstream/%_netlist.v: build/bitstream/%.json
	@yosys -q -p "read_json $<; write_verilog -noattr -noexpr $@"

# ---- lint: the boards as Verilator sees them, every warning -------------------------------------------
lint: $(ICE40_BOARDS:%=build/lint/board/%.ok)
build/lint/board/%.ok: $(ICE40_SOURCES) $(ICE40_GENERATED) sim/board/pll_models.sv
	@mkdir -p $(@D)
	@echo "  LINT   $* board"
	@$(VERILATOR) --lint-only -Wall -GClockMHz=$(ICE40_MHZ_$*) -GTurns=$(ICE40_TURNS_$*) \
	    --top-module cm_$*_board -y $(OUT)/topology/$(ICE40_TOPOLOGY) -y rtl/board \
	    $(OUT)/topology/$(ICE40_TOPOLOGY)/topology_pkg.sv $(RTL_SEARCH) sim/board/pll_models.sv \
	    rtl/board/cm_$*_board.sv
	@touch $@

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
ICE40_PART_hx8k          := --hx8k --package ct256
BOARD_MHZ_hx8k           := 48
BOARD_TURNS_hx8k         := 3
BOARD_SYNTH_hx8k         := synth_ice40
ICE40_PART_icebreaker    := --up5k --package sg48
BOARD_MHZ_icebreaker     := 24
BOARD_TURNS_icebreaker   := 5
BOARD_SYNTH_icebreaker   := synth_ice40 -dsp
$(foreach board,$(ICE40_BOARDS),$(eval BOARD_TOP_$(board) := cm_$(board)_board)\
    $(eval BOARD_TOPOLOGY_$(board) := $(ICE40_TOPOLOGY)))

.PHONY: $(ICE40_BOARDS:%=bitstream-%) $(ICE40_BOARDS:%=program-%)
# nextpnr itself fails when the clock is not met.
.PRECIOUS: build/bitstream/%.asc build/bitstream/%.json
build/bitstream/%.asc: build/bitstream/%.json constraints/%.pcf constraints/route
	@echo "  PNR    $*"
	@$(call route,nextpnr-ice40 $(ICE40_PART_$*) --json $< --pcf constraints/$*.pcf --freq $(BOARD_MHZ_$*) --asc $@.new)
	@mv $@.new $@

build/bitstream/%.bin: build/bitstream/%.asc
	@icepack $< $@

$(ICE40_BOARDS:%=bitstream-%): bitstream-%: topology-% build/bitstream/%.bin
	@constraints/nextpnr_report build/bitstream/$*.bin $(BOARD_MHZ_$*) build/bitstream/$*.report.json

$(ICE40_BOARDS:%=program-%): program-%: bitstream-%
	iceprog $(if $(SRAM),-S) build/bitstream/$*.bin

# The netlist for simulation; cells are simulated with the models Yosys ships.
build/bitstream/%_netlist.v: build/bitstream/%.json
	@yosys -q -p "read_json $<; write_verilog -noattr -noexpr $@"

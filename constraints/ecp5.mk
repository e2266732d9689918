# The open flow for ECP5 boards: yosys, nextpnr-ecp5, ecppack (Debian 13 has them); no vendor tool.
#   make bitstream BOARD=ulx3s PART=25f   build/bitstream/ulx3s-25f.bit, its utilisation and clock; PART: 25f, 45f, 85f
#   make bitstream BOARD=colorlight_i5    or colorlight_i9
#   make program BOARD=ulx3s PART=25f     into the board's flash; SRAM=1: into the FPGA alone, until power-off
ECP5_BOARDS    := ulx3s colorlight_i5 colorlight_i9
BOARDS         += $(ECP5_BOARDS)
PROGRAM_BOARDS += $(ECP5_BOARDS)
PART           ?= 25f
ECP5_BUILDS    := ulx3s-25f ulx3s-45f ulx3s-85f colorlight_i5 colorlight_i9

# The array a part holds and the clock it is routed for (docs/bitstreams.md); all p-bits have their own engine.
ECP5_PART_ulx3s-25f     := 25
ECP5_PART_ulx3s-45f     := 45
ECP5_PART_ulx3s-85f     := 85
ECP5_PART_colorlight_i5 := 25
ECP5_PART_colorlight_i9 := 45
ECP5_ARRAY_25           := 8x3
ECP5_ARRAY_45           := 16x3
ECP5_ARRAY_85           := 32x3
ECP5_MHZ_25             := 75
ECP5_MHZ_45             := 75
ECP5_MHZ_85             := 60
define ecp5_build
BOARD_MHZ_$(1)      := $(ECP5_MHZ_$(ECP5_PART_$(1)))
BOARD_TOPOLOGY_$(1) := $(ECP5_ARRAY_$(ECP5_PART_$(1)))-b17-r64
BOARD_TOP_$(1)      := cm_$(if $(filter ulx3s-%,$(1)),ulx3s,colorlight)_board
BOARD_TURNS_$(1)    := 1
BOARD_SYNTH_$(1)    := synth_ecp5 -noflatten
endef
$(foreach build,$(ECP5_BUILDS),$(eval $(call ecp5_build,$(build))))

ecp5_pins = constraints/$(firstword $(subst -, ,$(1))).lpf
# nextpnr takes the clock from the board's oscillator and the PLL, and fails when it is not met.
.PRECIOUS: build/bitstream/%.config
build/bitstream/%.config: build/bitstream/%.json constraints/route $(wildcard constraints/*.lpf)
	@echo "  PNR    $*"
	@$(call route,nextpnr-ecp5 --$(ECP5_PART_$*)k --package CABGA381 --speed 6 --json $< --lpf $(call ecp5_pins,$*) \
	    --textcfg $@.new)
	@mv $@.new $@

build/bitstream/%.bit: build/bitstream/%.config
	@ecppack --compress --input $< --bit $@

.PHONY: $(ECP5_BUILDS:%=bitstream-%) $(ECP5_BOARDS:%=program-%) bitstream-ulx3s
$(ECP5_BUILDS:%=bitstream-%): bitstream-%: topology-% build/bitstream/%.bit
	@constraints/nextpnr_report build/bitstream/$*.bit $(BOARD_MHZ_$*) build/bitstream/$*.report.json
bitstream-ulx3s: $(if $(filter ulx3s-$(PART),$(ECP5_BUILDS)),bitstream-ulx3s-$(PART),ulx3s-no-part)
.PHONY: ulx3s-no-part
ulx3s-no-part:
	@echo "PART=$(PART) is not a part of BOARD=ulx3s: 25f, 45f or 85f" >&2; exit 2

ecp5_bit = build/bitstream/$(1)$(if $(filter ulx3s,$(1)),-$(PART)).bit
$(ECP5_BOARDS:%=program-%): program-%: bitstream-%
	openFPGALoader -b $(subst _,-,$*) $(if $(SRAM),,-f) $(call ecp5_bit,$*)

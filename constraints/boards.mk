# Which flow builds for which board: `make bitstream BOARD=x` runs bitstream-x of the file for x (ice40.mk,
# ecp5.mk: yosys and nextpnr; vitis.mk: v++), and that file adds x to BOARDS.
.PHONY: bitstream program
bitstream: bitstream-$(BOARD) ## build the bitstream of a board (BOARD=hx8k, icebreaker, ulx3s, u55c, ...)
program: $(if $(filter $(PROGRAM_BOARDS),$(BOARD)),program-$(BOARD),program-none) ## load the bitstream into a board (BOARD=hx8k, icebreaker, ulx3s, ...)

# BOARD has a default for bitstreams, which cannot be programmed from here.
.PHONY: program-none
program-none:
	@echo "BOARD=$(BOARD) is not programmed by make; program knows BOARD=$(subst $(space), or BOARD=,$(strip \
	    $(sort $(PROGRAM_BOARDS))))" >&2; exit 2

bitstream-% program-%:
	@echo "BOARD=$* is not a board this target knows; bitstream knows: $(sort $(BOARDS));" \
	    "program knows: $(sort $(PROGRAM_BOARDS))" >&2; exit 2

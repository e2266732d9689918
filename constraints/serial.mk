# What boards behind a serial line share, whatever their part (ice40.mk, ecp5.mk). Those files give for each build x:
#   BOARD_TOP_x, BOARD_MHZ_x, BOARD_TURNS_x   top module in rtl/board, clock, p-bits that share an engine
#   BOARD_TOPOLOGY_x                          what the part holds
#   BOARD_SYNTH_x                             how Yosys maps it
SERIAL_BUILDS := $(ICE40_BOARDS) $(ECP5_BUILDS)
SERIAL_SOURCES := $(RING_SOURCES) $(wildcard rtl/board/*.sv)
# Of the serial line; the driver's own choice (host/device/uart/uart_port.hpp) unless it is given.
BAUD ?= 3000000
# nextpnr tries these one after the other until the clock is met.
SEEDS ?= 1 2 3 4 5 6 7 8

# The receiver samples a bit in its middle: it needs four clocks per bit, and a rate that the clock can be divided to
# (within 3 %).
.PHONY: $(SERIAL_BUILDS:%=baud-%)
$(SERIAL_BUILDS:%=baud-%): baud-%:
	@clock=$$(( $(BOARD_MHZ_$*) * 1000000 )); divider=$$(( (clock + $(BAUD) / 2) / $(BAUD) )); \
	off=$$(( divider == 0 ? clock : clock / divider - $(BAUD) )); off=$${off#-}; \
	if [ $$divider -lt 4 ] || [ $$(( off * 100 )) -gt $$(( 3 * $(BAUD) )) ]; then \
	  echo "BAUD=$(BAUD): $* has $$divider clocks of $(BOARD_MHZ_$*) MHz for a bit; expected" \
	    "4 or more, at a rate within 3 % of a whole division" >&2; exit 1; fi

# Another array would need another clock, or other folding.
.PHONY: $(SERIAL_BUILDS:%=topology-%)
$(SERIAL_BUILDS:%=topology-%): topology-%:
	@$(if $(filter-out file default,$(origin TOPOLOGY)),$(if $(filter-out $(BOARD_TOPOLOGY_$*) $(firstword \
	  $(subst -, ,$(BOARD_TOPOLOGY_$*))),$(TOPOLOGY)),\
	  echo "TOPOLOGY=$(TOPOLOGY): $* holds $(BOARD_TOPOLOGY_$*) and no other array" >&2; exit 2,:),:)

generated = $(addprefix $(OUT)/topology/$(BOARD_TOPOLOGY_$(1))/,topology_pkg.sv cm_stage_wiring.sv)
$(foreach build,$(SERIAL_BUILDS),$(eval build/bitstream/$(build).json build/lint/board/$(build).ok: $(call generated,$(build))))
$(SERIAL_BUILDS:%=build/bitstream/%.json): build/bitstream/%.json: $(SERIAL_SOURCES) constraints/serial.mk \
    constraints/ice40.mk constraints/ecp5.mk | baud-% topology-%
	@mkdir -p $(@D)
	@echo "  YOSYS  $*"
	@yosys -q -l build/bitstream/$*.yosys.log -p "read_verilog -sv -defer $(call generated,$*) $(SERIAL_SOURCES); \
	    hierarchy -top $(BOARD_TOP_$*) -chparam ClockMHz $(BOARD_MHZ_$*) -chparam Turns $(BOARD_TURNS_$*) \
	    -chparam Baud $(BAUD); rename -top $(BOARD_TOP_$*); \
	    $(BOARD_SYNTH_$*) -top $(BOARD_TOP_$*) -json $@.new" > build/bitstream/$*.out 2>&1 \
	    || { tail -n 5 build/bitstream/$*.out >&2; exit 1; }
	@mv $@.new $@

# $(call route,COMMAND): nextpnr with its report, from seed to seed.
route = constraints/route build/bitstream/$*.pnr.log "$(SEEDS)" $(1) --report build/bitstream/$*.report.json

# ---- lint: the boards as Verilator sees them, every warning -------------------------------------------
LINT_BUILDS := hx8k icebreaker ulx3s-25f colorlight_i5
lint: $(LINT_BUILDS:%=build/lint/board/%.ok)
$(LINT_BUILDS:%=build/lint/board/%.ok): build/lint/board/%.ok: $(SERIAL_SOURCES) sim/board/pll_models.sv
	@mkdir -p $(@D)
	@echo "  LINT   $* board"
	@$(VERILATOR) --lint-only -Wall -GClockMHz=$(BOARD_MHZ_$*) -GTurns=$(BOARD_TURNS_$*) --top-module $(BOARD_TOP_$*) \
	    -y $(OUT)/topology/$(BOARD_TOPOLOGY_$*) -y rtl/board $(OUT)/topology/$(BOARD_TOPOLOGY_$*)/topology_pkg.sv \
	    $(RTL_SEARCH) sim/board/pll_models.sv rtl/board/$(BOARD_TOP_$*).sv
	@touch $@

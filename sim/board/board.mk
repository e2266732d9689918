# The boards of constraints/ice40.mk, Verilated: the very RTL of the bitstreams, PLL aside, behind a
# pseudo-terminal.
UART_BOARDS := hx8k icebreaker
BOARD_BUSY_hx8k       := ((m).led >> 1 & 1)
BOARD_BUSY_icebreaker := (!(m).led_red_n)

$(OUT)/sim/board/%/model.a: $(RTL_SOURCES) $(wildcard rtl/board/*.sv) sim/board/pll_models.sv \
    $(addprefix $(OUT)/topology/5x2-t9-b17-w2-r16/,topology_pkg.sv stage_wiring.sv) \
    constraints/ice40.mk | sim-packages
	@echo "  VERIL  $* board"
	@rm -rf $(@D) && mkdir -p $(@D)
	@verilator --cc -O3 --prefix V$*_board --Mdir $(@D) --top-module $*_board \
	    -GClockMHz=$(ICE40_MHZ_$*) -GTurns=$(ICE40_TURNS_$*) -GBaud=$(ICE40_BAUD) \
	    -y $(OUT)/topology/$(ICE40_TOPOLOGY) -y rtl -y rtl/board \
	    $(OUT)/topology/$(ICE40_TOPOLOGY)/topology_pkg.sv sim/board/pll_models.sv \
	    rtl/board/$*_board.sv
	@cat $(@D)/*.cpp > $(@D)/all.cc
	@$(CXX) $(SIM_CXXFLAGS) -I$(@D) -c $(@D)/all.cc -o $(@D)/all.o
	@ar rcs $@ $(@D)/all.o

.PRECIOUS: $(OUT)/sim/board/%/model.a $(OUT)/sim/board/%/core.o
$(OUT)/sim/board/%/core.o: sim/board/verilated_board.cpp $(OUT)/sim/board/%/model.a
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) -Isim -isystem $(VERILATOR_ROOT)/include -isystem $(@D) \
	    -DBOARD_MODEL=V$*_board -DBOARD_NAME=$* '-DBOARD_BUSY(m)=$(BOARD_BUSY_$*)' \
	    -DBOARD_DIVIDER=$$(( $(ICE40_MHZ_$*) * 1000000 / $(ICE40_BAUD) )) -c $< -o $@

BOARD_SOURCES := sim/board/board_core.cpp sim/board/serial_pins.cpp sim/board/board_server.cpp
$(OUT)/sim/board/boards.o: $(BOARD_SOURCES:%.cpp=$(OUT)/obj/%.o) \
    $(UART_BOARDS:%=$(OUT)/sim/board/%/core.o) $(UART_BOARDS:%=$(OUT)/sim/board/%/model.a) \
    $(patsubst %,$(OUT)/sim/runtime/%.o,$(RUNTIME_plain))
	@echo "  LINK   $@"
	@ld -r -o $@ $(filter %.o,$^) --whole-archive $(filter %.a,$^)

$(OUT)/uart_board: $(OUT)/obj/sim/board/uart_board.o $(OUT)/sim/board/boards.o \
    $(OUT)/libchainmail.a
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(SIM_LDLIBS) -o $@

.PHONY: run-board
run-board: $(OUT)/uart_board ## a simulated iCE40 board on a pseudo-terminal (ARGS="--board icebreaker --stay")
	@$(OUT)/uart_board $(ARGS)

$(OUT)/tests/uart: $(OUT)/sim/board/boards.o | $(OUT)/uart_board $(OUT)/chainmail
$(OUT)/tests/uart: LDLIBS := $(SIM_LDLIBS)
$(OUT)/obj/tests/uart/%.o: CPPFLAGS += -Isim
build/lint/sim/board/%.ok build/lint/tests/uart/%.ok: CPPFLAGS += -Isim
build/lint/sim/board/verilated_board.ok: $(OUT)/sim/board/hx8k/model.a
build/lint/sim/board/verilated_board.ok: CPPFLAGS += -isystem $(VERILATOR_ROOT)/include \
    -isystem $(OUT)/sim/board/hx8k -DBOARD_MODEL=Vhx8k_board -DBOARD_NAME=hx8k \
    '-DBOARD_BUSY(m)=$(BOARD_BUSY_hx8k)' -DBOARD_DIVIDER=16

# Boards with a serial line (constraints/serial.mk), Verilated: the RTL of the bitstreams except for the PLL, behind a
# pseudo-terminal. And one that no bitstream is made of, with what larger arrays bring: states of two words, frames of a
# kilobyte, p-bits without neighbours.
UART_BOARDS := hx8k icebreaker ulx3s-25f wide
BOARD_TOP_wide        := cm_ulx3s_board
BOARD_MHZ_wide        := 50
BOARD_TURNS_wide      := 1
BOARD_TOPOLOGY_wide   := 10x8-b17-w2-r16
# The LED that is lit during a frame.
board_busy = '-DBOARD_BUSY(m)=$(if $(filter icebreaker,$(1)),(!(m).led_red_n),((m).led >> 1 & 1))'
# Longer frames go over a faster line: four clocks a bit.
BOARD_BAUD_wide       := $(BOARD_MHZ_wide)000000 / 4
board_baud = $$(( $(or $(BOARD_BAUD_$(1)),$(BAUD)) ))
board_divider = $$(( ($(BOARD_MHZ_$(1)) * 1000000 + $(call board_baud,$(1)) / 2) / $(call board_baud,$(1)) ))
board_model = V$(subst -,_,$(1))_board

$(foreach board,$(UART_BOARDS),$(eval $(OUT)/sim/board/$(board)/model.a: $(call generated,$(board))))
$(OUT)/sim/board/%/model.a: sim/board/board.mk sim/sim.mk constraints/ice40.mk constraints/ecp5.mk
	@echo "  VERIL  $* board"
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) --cc -O3 $(RTL_WARNINGS) --prefix $(call board_model,$*) --Mdir $(@D) --top-module $(BOARD_TOP_$*) \
	    -GClockMHz=$(BOARD_MHZ_$*) -GTurns=$(BOARD_TURNS_$*) -GBaud=$(call board_baud,$*) \
	    -y $(OUT)/topology/$(BOARD_TOPOLOGY_$*) -y rtl/board \
	    $(OUT)/topology/$(BOARD_TOPOLOGY_$*)/topology_pkg.sv $(RTL_SEARCH) sim/board/pll_models.sv \
	    rtl/board/$(BOARD_TOP_$*).sv
	@cat $(@D)/*.cpp > $(@D)/all.cc
	@cd $(@D) && $(CXX) $(SIM_CXXFLAGS) -I. -c all.cc -o all.o
	$(keep_sources)
	@ar rcs $@ $(@D)/all.o

.PRECIOUS: $(OUT)/sim/board/%/model.a $(OUT)/sim/board/%/core.o
$(OUT)/sim/board/%/core.o: sim/board/verilated_board.cpp $(OUT)/sim/board/%/model.a
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) -Isim -isystem $(VERILATOR_ROOT)/include -isystem $(@D) \
	    -DBOARD_MODEL=$(call board_model,$*) -DBOARD_NAME=$* $(call board_busy,$*) \
	    -DBOARD_DIVIDER=$(call board_divider,$*) -c $< -o $@

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
run-board: $(OUT)/uart_board ## a simulated board on a pseudo-terminal (ARGS="--board icebreaker --stay")
	@$(OUT)/uart_board $(ARGS)

$(OUT)/obj/sim/board/gate_level.o build/lint/sim/board/gate_level.ok: \
    private CPPFLAGS += -DBOARD_TOPOLOGY='"$(ICE40_TOPOLOGY)"'

# The tests compare with the emulated kernel of the same topology.
$(OUT)/tests/uart: $(OUT)/obj/tests/rtl/random_burst.o $(OUT)/sim/board/boards.o \
    | $(OUT)/uart_board $(OUT)/chainmail $(OUT)/chainmail-xrt $(OUT)/libchainmail_emu.so \
    $(OUT)/emu/5x2-t9-b17-w2-r16.sw_emu.xclbin
$(OUT)/tests/uart: private LDLIBS := $(SIM_LDLIBS)
$(OUT)/tests/uart: | build/bitstream/ulx3s-25f.json
$(OUT)/obj/tests/uart/%.o: private CPPFLAGS += -Isim
build/lint/sim/board/%.ok build/lint/tests/uart/%.ok: private CPPFLAGS += -Isim
build/lint/sim/board/verilated_board.ok: $(OUT)/sim/board/hx8k/model.a
build/lint/sim/board/verilated_board.ok: private CPPFLAGS += -isystem $(VERILATOR_ROOT)/include \
    -isystem $(OUT)/sim/board/hx8k -DBOARD_MODEL=Vhx8k_board -DBOARD_NAME=hx8k \
    $(call board_busy,hx8k) -DBOARD_DIVIDER=16

# ---- gate level: what synthesis made, simulated beside the RTL --------------------------------------
# Whole boards (minutes: make gate-level BOARD=...), and one engine, which is quick, in the tests.
ICE40_CELLS := /usr/share/yosys/ice40/cells_sim.v
NETLIST_FLAGS := -Wno-fatal -Wno-lint -Wno-MODDUP -DNO_ICE40_DEFAULT_ASSIGNMENTS=1
# Optimising thousands of cells takes minutes and gains little.
NETLIST_CXXFLAGS = $(filter-out -O1,$(SIM_CXXFLAGS)) -O0

$(OUT)/sim/netlist/%/model.a: build/bitstream/%_netlist.v sim/board/pll_models.sv
	@echo "  VERIL  $* netlist"
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) --cc $(NETLIST_FLAGS) --prefix V$*_netlist --Mdir $(@D) --top-module cm_$*_board \
	    sim/board/pll_models.sv $< $(ICE40_CELLS) 2> $(@D)/log || { cat $(@D)/log; exit 1; }
	@cat $(@D)/*.cpp > $(@D)/all.cc
	@$(CXX) $(NETLIST_CXXFLAGS) -I$(@D) -c $(@D)/all.cc -o $(@D)/all.o
	@ar rcs $@ $(@D)/all.o
.PRECIOUS: $(OUT)/sim/netlist/%/model.a build/bitstream/%_netlist.v
$(OUT)/sim/netlist/%/core.o: sim/board/verilated_board.cpp $(OUT)/sim/netlist/%/model.a
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) -Isim -isystem $(VERILATOR_ROOT)/include -isystem $(@D) \
	    -DBOARD_MODEL=V$*_netlist -DBOARD_NAME=$*-netlist $(call board_busy,$*) \
	    -DBOARD_DIVIDER=$(call board_divider,$*) -c $< -o $@
$(OUT)/sim/netlist/%/gate_level: $(OUT)/obj/sim/board/gate_level.o $(OUT)/sim/netlist/%/core.o \
    $(OUT)/sim/board/boards.o $(OUT)/sim/netlist/%/model.a $(OUT)/libchainmail.a
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(SIM_LDLIBS) -o $@
.PHONY: gate-level
gate-level: $(OUT)/sim/netlist/$(BOARD)/gate_level ## the netlist of a board equals its RTL, clock by clock (BOARD=hx8k)
	@$< $(BOARD)

ENGINE := $(OUT)/sim/netlist/engine
$(ENGINE)/netlist.v: sim/board/engine.sv $(RING_SOURCES) $(OUT)/topology/5x2-t9-b17-w2-r16/topology_pkg.sv
	@mkdir -p $(@D)
	@echo "  YOSYS  engine"
	@yosys -q -l $(@D)/yosys.log -p "read_verilog -sv -defer $(OUT)/topology/$(ICE40_TOPOLOGY)/*.sv \
	    $(RING_SOURCES) sim/board/engine.sv; synth_ice40 -dsp -top engine; \
	    write_verilog -noattr -noexpr $@" > $(@D)/yosys.out 2>&1 || { tail -5 $(@D)/yosys.out; exit 1; }
$(ENGINE)/rtl.a: sim/board/engine.sv $(RING_SOURCES) $(OUT)/topology/5x2-t9-b17-w2-r16/topology_pkg.sv
	@rm -rf $(ENGINE)/rtl && mkdir -p $(ENGINE)/rtl
	@$(VERILATOR) --cc --prefix Vengine_rtl --Mdir $(ENGINE)/rtl --top-module engine \
	    $(OUT)/topology/$(ICE40_TOPOLOGY)/topology_pkg.sv $(RTL_SEARCH) sim/board/engine.sv
	@cat $(ENGINE)/rtl/*.cpp > $(ENGINE)/rtl/all.cc
	@$(CXX) $(NETLIST_CXXFLAGS) -I$(ENGINE)/rtl -c $(ENGINE)/rtl/all.cc -o $(ENGINE)/rtl/all.o
	@ar rcs $@ $(ENGINE)/rtl/all.o
$(ENGINE)/gates.a: $(ENGINE)/netlist.v
	@rm -rf $(ENGINE)/gates && mkdir -p $(ENGINE)/gates
	@$(VERILATOR) --cc $(NETLIST_FLAGS) --prefix Vengine_gates --Mdir $(ENGINE)/gates \
	    --top-module engine $< $(ICE40_CELLS) 2> $(ENGINE)/log || { cat $(ENGINE)/log; exit 1; }
	@cat $(ENGINE)/gates/*.cpp > $(ENGINE)/gates/all.cc
	@$(CXX) $(NETLIST_CXXFLAGS) -I$(ENGINE)/gates -c $(ENGINE)/gates/all.cc -o $(ENGINE)/gates/all.o
	@ar rcs $@ $(ENGINE)/gates/all.o
$(OUT)/tests/uart: $(ENGINE)/rtl.a $(ENGINE)/gates.a
$(OUT)/obj/tests/uart/gate_level_test.o: $(ENGINE)/rtl.a $(ENGINE)/gates.a
$(OUT)/obj/tests/uart/gate_level_test.o: private CPPFLAGS += -isystem $(VERILATOR_ROOT)/include \
    -isystem $(ENGINE)/rtl -isystem $(ENGINE)/gates
build/lint/tests/uart/gate_level_test.ok: $(ENGINE)/rtl.a $(ENGINE)/gates.a
build/lint/tests/uart/gate_level_test.ok: private CPPFLAGS += -isystem $(VERILATOR_ROOT)/include \
    -isystem $(ENGINE)/rtl -isystem $(ENGINE)/gates

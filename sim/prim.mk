# Primitives of the RTL, Verilated one by one for the benches of tests/prim: name, module, parameters.
PRIM_fifo          := cm_sync_fifo -GWidth=8 -GDepth=4
PRIM_splitter      := cm_axi_burst_splitter
PRIM_addresses     := cm_axi_address_channel -GMaxBeats=8
PRIM_writer        := cm_axi_write_master -GMaxBeats=8
PRIM_reader        := cm_axi_read_master -GMaxBeats=8
PRIM_loader        := cm_load_unit -GStateWords=2 -GAddressBits=4
PRIM_crc           := cm_crc32
PRIM_receiver      := cm_uart_receiver
PRIM_sender        := cm_uart_sender
PRIM_frame_in      := cm_frame_receiver
PRIM_frame_out     := cm_frame_sender
PRIM_popcount      := cm_popcount -GInputs=33 -GOutWidth=6 -GLevels=3
PRIM_threshold     := cm_logistic_threshold
PRIM_decision_none := cm_decision -GLinks=0 -GWideAdd="1'b0"
PRIM_decision_one  := cm_decision -GLinks=1 -GWideAdd="1'b0"
PRIM_decision_two  := cm_decision -GLinks=2 -GWideAdd="1'b0"
PRIM_decision_any  := cm_decision -GLinks=3 -GWideAdd="1'b0"
PRIM_decision_wide := cm_decision -GLinks=2
PRIM_energy        := cm_energy_sum -GMembers=5 -GFieldBits=9 -GSumBits=12 -GLevels=3
PRIM_capture       := cm_best_capture -GEnergyBits=12 -GViolationBits=4 -GReplicas=8
PRIM_capture_fast  := cm_best_capture -GEnergyBits=12 -GViolationBits=4 -GReplicas=8 -GLead=2
PRIM_sequencer     := cm_slot_sequencer -GDepth=5 -GIndexBits=4
PRIM_row_sequencer := cm_row_sequencer -GDepth=5 -GSlotBits=3 -GRowBits=3
PRIM_row_stream    := cm_row_stream -GRecordBeats=2 -GMaxRows=4 -GImageMark="32'hcafe1234" -GQueueBeats=4
PRIMS       := $(patsubst PRIM_%,%,$(filter PRIM_%,$(.VARIABLES)))
PRIM_MODELS := $(PRIMS:%=$(OUT)/sim/prim/%/model.a)
PRIM_PACKAGE := $(OUT)/topology/5x2-t9-b17-w2-r16/topology_pkg.sv

$(PRIM_MODELS): $(OUT)/sim/prim/%/model.a: $(PRIM_PACKAGE) sim/prim.mk sim/sim.mk
	@echo "  VERIL  $(firstword $(PRIM_$*)) alone"
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) --cc $(VERILATE_ASSERT) $(wordlist 2,9,$(PRIM_$*)) --prefix V$* --Mdir $(@D) \
	    --top-module $(firstword $(PRIM_$*)) $(PRIM_PACKAGE) $(RTL_SEARCH) \
	    $(wildcard rtl/*/$(firstword $(PRIM_$*)).sv)
	@cat $(@D)/*.cpp > $(@D)/all.cc
	@cd $(@D) && $(CXX) $(SIM_CXXFLAGS) -I. -c all.cc -o all.o
	$(keep_sources)
	@ar rcs $@ $(@D)/all.o

PRIM_TESTS := $(wildcard tests/prim/*.cpp)
PRIM_FLAGS := -isystem $(VERILATOR_ROOT)/include $(PRIMS:%=-isystem $(OUT)/sim/prim/%)
$(PRIM_TESTS:%.cpp=$(OUT)/obj/%.o) $(PRIM_TESTS:%.cpp=build/lint/%.ok): $(PRIM_MODELS)
$(PRIM_TESTS:%.cpp=$(OUT)/obj/%.o) $(PRIM_TESTS:%.cpp=build/lint/%.ok): private CPPFLAGS += $(PRIM_FLAGS)
$(OUT)/tests/prim: $(PRIM_MODELS) $(patsubst %,$(SIM)/runtime/%.o,$(RUNTIME_plain))

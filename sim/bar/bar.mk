# The custom logic of an F2 instance (rtl/bar), Verilated, behind traps in place of BARs: build/chainmail_f2 is the
# program on a machine that has two.
CL_TOPOLOGIES := 8x3-b17-r64 16-flips
cl_model = Vcl_$(subst -,_,$(1))
CL_FLAGS  = -DCM_KERNEL=$(call kernel_of,$*) -Isim/bar/hdk -Irtl/bar -y rtl/bar -y $(OUT)/topology/$* \
            $(OUT)/topology/$*/topology_pkg.sv $(OUT)/topology/$*/cm_bar_pkg.sv $(RTL_SEARCH)

CL_MODELS := $(CL_TOPOLOGIES:%=$(OUT)/sim/cl/%/model.a)
$(CL_MODELS): $(OUT)/sim/cl/%/model.a: $(OUT)/topology/%/topology_pkg.sv $(OUT)/topology/%/cm_stage_wiring.sv \
    $(OUT)/topology/%/cm_bar_pkg.sv sim/bar/bar.mk sim/sim.mk
	@echo "  VERIL  $* custom logic"
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) --cc -O3 $(RTL_WARNINGS) $(VERILATE_ASSERT) --prefix $(call cl_model,$*) --Mdir $(@D) \
	    --top-module cl_chainmail $(CL_FLAGS) rtl/bar/cl_chainmail.sv
	@cat $(@D)/*.cpp > $(@D)/all.cc
	@cd $(@D) && $(CXX) $(SIM_CXXFLAGS) -I. -c all.cc -o all.o
	$(keep_sources)
	@ar rcs $@ $(@D)/all.o
-include $(wildcard $(OUT)/sim/cl/*/model.d)

$(CL_TOPOLOGIES:%=$(OUT)/sim/cl/%/core.o): $(OUT)/sim/cl/%/core.o: sim/bar/verilated_cl.cpp $(OUT)/sim/cl/%/model.a
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) -Isim -isystem $(VERILATOR_ROOT)/include -isystem $(@D) \
	    -DCL_MODEL=$(call cl_model,$*) -DCL_NAME=$* -c $< -o $@

CL_SOURCES := sim/bar/cl_core.cpp sim/bar/shell_model.cpp sim/bar/simulated_f2.cpp
$(OUT)/sim/cl/shell.o: $(CL_SOURCES:%.cpp=$(OUT)/obj/%.o) $(CL_TOPOLOGIES:%=$(OUT)/sim/cl/%/core.o) $(CL_MODELS) \
    $(patsubst %,$(OUT)/sim/runtime/%.o,$(RUNTIME_plain))
	@echo "  LINK   $@"
	@ld -r -o $@ $(filter %.o,$^) --whole-archive $(filter %.a,$^)

$(OUT)/chainmail_f2: $(OUT)/obj/host/main.o $(OUT)/obj/sim/bar/two_slots.o $(OUT)/sim/cl/shell.o $(OUT)/libcommands.a \
    $(OUT)/libchainmail.a
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(LDLIBS) -o $@

$(OUT)/tests/bar: $(OUT)/obj/tests/rtl/random_burst.o $(OUT)/sim/cl/shell.o | $(OUT)/chainmail_f2
$(OUT)/tests/bar: private LDLIBS := $(SIM_LDLIBS)
$(OUT)/obj/sim/bar/%.o $(OUT)/obj/tests/bar/%.o build/lint/sim/bar/%.ok build/lint/tests/bar/%.ok: private CPPFLAGS += -Isim
build/lint/sim/bar/verilated_cl.ok: $(OUT)/sim/cl/16-flips/model.a
build/lint/sim/bar/verilated_cl.ok: private CPPFLAGS += -isystem $(VERILATOR_ROOT)/include -isystem $(OUT)/sim/cl/16-flips \
    -DCL_MODEL=$(call cl_model,16-flips) -DCL_NAME=flips

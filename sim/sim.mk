# The Verilated kernels: one model per topology, all in one object that tests, the standalone simulator and the emulator
# link. The native HLS kernels of the same topologies are the reference. 33x2 has more p-bits than a word of the bus.
SIM_TOPOLOGIES ?= 5x2 8x3 16x2 16x3 16x1 33x2 5x2-t9-b17-w2-r16 lattice-3x3 graph-6-84c9a448 $(SIM_ROWS) $(SIM_FLIPS)
# The row kernel: one lane and several, sizes that fill their last word, beat and group, and others.
SIM_ROWS ?= 16-rows 16-rows-l4-b17-w2-r24 40-rows-l2 64-rows-l4-r16 100-rows-l8 128-rows 256-rows \
    16-rows-f2 40-rows-l2-f4 40-rows-p 16-rows-l4-b17-w2-r24-f4-m4-p-g 64-rows-l4-r16-g
# The flip kernel: fewer and more replicas than a pass takes clocks, fields in LUTs and in block RAM, one chunk and several.
SIM_FLIPS ?= 16-flips-r5-b17 16-flips-r70 64-flips 64-flips-w64-r40 16-flips-r5-b17-p 64-flips-p 16-flips-r5-b17-f2 16-flips-r5-f4-m4-p \
    64-flips-f4-p 16-flips-r27-g 64-flips-f4-p-g
VERILATOR_ROOT := /usr/share/verilator

# Modules assert what they rely on if CM_ASSERT is defined, which is only in simulation.
VERILATE_ASSERT := --assert -DCM_ASSERT
# VARIANT of the models: plain, wave (records waveforms), coverage, or large (the full-size kernel).
VARIANT ?= plain
VERILATE_large    :=
RUNTIME_large     := verilated verilated_threads
VERILATE_plain    :=
VERILATE_wave     := --trace
VERILATE_coverage := --coverage-line --coverage-toggle
RUNTIME_plain     := verilated verilated_threads
RUNTIME_wave      := $(RUNTIME_plain) verilated_vcd_c
RUNTIME_coverage  := $(RUNTIME_plain) verilated_cov
SIM := $(OUT)/sim$(if $(filter-out plain,$(VARIANT)),-$(VARIANT))

# -O1 builds in half the time of -Os and simulates as fast: the code of a p-bit array is large and straight-line.
SIM_CXXFLAGS := -std=c++20 $(if $(filter coverage,$(VARIANT)),-O0,-O1) -w -DVL_TIME_CONTEXT -isystem $(VERILATOR_ROOT)/include \
                -isystem $(VERILATOR_ROOT)/include/vltstd
# Both forms of the decision's adder are simulated.
$(SIM)/16x2/model.a $(SIM)/5x2-t9-b17-w2-r16/model.a $(SIM)/40-rows-l2/model.a $(SIM)/64-flips/model.a: private VERILATE_FLAGS := -GWideAdd="1'b0"
model = V$(call kernel_of,$(1))_$(subst -,_,$(1))
top_of = rtl/$(if $(findstring -flips,$(1)),flips,$(if $(findstring -rows,$(1)),rows,array))/$(call kernel_of,$(1)).sv

# The iCE40 build's kernel with shared engines: as on the boards, and with two engines per colour.
SIM_FOLDED := 5x2-t9-b17-w2-r16-turns5 5x2-t9-b17-w2-r16-turns3
$(SIM)/%-turns5/model.a: private VERILATE_FLAGS := -GWideAdd="1'b0" -GTurns=5
$(SIM)/%-turns3/model.a: private VERILATE_FLAGS := -GTurns=3
define folded_topology
$(addprefix $(OUT)/topology/$(1)/,topology_pkg.sv cm_stage_wiring.sv): \
    $(OUT)/topology/$(1)/%: $(OUT)/topology/$(firstword $(subst -turns, ,$(1)))/%
	@mkdir -p $$(@D) && cp $$< $$@
endef
$(foreach name,$(SIM_FOLDED),$(eval $(call folded_topology,$(name))))

# The same kernel with one operator changed, to show that the comparison would notice.
SIM_MUTANT := 5x2-mutant
$(OUT)/mutant/cm_logistic_threshold.sv: rtl/pbit/cm_logistic_threshold.sv
	@mkdir -p $(@D)
	@sed 's/place_q *<= base + /place_q <= base - /' $< > $@
	@! cmp -s $< $@
$(SIM)/$(SIM_MUTANT)/model.a: $(OUT)/mutant/cm_logistic_threshold.sv
$(SIM)/$(SIM_MUTANT)/model.a: private VERILATE_FLAGS := -y $(OUT)/mutant  # found before rtl/pbit
$(addprefix $(OUT)/topology/$(SIM_MUTANT)/,topology_pkg.sv cm_stage_wiring.sv): \
    $(OUT)/topology/$(SIM_MUTANT)/%: $(OUT)/topology/5x2/%
	@mkdir -p $(@D) && cp $< $@

# A model's dependencies, as Verilator reports them: a change elsewhere in the RTL does not rebuild it.
keep_sources = @awk '{ sub(/^.* : /, ""); for (i = 1; i <= NF; ++i) \
    if ($$i !~ /^\/usr\//) print "$@: " $$i "\n" $$i ":" }' $(@D)/*__ver.d > $(@D)/model.d
-include $(wildcard $(SIM)/*/model.d $(OUT)/sim/prim/*/model.d $(OUT)/sim/board/*/model.d)

$(SIM)/%/model.a: $(OUT)/topology/%/topology_pkg.sv $(OUT)/topology/%/cm_stage_wiring.sv sim/sim.mk
	@echo "  VERIL  $*"
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) --cc -O3 $(RTL_WARNINGS) $(VERILATE_ASSERT) $(VERILATE_$(VARIANT)) $(VERILATE_FLAGS) --prefix $(call model,$*) --Mdir $(@D) \
	    --top-module $(call kernel_of,$*) -y $(OUT)/topology/$* $(OUT)/topology/$*/topology_pkg.sv \
	    $(RTL_SEARCH) $(call top_of,$*)
	@cat $(@D)/*.cpp > $(@D)/all.cc
	@cd $(@D) && $(CXX) $(SIM_CXXFLAGS) -I. -c all.cc -o all.o
	$(keep_sources)
	@ar rcs $@ $(@D)/all.o

$(SIM)/%/core.o: sim/verilated_core.cpp $(SIM)/%/model.a
	@echo "  CORE   $*"
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) -Isim -isystem $(VERILATOR_ROOT)/include -isystem $(@D) \
	    -DCORE_MODEL=$(call model,$*) -DCORE_NAME=$* -DCORE_ROWS=$(if $(findstring -rows,$*),1,0) \
	    -DCORE_TRACE=$(if $(filter wave,$(VARIANT)),1,0) \
	    -DCORE_COVERAGE=$(if $(filter coverage,$(VARIANT)),1,0) -c $< -o $@

$(SIM)/runtime/%.o:
	@mkdir -p $(@D)
	@$(CXX) $(SIM_CXXFLAGS) -c $(VERILATOR_ROOT)/include/$*.cpp -o $@

SIM_SOURCES := $(filter-out sim/verilated_core.cpp sim/run_rtl.cpp,$(wildcard sim/*.cpp))
SIM_OBJECTS := $(SIM_SOURCES:%.cpp=$(OUT)/obj/%.o)
$(OUT)/obj/sim/%.o: private CPPFLAGS += -Isim
SIM_CORES   := $(SIM_TOPOLOGIES) $(if $(filter plain,$(VARIANT)),$(SIM_MUTANT) $(SIM_FOLDED))
$(SIM)/cores: always
	@mkdir -p $(@D)
	@echo '$(SIM_CORES)' > $@.new
	@$(if_changed)
# One relocatable object, since every model must be linked though nothing refers to it; relinked when the list changes.
$(SIM)/rtl_sim.o: $(SIM)/cores $(SIM_OBJECTS) $(SIM_CORES:%=$(SIM)/%/core.o) \
    $(SIM_CORES:%=$(SIM)/%/model.a) $(patsubst %,$(SIM)/runtime/%.o,$(RUNTIME_$(VARIANT)))
	@echo "  LINK   $@"
	@ld -r -o $@ $(filter %.o,$^) --whole-archive $(filter %.a,$^)

include sim/prim.mk

# Programs that need the models: they come after the host library on the command line, so it is listed again.
SIM_LDLIBS := $(OUT)/libchainmail.a $(LDLIBS)
$(OUT)/tests/rtl: $(SIM)/rtl_sim.o
$(OUT)/tests/rtl: private LDLIBS := $(SIM_LDLIBS)
$(OUT)/obj/tests/rtl/%.o: private CPPFLAGS += -Isim

$(SIM)/run_rtl: $(OUT)/obj/sim/run_rtl.o $(SIM)/rtl_sim.o $(OUT)/libchainmail.a
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(SIM_LDLIBS) -o $@

# A memory as slow as a card's under load.
ROWS_ARGS ?= --topology 256-rows --beta-max 0.5 --latency 150 --stall 0.5
LONG_TOPOLOGIES ?= 100x3 1024-rows 100-rows-l8-f2-p-g 256-flips 1024-flips-w64 lattice-5x5x5 lattice-8x8x8 graph-200-48f7e4e9
.PHONY: run-rtl run-rows wave coverage rtl-long rtl-sequences
run-rows: $(SIM)/run_rtl ## run a problem on the Verilated row kernel (ROWS_ARGS="--topology 256-rows ...")
	@$(SIM)/run_rtl $(ROWS_ARGS)
run-rtl: $(SIM)/run_rtl ## run a problem on the Verilated kernel (ARGS="--topology 16x3 ...")
	@$(SIM)/run_rtl $(ARGS)

WAVE_TOPOLOGY ?= 5x2
wave: ## record a short burst of the Verilated kernel in build/wave.vcd
	@$(MAKE) --no-print-directory VARIANT=wave SIM_TOPOLOGIES=$(WAVE_TOPOLOGY) $(OUT)/sim-wave/run_rtl
	@$(OUT)/sim-wave/run_rtl --topology $(WAVE_TOPOLOGY) --replicas 8 --sweeps 4 --bursts 1 \
	    --wave build/wave.vcd
	@echo "waveforms: build/wave.vcd (gtkwave build/wave.vcd)"

# Two colours with one and two tables, many colours with early and late tables; the row kernel with each of its
# options alone and with all of them.
COVERAGE_TOPOLOGIES := 5x2 8x3 16x1 40-rows-l2 16-rows-f2 40-rows-p 64-rows-l4-r16-g 16-rows-l4-b17-w2-r24-f4-m4-p-g
coverage: ## line and toggle coverage of the RTL by its tests
	@$(MAKE) --no-print-directory VARIANT=coverage SIM_TOPOLOGIES="$(COVERAGE_TOPOLOGIES)" \
	    $(OUT)/sim-coverage/tests
	@rm -rf $(OUT)/rtl-coverage && mkdir -p $(OUT)/rtl-coverage
	@CHAINMAIL_COVERAGE=$(OUT)/rtl-coverage $(OUT)/sim-coverage/tests \
	    "$(subst $() $(),$(comma),$(COVERAGE_TOPOLOGIES:%=[%]))"
	@sim/coverage_report $(OUT)/rtl-coverage

$(SIM)/tests: $(OUT)/obj/tests/main.o \
    $(patsubst %.cpp,$(OUT)/obj/%.o,$(wildcard tests/rtl/*.cpp)) $(OUT)/libchainmail.a $(SIM)/rtl_sim.o
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(SIM_LDLIBS) $(CATCH2_LDLIBS) -o $@

rtl-long: ## 100x3, 1024-rows, eight lanes with all constraints, large flip kernels and wired arrays in Verilator against the HLS kernel, bit for bit (takes minutes to build)
	@$(MAKE) --no-print-directory VARIANT=large SIM_TOPOLOGIES="$(LONG_TOPOLOGIES)" $(OUT)/sim-large/tests
	@$(OUT)/sim-large/tests "[.long]"

rtl-sequences: $(OUT)/tests/rtl ## 39,000 random calls, errors and resets on the Verilated kernels against the native ones
	@$< "[.sequences]"

build/lint/sim/%.ok build/lint/tests/rtl/%.ok: private CPPFLAGS += -Isim
build/lint/sim/verilated_core.ok: $(OUT)/sim/5x2/model.a
build/lint/sim/verilated_core.ok: private CPPFLAGS += -isystem $(VERILATOR_ROOT)/include \
    -isystem $(OUT)/sim/5x2 -DCORE_MODEL=$(call model,5x2) -DCORE_NAME=5x2 -DCORE_ROWS=0

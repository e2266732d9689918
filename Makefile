# Chainmail's one build entry: `make help` lists what it does.
#   BUILD=release|debug|asan picks the flavour; release lands in build/, the others in build/<flavour>/.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:  # keep what lies between sources and results: it is not built twice
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

BUILD ?= release
FLAGS_release := -O3 -DNDEBUG
FLAGS_debug   := -O0
FLAGS_asan    := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
                 -Wno-maybe-uninitialized  # false alarms inside libstdc++ with sanitizers (GCC 12)
ifeq ($(FLAGS_$(BUILD)),)
$(error BUILD=$(BUILD) is not one of release, debug, asan)
endif
OUT := build$(if $(filter-out release,$(BUILD)),/$(BUILD))

# ---- what must be installed ------------------------------------------------------------------
BUILD_PACKAGES := g++ pkg-config libboost-program-options-dev libboost-iostreams-dev libhwy-dev \
                  libfmt-dev nlohmann-json3-dev
TEST_PACKAGES  := catch2 libxml2-utils
LINT_PACKAGES  := clang-tidy clang-format

# ---- host program ----------------------------------------------------------------------------
CXX      := g++
VERSION  := 0.1.0
# GCC 12 sees overlapping copies in `"text" + std::string` that are not there (its bug 105651).
CXXFLAGS := -std=c++20 -g $(FLAGS_$(BUILD)) -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
            -Wno-restrict -Werror
CPPFLAGS := -Ihost -DCHAINMAIL_VERSION='"$(VERSION)"'
LDLIBS   := -lboost_program_options -lboost_iostreams -lhwy -lfmt -pthread

HOST_SOURCES := $(sort $(filter-out host/main.cpp host/device/xrt/worker/%,\
                    $(shell find host -name '*.cpp')))
HOST_OBJECTS := $(HOST_SOURCES:%.cpp=$(OUT)/obj/%.o)
# One test program for each folder below tests/, so that they build and run in parallel.
TEST_NAMES   := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard tests/*/*.cpp)))))
TEST_BINS    := $(TEST_NAMES:%=$(OUT)/tests/%)
TEST_OBJECTS := $(patsubst %.cpp,$(OUT)/obj/%.o,$(wildcard tests/*.cpp tests/*/*.cpp))

.PHONY: all
all: $(OUT)/chainmail ## build the host program, build/chainmail

$(OUT)/chainmail: $(OUT)/obj/host/main.o $(OUT)/libchainmail.a
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(LDLIBS) -o $@

$(OUT)/libchainmail.a: $(HOST_OBJECTS)
	@echo "  AR     $@"
	@rm -f $@ && ar rcs $@ $^

$(OUT)/obj/%.o: %.cpp | build-packages
	@mkdir -p $(@D)
	@echo "  C++    $<"
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(CXXFLAGS_$*) -MMD -MP -c $< -o $@

-include $(shell find $(OUT)/obj -name '*.d' 2>/dev/null)

include hls/hls.mk
include rtl/rtl.mk
include sim/sim.mk
include sim/board/board.mk
include sim/xrt/xrt.mk
include tests/mutants/mutants.mk
include $(sort $(wildcard constraints/*.mk))

.PHONY: build-packages test-packages
build-packages:
	@.ci/install $(BUILD_PACKAGES)
test-packages: build-packages
	@.ci/install $(TEST_PACKAGES)

# ---- tests -----------------------------------------------------------------------------------
$(TEST_OBJECTS): | test-packages
# The code under test is optimised, the tests themselves need not be: they compile twice as fast.
ifeq ($(BUILD),release)
$(TEST_OBJECTS): private CXXFLAGS += -O1
endif
.SECONDEXPANSION:
$(TEST_BINS): $(OUT)/tests/%: $(OUT)/obj/tests/main.o \
    $$(addprefix $(OUT)/obj/,$$(addsuffix .o,$$(basename $$(wildcard tests/$$*/*.cpp)))) \
    $(OUT)/libchainmail.a
	@mkdir -p $(@D)
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(LDLIBS) -o $@

.PHONY: test
test: $(TEST_BINS) $(OUT)/chainmail ## install what is missing, build, run every test
	@CHAINMAIL=$(abspath $(OUT)/chainmail) tests/run $(TEST_BINS)

# ---- demo and figures ------------------------------------------------------------------------
DEMO := build/demo
.PHONY: demo
demo: $(OUT)/chainmail ## solve a planted problem on the CPU and write a report with plots
	@mkdir -p $(DEMO)
	@$(OUT)/chainmail generate wishart -n 50 --alpha 0.75 --seed 3 -o $(DEMO)/problem.json
	@$(OUT)/chainmail solve $(DEMO)/problem.json --copies 3 --sweeps 1000000 \
	  --json $(DEMO)/result.json --report $(DEMO)/report.html

# The paper's experiments and ours beside them: records, CSV, SVG and PNG below $(FIGURES).
FIGURES := build/figures
FIGURE_PACKAGES := librsvg2-bin
REPRODUCE = $(OUT)/chainmail reproduce
.PHONY: figures figures-board
figures: $(OUT)/chainmail ## the paper's figures with verdicts (40 minutes)
figures: $(OUT)/chainmail-xrt $(OUT)/libchainmail_emu.so $(OUT)/emu/5x2.sw_emu.xclbin \
    $(OUT)/emu/5x2.hw_emu.xclbin
	@.ci/install $(FIGURE_PACKAGES)
	@start=$$SECONDS; $(REPRODUCE) all --out $(FIGURES); \
	for device in sw_emu hw_emu; do $(REPRODUCE) fig2 --device $$device --out $(FIGURES); done; \
	for plot in $(FIGURES)/*/*.svg; do \
	  rsvg-convert --zoom 1.25 --background-color white -o "$${plot%.svg}.png" "$$plot"; done; \
	echo "figures: $$(((SECONDS - start) / 60)) min $$(((SECONDS - start) % 60)) s in all, in $(FIGURES)"

# Takes what `make figures` left into the documentation.
DOC_PLOTS := fig2/fig2c fig3/fig3_standard fig3/fig3_methods_n100 mimo/mimo_16
.PHONY: figures-docs
figures-docs: $(OUT)/chainmail ## tables and plots of build/figures into docs/results.md
	@$(REPRODUCE) summary --out $(FIGURES) > $(FIGURES)/summary.md
	@awk -v tables=$(FIGURES)/summary.md '/^<!-- summary/ {print; while ((getline line < tables) > 0) print line; skip = 1} \
	  /^<!-- end of summary/ {skip = 0} !skip {if (!/^<!-- summary/) print}' docs/results.md > $(FIGURES)/results.md
	@cp $(FIGURES)/results.md docs/results.md
	@mkdir -p docs/images; for plot in $(DOC_PLOTS); do cp $(FIGURES)/$$plot.png docs/images/; done

figures-board: $(OUT)/chainmail $(OUT)/uart_board ## Fig. 2c through the simulated iCE40 board
	@mkdir -p $(FIGURES)
	@$(OUT)/uart_board --stay > $(FIGURES)/board.txt & board=$$!; trap "kill $$board" EXIT; \
	until [ -s $(FIGURES)/board.txt ]; do sleep 0.1; done; \
	$(REPRODUCE) fig2 --device uart:$$(grep -o '/dev/[^ ]*' $(FIGURES)/board.txt | head -n 1) --out $(FIGURES)

.PHONY: bench
bench: $(OUT)/chainmail ## measure the CPU sampler's speed
	@$(OUT)/chainmail bench

.PHONY: bench-constrained
bench-constrained: $(OUT)/chainmail ## constrained problems with known optima, where ../shared/data is
	@CHAINMAIL=$(OUT)/chainmail tests/bench_constrained

.PHONY: fuzz-models
fuzz-models: ## a million mutated LP files through the reader, under sanitizers
	@$(MAKE) --no-print-directory BUILD=asan build/asan/tests/model
	@build/asan/tests/model "a million mutated LP files"

# ---- habits ----------------------------------------------------------------------------------
CXX_FILES := $(shell find host hls sim tests -name '*.cpp' -o -name '*.hpp' 2>/dev/null)
.PHONY: format lint clean help
format: ## format the C++ sources in place
	@.ci/install $(LINT_PACKAGES)
	@clang-format -i $(CXX_FILES)

LINT_STAMPS := $(patsubst %.cpp,build/lint/%.ok,$(filter %.cpp,$(CXX_FILES)))
lint: $(LINT_STAMPS) ## formatting and clang-tidy, warnings are errors
	@clang-format --dry-run --Werror $(CXX_FILES)
build/lint/%.ok: %.cpp .clang-tidy | lint-packages
	@mkdir -p $(@D)
	@echo "  TIDY   $<"
	@clang-tidy --quiet $< -- -std=c++20 $(CPPFLAGS) 2>/dev/null
	@touch $@
.PHONY: lint-packages
lint-packages: test-packages
	@.ci/install $(LINT_PACKAGES)

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@awk -F':.*## ' '/^[a-z][a-z-]*:.*## /{printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  BUILD=release|debug|asan chooses the flavour (default release)"

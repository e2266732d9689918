# Chainmail's one build entry: `make help` lists what it does.
#   BUILD=release|debug|asan|tsan|coverage|aarch64 picks the flavour; release is in build/, others in build/<flavour>/.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:  # keep intermediate files: nothing is built twice
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
comma := ,
space := $(subst ,, )
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

BUILD ?= release
# Debian's build flags (dpkg-buildflags, hardening=+all), in every build: `make deb` checks that none is missing. The
# linker's are here too, as every link line has the compiler's flags.
HARDENING := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection -Wformat -Werror=format-security \
             -Wl,-z,relro,-z,now
HARDENING_x86_64  := -fcf-protection
HARDENING_aarch64 := -mbranch-protection=standard
# With line numbers for a backtrace; variables for a debugger cost a quarter of the build and come with BUILD=debug.
FLAGS_release := -O3 -g1 -DNDEBUG $(HARDENING) $(HARDENING_$(shell uname -m))
FLAGS_debug   := -O0
FLAGS_asan    := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
                 -Wno-maybe-uninitialized  # false alarms inside libstdc++ with sanitizers (GCC 12)
FLAGS_tsan    := -O1 -g1 -fsanitize=thread -fno-omit-frame-pointer -Wno-tsan -Wno-maybe-uninitialized
# For a Kria's processors (constraints/kria.mk), which have AES; no fused multiply-add, so that a ladder has the same
# bits as elsewhere.
FLAGS_aarch64 := -O2 -DNDEBUG -march=armv8-a+crypto -ffp-contract=off $(HARDENING) $(HARDENING_aarch64)
FLAGS_coverage := -O1 -g0 --coverage -fprofile-update=atomic -DCHAINMAIL_COVERAGE
ifeq ($(FLAGS_$(BUILD)),)
$(error BUILD=$(BUILD) is not one of release, debug, asan, tsan, coverage, aarch64)
endif
OUT := build$(if $(filter-out release,$(BUILD)),/$(BUILD))$(if $(AP_INT),/ap_int)

# Ends a recipe that wrote $@.new: an unchanged file keeps its time, so nothing that depends on it is rebuilt.
if_changed = cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# ---- host program ----------------------------------------------------------------------------
ARM_SYSROOT := $(abspath build/aarch64/sysroot)
CXX      := $(if $(filter aarch64,$(BUILD)),aarch64-linux-gnu-g++ --sysroot=$(ARM_SYSROOT),g++)
VERSION  := 0.2.0
# WERROR=1: warnings are errors. CI sets it; users may have a compiler that knows more warnings. GCC 12 sees overlapping
# copies in `"text" + std::string` that are not there (its bug 105651). The library is linked shared too, hence -fPIC;
# none of its functions is interposed.
CXXFLAGS := -std=c++20 -g $(FLAGS_$(BUILD)) -fPIC -fno-semantic-interposition \
            -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-restrict $(if $(WERROR),-Werror)
CPPFLAGS := -Ihost -DCHAINMAIL_VERSION='"$(VERSION)"'
LIBRARY_LDLIBS := -lboost_iostreams -lhwy -lfmt -pthread
LDLIBS   := -lboost_program_options $(LIBRARY_LDLIBS)

# The library is everything below the commands; the commands and `reproduce` are the program's own.
HOST_SOURCES    := $(sort $(filter-out host/main.cpp host/mpi/% host/device/xrt/worker/% host/python/%,\
                       $(shell find host -name '*.cpp')))
COMMAND_SOURCES := $(filter host/cli/% host/reproduce/%,$(HOST_SOURCES))
LIBRARY_OBJECTS := $(patsubst %.cpp,$(OUT)/obj/%.o,$(filter-out $(COMMAND_SOURCES),$(HOST_SOURCES)))
COMMAND_OBJECTS := $(COMMAND_SOURCES:%.cpp=$(OUT)/obj/%.o)
# Commands fill options and print: what takes time is in the library.
ifeq ($(BUILD),release)
$(COMMAND_OBJECTS): private CXXFLAGS += -O1
endif
# One test program for each folder below tests/, so that they build and run in parallel.
TEST_NAMES   := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard tests/*/*.cpp)))))
TEST_BINS    := $(TEST_NAMES:%=$(OUT)/tests/%)
TEST_OBJECTS := $(patsubst %.cpp,$(OUT)/obj/%.o,$(wildcard tests/*.cpp tests/*/*.cpp))

.PHONY: all
all: $(OUT)/chainmail ## build the host program, build/chainmail

$(OUT)/chainmail: $(OUT)/obj/host/main.o $(OUT)/libcommands.a $(OUT)/libchainmail.a
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $^ $(LDLIBS) -o $@

$(OUT)/libchainmail.a: $(LIBRARY_OBJECTS)
$(OUT)/libcommands.a: $(COMMAND_OBJECTS)
$(OUT)/libchainmail.a $(OUT)/libcommands.a:
	@echo "  AR     $@"
	@rm -f $@ && ar rcs $@ $^

# Results of the form engine are the same on every processor: no two roundings become one.
$(foreach part,kernels block_kernels replica chain path,$(eval CXXFLAGS_host/device/cpu/form_$(part) := -ffp-contract=off))

# Changed flags (another version of this file) rebuild objects, except for -Werror, which changes none.
FLAGS := $(CPPFLAGS) $(filter-out -Werror,$(CXXFLAGS))
$(OUT)/flags: ;
$(OUT)/obj/%.o: %.cpp $(OUT)/flags
	@mkdir -p $(@D)
	@echo "  C++    $<"
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(CXXFLAGS_$*) -MMD -MP -c $< -o $@

-include $(shell find $(OUT)/obj -name '*.d' 2>/dev/null)

include hls/hls.mk
$(KERNEL_OBJECTS): $(OUT)/flags
include rtl/rtl.mk
include sim/sim.mk
include sim/xrt/xrt.mk
include host/mpi/mpi.mk
include tests/mutants/mutants.mk
include tests/long.mk
# Flows first: boards.mk needs to know their boards.
include $(sort $(filter-out constraints/boards.mk,$(wildcard constraints/*.mk))) constraints/boards.mk
include sim/board/board.mk  # the boards that they describe
include sim/bar/bar.mk
include host/packaging/packaging.mk

# ---- tests -----------------------------------------------------------------------------------
# The code under test is optimised, the tests themselves need not be: they compile in a third of the time. And debug
# information is most of what the linker would have to write for each program.
ifeq ($(BUILD),release)
$(TEST_OBJECTS): private CXXFLAGS += -O1 -g0
$(OUT)/obj/tests/main.o: private CXXFLAGS += -O0 -U_FORTIFY_SOURCE
TEST_LDFLAGS := -Wl,--strip-debug
endif
# Headers that most files include are precompiled. Not with ccache, which cannot cache such objects. What a machine with
# Vitis builds does without: it has a compiler and perhaps no fmt. So do the inner loops: GCC would take -ffp-contract
# from the precompiled headers. To GCC 12 these are not system headers, so its bug 105651 has two more warnings. (With
# linker flags GCC would link the headers.)
ifeq ($(BUILD)$(findstring ccache,$(CXX) $(shell readlink -f "$$(command -v $(firstword $(CXX)))")),release)
ONCE_host  := algorithm chrono cmath fmt/format.h functional map memory optional set string thread vector
ONCE_tests := $(ONCE_host) catch2/catch.hpp
$(OUT)/once/%.hpp.gch: $(OUT)/flags
	@mkdir -p $(@D)
	@printf '#include <%s>\n' $(ONCE_$*) > $(@:.gch=)
	@echo "  C++    headers of $*/"
	@$(CXX) $(CPPFLAGS) $(filter-out -Wl$(comma)%,$(CXXFLAGS)) -x c++-header $(@:.gch=) -o $@
$(OUT)/once/tests.hpp.gch: private CXXFLAGS += -O1 -g0
ONCE_OBJECTS_host  := $(filter-out $(GENERATOR_OBJECTS) $(OUT)/obj/host/device/cpu/%,$(LIBRARY_OBJECTS) $(COMMAND_OBJECTS)) \
                      $(SIM_OBJECTS) $(SIM_CORES:%=$(SIM)/%/core.o)
ONCE_OBJECTS_tests := $(filter-out $(OUT)/obj/tests/main.o,$(TEST_OBJECTS))
define read_once
$(ONCE_OBJECTS_$(1)): | $(OUT)/once/$(1).hpp.gch
$(ONCE_OBJECTS_$(1)): private CPPFLAGS += -include $(OUT)/once/$(1).hpp
$(ONCE_OBJECTS_$(1)): private CXXFLAGS += -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds
endef
$(foreach part,host tests,$(eval $(call read_once,$(part))))
endif
.SECONDEXPANSION:
$(TEST_BINS): $(OUT)/tests/%: $(OUT)/obj/tests/main.o \
    $$(addprefix $(OUT)/obj/,$$(addsuffix .o,$$(basename $$(wildcard tests/$$*/*.cpp)))) \
    $(OUT)/libcommands.a $(OUT)/libchainmail.a
	@mkdir -p $(@D)
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $(TEST_LDFLAGS) $^ $(LDLIBS) $(CATCH2_LDLIBS) -o $@

$(OUT)/tests/cli: | $(OUT)/chainmail

.PHONY: test
test: $(TEST_BINS) $(OUT)/chainmail ## install what is missing, build, run every test
	@CHAINMAIL=$(abspath $(OUT)/chainmail) tests/run $(TEST_BINS)

.PHONY: docs-test
docs-test: $(OUT)/chainmail ## run every command of README.md and docs/ and compare what it prints (minutes)
	@tests/docs_commands

.PHONY: live-test
live-test: $(OUT)/chainmail ## solve --live in a headless Chromium, and what the page costs
	@CHAINMAIL=$(abspath $(OUT)/chainmail) tests/check_live --browser

# ---- demo and figures ------------------------------------------------------------------------
DEMO := build/demo
.PHONY: demo
demo: $(OUT)/chainmail ## solve a planted problem on the CPU and write a report with plots
	@mkdir -p $(DEMO)
	@$(OUT)/chainmail generate wishart -n 50 --alpha 0.75 --seed 3 -o $(DEMO)/problem.json
	@$(OUT)/chainmail solve $(DEMO)/problem.json --copies 3 --sweeps 1000000 \
	  --json $(DEMO)/result.json --report $(DEMO)/report.html

# The paper's experiments and our own: records, CSV, SVG and PNG below $(FIGURES).
FIGURES := build/figures
REPRODUCE = $(OUT)/chainmail reproduce
.PHONY: figures figures-board
figures: $(OUT)/chainmail ## the paper's figures with verdicts (20 to 40 minutes)
figures: $(OUT)/chainmail-xrt $(OUT)/libchainmail_emu.so $(OUT)/emu/5x2.sw_emu.xclbin \
    $(OUT)/emu/5x2.hw_emu.xclbin
	@start=$$SECONDS; $(REPRODUCE) all --out $(FIGURES); \
	for device in sw_emu hw_emu; do $(REPRODUCE) fig2 --device $$device --out $(FIGURES); done; \
	for plot in $(FIGURES)/*/*.svg; do \
	  rsvg-convert --zoom 1.25 --background-color white -o "$${plot%.svg}.png" "$$plot"; done; \
	echo "figures: $$(((SECONDS - start) / 60)) min $$(((SECONDS - start) % 60)) s in all, in $(FIGURES)"

# Copies the results of `make figures` into the documentation.
RESULTS_PAGE := docs/lab/results.md
DOC_PLOTS := fig2/fig2c fig3/fig3_standard fig3/fig3_methods_n100 mimo/mimo_16
.PHONY: figures-docs
figures-docs: $(OUT)/chainmail ## tables and plots of build/figures into docs/lab/results.md
	@$(REPRODUCE) summary --out $(FIGURES) | .ci/narrow_tables > $(FIGURES)/summary.md
	@awk -v tables=$(FIGURES)/summary.md '/^<!-- summary/ {print; while ((getline line < tables) > 0) print line; skip = 1} \
	  /^<!-- end of summary/ {skip = 0} !skip {if (!/^<!-- summary/) print}' $(RESULTS_PAGE) > $(FIGURES)/results.md
	@cp $(FIGURES)/results.md $(RESULTS_PAGE)
	@mkdir -p docs/images; for plot in $(DOC_PLOTS); do cp $(FIGURES)/$$plot.png docs/images/; done

figures-board: $(OUT)/chainmail $(OUT)/uart_board ## Fig. 2c through the simulated iCE40 board
	@mkdir -p $(FIGURES)
	@$(OUT)/uart_board --stay > $(FIGURES)/board.txt & board=$$!; trap "kill $$board" EXIT; \
	until [ -s $(FIGURES)/board.txt ]; do sleep 0.1; done; \
	$(REPRODUCE) fig2 --device uart:$$(grep -o '/dev/[^ ]*' $(FIGURES)/board.txt | head -n 1) --out $(FIGURES)

.PHONY: bench
bench: $(OUT)/chainmail ## measure the CPU sampler's speed
	@$(OUT)/chainmail bench

# Public instances: G-set (rudy), QPLIB, quadratic knapsacks (qkp/ with optima.txt). What is not in DATA is skipped and
# listed; generated problems need none of it.
DATA ?= ../shared/data
.PHONY: bench-peers
bench-peers: $(OUT)/chainmail ## time to known values, with PEERS=dir next to other programs (an hour)
	@CHAINMAIL=$(OUT)/chainmail CHAINMAIL_DATA=$(DATA) tests/bench_peers

.PHONY: bench-threads performance-plots
bench-threads: $(OUT)/chainmail ## what threads gain, by CPU time of the busiest one (minutes)
	@CHAINMAIL=$(OUT)/chainmail CHAINMAIL_DATA=$(DATA) tests/bench_threads

performance-plots: ## the plots of docs/performance.md, from docs/lab/records
	@$(PYTHON) tests/plot_performance

.PHONY: bench-constrained
bench-constrained: $(OUT)/chainmail ## constrained problems with known optima (DATA=dir, ../shared/data)
	@CHAINMAIL=$(OUT)/chainmail CHAINMAIL_DATA=$(DATA) tests/bench_constrained

# ---- habits ----------------------------------------------------------------------------------
CXX_FILES := $(shell find host hls sim tests docs/examples -name '*.cpp' -o -name '*.hpp' 2>/dev/null)
.PHONY: format lint clean help
format: ## format the C++ sources in place
	@clang-format -i $(CXX_FILES)

# `make test` checks formatting and includes too (tests/layout). What is due leaves a note, and .ci/lint reads sources
# together: alone they took five times as long.
lint_stamps = $(patsubst %.cpp,build/lint/%.ok,$(filter %.cpp,$(1)))
lint: $(call lint_stamps,$(CXX_FILES)) ## formatting and clang-tidy, warnings are errors; includes point one way
	@.ci/lint $(filter %.ok,$^)
	@tests/check_includes
	@tests/check_format
build/lint/%.ok: %.cpp .clang-tidy
	@mkdir -p $(@D) && rm -f $@
	@printf '%s\n' $< -std=c++20 $(CPPFLAGS) > $(@:.ok=.todo)
ifneq ($(filter lint lint-changed,$(MAKECMDGOALS)),)
-include $(shell find build/lint -name '*.d' 2>/dev/null)
endif

# A changed header is linted through one source that includes it.
BASE ?= $(shell git merge-base HEAD origin/main 2>/dev/null || echo HEAD)
.PHONY: lint-changed
ifneq ($(filter lint-changed,$(MAKECMDGOALS)),)
CHANGED := $(shell tests/changed_sources $(BASE))
lint-changed: $(call lint_stamps,$(filter $(CXX_FILES),$(CHANGED)))
endif
lint-changed: ## lint for what differs from BASE=origin/main, committed or not
	@.ci/lint $(filter %.ok,$^)
	@tests/check_includes
	@tests/check_format $(filter $(CXX_FILES),$(CHANGED))

# For clangd and other tools that ask how a file is compiled.
.PHONY: compile_commands.json
compile_commands.json: ## how each source is compiled, for editors
	@$(MAKE) --no-print-directory -nB test lint | .ci/compile_commands > $(or $(TO),$@)

# ---- what must be installed ------------------------------------------------------------------
# Compiling installs nothing. These goals install the sets they need (.ci/requirements) once, before anything is built;
# plain `make` only says what is missing, and with NO_INSTALL=1 so do all others. The files of a Vitis build need a C++
# compiler and no more.
NEEDS_deps          := build test sim rtl prove ice40 lint figures module recipes
NEEDS_demo          := build
NEEDS_test          := build test sim rtl module recipes
NEEDS_docs-test     := build test sim rtl ice40
NEEDS_live-test     := build python browser
NEEDS_python        := build module
NEEDS_wheel         := build module
NEEDS_wheel-test    := build module deb-test
NEEDS_dimod-test    := build module
NEEDS_bench         := build
NEEDS_performance-plots := recipes
NEEDS_mpi           := build mpi
NEEDS_cluster-test  := build test sim mpi
NEEDS_bench-cluster := build mpi python
NEEDS_kria          := build kria
NEEDS_kria-test     := build kria sim
NEEDS_bench-constrained := build
NEEDS_csim          := build test
NEEDS_xclbin-emu    := build sim
NEEDS_figures       := build sim figures
NEEDS_figures-docs  := build python
NEEDS_figures-board := build sim
NEEDS_run-rtl       := build sim
NEEDS_run-board     := build sim
NEEDS_wave          := build sim
NEEDS_rtl-long      := build test sim
NEEDS_coverage      := build test sim
NEEDS_coverage-host := build test sim rtl coverage module recipes
NEEDS_sanitize      := build test sim rtl module recipes
NEEDS_feasible      := build test sim
NEEDS_rows-optima   := build test sim
NEEDS_fuzz-cli      := build test
NEEDS_fuzz-checkpoints := build test
NEEDS_gate-level    := build sim rtl ice40
NEEDS_fuzz-models   := build test
NEEDS_fuzz-problems := build test
NEEDS_lint          := build test sim rtl lint module mpi
NEEDS_lint-changed  := $(NEEDS_lint)
NEEDS_compile_commands.json := build test sim rtl module mpi
NEEDS_lint-rtl      := compiler rtl
NEEDS_prove         := compiler rtl prove
NEEDS_prove-mutants := compiler rtl prove
NEEDS_mutants       := build test sim rtl prove
NEEDS_synth-report  := compiler rtl
NEEDS_format        := lint
NEEDS_deb           := build sim deb
NEEDS_deb-test      := build sim deb deb-test
NEEDS_fresh-test    := deb-test
NEEDS_release       := build sim module deb deb-test
NEEDS_fit-table     := python
NEEDS_bitstream     := $(if $(filter $(ICE40_BOARDS),$(BOARD)),compiler ice40)$(if $(filter $(ECP5_BOARDS),$(BOARD)),compiler ecp5)
NEEDS_program       := $(NEEDS_bitstream) $(if $(filter $(ECP5_BOARDS),$(BOARD)),ecp5-load)
# Debian's own before others: numpy and the rest come as its packages.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
GOALS := $(or $(MAKECMDGOALS),all)
NEEDS := $(sort $(foreach goal,$(GOALS),$(NEEDS_$(goal))))
DRY_RUN := $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
# Not again in a recursive make.
ifeq ($(DRY_RUN)$(MAKELEVEL),0)
ask = $(if $(shell CXX='$(CXX)' PYTHON='$(PYTHON)' XILINX_XRT='$(XILINX_XRT)' NO_INSTALL='$(NO_INSTALL)' .ci/install $(1) >&2 && echo ok),,\
    $(error what is named above is missing))
$(if $(NEEDS),$(call ask,$(NEEDS)))
$(if $(filter all install,$(GOALS)),$(call ask,--list build))
endif
include host/python/python.mk  # runs the interpreter, which must be installed by now
# So must Catch2: 2 is a header; 3 is a library, and tests/catch2_3 has the header.
CATCH2_LDLIBS := $(shell pkg-config --libs catch2-with-main 2>/dev/null)
ifneq ($(CATCH2_LDLIBS),)
$(TEST_OBJECTS) $(OUT)/once/tests.hpp.gch build/lint/tests/%.ok: private CPPFLAGS += -idirafter tests/catch2_3
endif
ifeq ($(DRY_RUN),)
ifneq ($(strip $(file <$(OUT)/flags)),$(strip $(FLAGS)))
$(shell mkdir -p $(OUT))$(file >$(OUT)/flags,$(FLAGS))
endif
endif
.PHONY: deps
deps: ## install everything that any target needs (Debian; elsewhere: list what is missing)
	@:

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@awk -F':.*## ' '/^[a-z][a-z-]*:.*## /{printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  BUILD=release|debug|asan|tsan|coverage chooses the flavour (default release)"

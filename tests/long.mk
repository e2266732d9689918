# Tests that take minutes, each with a short share in `make test`; sanitizers; coverage of the host.
.PHONY: coverage-host sanitize feasible rows-optima fuzz-cli fuzz-checkpoints fuzz-models fuzz-problems fresh-test
.PHONY: exact-models exact-spins wired-optimum
again = $(MAKE) --no-print-directory

coverage-host: ## lines of host/ that the tests run, by folder; below 95 % is an error
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	@$(again) BUILD=coverage test
	@gcovr --root . --object-directory build/coverage/obj --filter host/ --exclude-throw-branches \
	    --json-summary build/coverage/summary.json --txt build/coverage/lines.txt build/coverage
	@tests/coverage_by_folder build/coverage/summary.json 95

TSAN_TESTS := device solve cli xrt
sanitize: ## all tests under ASan and UBSan, those with threads under TSan
	@$(again) BUILD=asan test
	@$(again) BUILD=tsan $(TSAN_TESTS:%=build/tsan/tests/%) build/tsan/chainmail
	@CHAINMAIL=$(abspath build/tsan/chainmail) tests/run $(TSAN_TESTS:%=build/tsan/tests/%)

feasible: $(OUT)/tests/cli $(OUT)/chainmail $(OUT)/chainmail-xrt $(OUT)/libchainmail_emu.so
feasible: $(OUT)/emu/16x2.sw_emu.xclbin ## 1,000 constrained problems on four devices against enumeration
	@printf '%s\n' sw_emu:16x2 hls:8x3 hls:16x2 cpu | xargs -P $(shell nproc) -I{} env CHAINMAIL_DEVICE={} \
	  CHAINMAIL=$(abspath $(OUT)/chainmail) $(OUT)/tests/cli "*in a thousand problems"

rows-optima: $(OUT)/tests/xrt $(OUT)/chainmail $(OUT)/chainmail-xrt $(OUT)/libchainmail_emu.so
rows-optima: $(OUT)/emu/128-rows-f4-p-g.sw_emu.xclbin $(OUT)/emu/128-rows-f4-p-g.hw_emu.xclbin ## three constrained problems to their optima on the Verilated row kernel
	@CHAINMAIL=$(abspath $(OUT)/chainmail) $(OUT)/tests/xrt "[.optima]"

wired-optimum: $(OUT)/tests/xrt $(OUT)/chainmail $(OUT)/chainmail-xrt $(OUT)/libchainmail_emu.so
wired-optimum: $(OUT)/emu/lattice-8x8x8.hw_emu.xclbin ## an 8 x 8 x 8 lattice to its optimum on the Verilated kernel wired for it
	@CHAINMAIL=$(abspath $(OUT)/chainmail) $(OUT)/tests/xrt "[.wired]"

fuzz-cli: $(OUT)/tests/cli $(OUT)/chainmail ## 10,000 random command lines
	@CHAINMAIL=$(abspath $(OUT)/chainmail) $(OUT)/tests/cli "ten thousand random command lines"

fuzz-checkpoints: $(OUT)/tests/solve ## 10,000 edited checkpoints
	@$(OUT)/tests/solve "ten thousand edited checkpoints*"

fuzz-models: ## a million mutated files of each model format through its reader, under sanitizers
	@$(again) BUILD=asan build/asan/tests/model
	@build/asan/tests/model "a million mutated*"

fuzz-problems: ## the same for each format of problems in spins
	@$(again) BUILD=asan build/asan/tests/problem
	@build/asan/tests/problem "a million mutated*"

exact-models: $(OUT)/chainmail $(OUT)/tests/model ## 10,000 models with long numbers, 10,000 of degree 3 and 4, 10,000 small ones, 10,000 converted, against enumeration
	@CHAINMAIL=$(abspath $(OUT)/chainmail) tests/exact_models
	@CHAINMAIL=$(abspath $(OUT)/chainmail) tests/exact_models --doors terms higher --seed 2
	@CHAINMAIL=$(abspath $(OUT)/chainmail) tests/exact_models --small 500
	@CHAINMAIL=$(abspath $(OUT)/chainmail) tests/exact_models --convert
	@$(OUT)/tests/model "ten thousand small models*"

exact-spins: $(OUT)/tests/problem ## 20,000 problems in spins solved before any search, against enumeration
	@$(OUT)/tests/problem "ten thousand small problems*"

RELEASES ?= bookworm trixie
fresh-test: ## the README's two commands in bare Debians (RELEASES=; root, network, half an hour each)
	@tests/fresh $(RELEASES)

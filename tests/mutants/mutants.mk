# Faults planted one by one, to see whether the tests notice (tests/mutants/run describes the format).
.PHONY: mutants prove-mutants
mutants: ## plant every fault of the lists; 97 % must fail a test (hours)
	@nice tests/mutants/run $(sort $(wildcard tests/mutants/*.list))
prove-mutants: ## plant faults in every proved module; each must fail its proof
	@nice tests/mutants/run tests/mutants/proofs.list

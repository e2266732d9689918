# MPI, for runs over several processes and machines: a library that the program loads when a launcher
# (mpirun, srun) has started it. MPICXX is the compiler of the MPI that the launcher belongs to.
MPICXX ?= mpicxx
$(OUT)/libchainmail_mpi.so: host/mpi/mpi_library.cpp host/device/group/mpi_calls.hpp
	@mkdir -p $(@D)
	@echo "  LINK   $@"
	@OMPI_SKIP_MPICXX=1 $(MPICXX) $(CPPFLAGS) -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX $(NO_SANITIZER) \
	    -Wno-old-style-cast -shared $< -o $@

build/lint/host/mpi/%.ok: private CPPFLAGS += $(patsubst -I%,-isystem %,$(shell $(MPICXX) --showme:compile))

.PHONY: mpi
mpi: $(OUT)/chainmail $(OUT)/libchainmail_mpi.so ## what mpirun needs, build/libchainmail_mpi.so

CLUSTER_NEEDS := $(OUT)/chainmail $(OUT)/libchainmail_mpi.so $(OUT)/chainmail-xrt $(OUT)/libchainmail_emu.so \
    $(OUT)/emu/5x2.sw_emu.xclbin
$(OUT)/tests/group: | $(CLUSTER_NEEDS)

.PHONY: cluster-test bench-cluster
cluster-test: $(OUT)/tests/group $(CLUSTER_NEEDS) ## eight ranks: resumed on other numbers, over TCP, with lost ranks (root; half an hour)
	@CHAINMAIL=$(abspath $(OUT)/chainmail) $(OUT)/tests/group "[cluster]"
	@CHAINMAIL=$(abspath $(OUT)/chainmail) tests/group/losses

bench-cluster: mpi ## two ranks against two threads, and what a round costs (root for the part over TCP)
	@CHAINMAIL=$(abspath $(OUT)/chainmail) tests/group/bench

# MPI, for runs over several processes and machines: a library that the program loads when a launcher
# (mpirun, srun) has started it. MPICXX is the compiler of the MPI that the launcher belongs to.
MPICXX ?= mpicxx
$(OUT)/libchainmail_mpi.so: host/mpi/mpi_library.cpp host/device/group/mpi_calls.hpp
	@mkdir -p $(@D)
	@echo "  LINK   $@"
	@OMPI_SKIP_MPICXX=1 $(MPICXX) $(CPPFLAGS) -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX $(NO_SANITIZER) \
	    -Wno-old-style-cast -shared $< -o $@

.PHONY: mpi
mpi: $(OUT)/chainmail $(OUT)/libchainmail_mpi.so ## what mpirun needs, build/libchainmail_mpi.so

$(OUT)/tests/group: | $(OUT)/chainmail $(OUT)/libchainmail_mpi.so

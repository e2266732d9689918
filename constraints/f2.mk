# AWS F2: the custom logic (rtl/bar) in a folder as the HDK wants it, built by the HDK's own scripts. No Vitis.
#   make bitstream BOARD=f2 TOPOLOGY=100x3    build/f2/100x3/cl_chainmail, and in it build/checkpoints/*.Developer_CL.tar
# The user's HDK (github.com/aws/aws-fpga, branch f2) is named by what its hdk_setup.sh sets. Never run with Vivado.
BOARDS += f2
F2_DIR  = $(abspath build/f2/$(TOPOLOGY)/cl_chainmail)
F2_MADE = $(F2_DIR)/build/checkpoints/cl_chainmail.chainmail.post_route.dcp
F2_SOURCES = $(filter-out rtl/uart/%,$(if $(findstring -flips,$(TOPOLOGY)),$(FLIPS_SOURCES),$(RING_SOURCES))) \
             $(wildcard rtl/bar/*) $(addprefix $(OUT)/topology/$(TOPOLOGY)/,topology_pkg.sv cm_bar_pkg.sv \
             $(if $(findstring -flips,$(TOPOLOGY)),,cm_stage_wiring.sv))
F2_SCRIPTS := aws_build_dcp_from_cl.py build_all.tcl build_level_1_cl.tcl encrypt.tcl

# Laid out wherever this runs; what is missing to build it is said after that.
F2_LAID = $(F2_DIR)/build/scripts/synth_cl_chainmail.tcl
$(F2_DIR)/build/scripts/synth_cl_chainmail.tcl: $(F2_SOURCES) constraints/synth_cl_chainmail.tcl constraints/f2.mk
	@$(if $(findstring -rows,$(TOPOLOGY)),echo "TOPOLOGY=$(TOPOLOGY): BOARD=f2 holds rings and flip kernels" >&2; exit 2)
	@rm -rf $(F2_DIR)/design && mkdir -p $(F2_DIR)/design $(F2_DIR)/build/scripts $(F2_DIR)/build/constraints
	cp $(F2_SOURCES) $(F2_DIR)/design
	echo '# No floorplan of our own.' > $(F2_DIR)/build/constraints/small_shell_cl_pnr_user.xdc
	sed 's/@KERNEL@/$(KERNEL_TOP)/' constraints/synth_cl_chainmail.tcl > $@

.PHONY: f2-tools bitstream-f2
f2-tools: $(F2_LAID)
	@for file in $(F2_SCRIPTS); do [ -e "$${HDK_SHELL_DIR:-}/build/scripts/$$file" ] || { \
	    echo "BOARD=f2 is laid out in $(F2_DIR); to build it AWS's HDK is missing: HDK_SHELL_DIR has no build/scripts/$$file" \
	    "(in a clone of github.com/aws/aws-fpga, branch f2: source hdk_setup.sh)" >&2; exit 1; }; done
	@command -v vivado >/dev/null || { echo "BOARD=f2 is laid out in $(F2_DIR); to build it Vivado is missing from the" \
	    "PATH: the version that supported_vivado_versions.txt of AWS's HDK names" >&2; exit 1; }

# The HDK's script ends well whatever Vivado did, and packs a design that missed its clock too.
$(F2_MADE): $(F2_LAID) | f2-tools
	@rm -f $(F2_DIR)/build/checkpoints/*
	for file in $(F2_SCRIPTS); do ln -sf "$$HDK_SHELL_DIR/build/scripts/$$file" $(F2_DIR)/build/scripts/; done
	cd $(F2_DIR)/build/scripts && CL_DIR=$(F2_DIR) ./aws_build_dcp_from_cl.py -c cl_chainmail -t chainmail
	@[ -e $@ ] || { echo "BOARD=f2: Vivado did not finish, or missed 250 MHz: see reports and scripts/chainmail.vivado.log" \
	    "in $(F2_DIR)/build" >&2; exit 1; }

bitstream-f2: $(F2_MADE)
	@echo "$(F2_DIR)/build/checkpoints/chainmail.Developer_CL.tar: for aws ec2 create-fpga-image"

# How the HDK's build_all.tcl synthesises the custom logic (make bitstream BOARD=f2 puts this file in its place and names
# the kernel). Its header and footer read the shell's own sources and constraints and write the checkpoint.
source ${HDK_SHELL_DIR}/build/scripts/synth_cl_header.tcl

# Packages come before what uses them.
set packages [lsort [glob ${src_post_enc_dir}/*_pkg.sv]]
read_verilog -sv $packages
foreach source [lsort [glob ${src_post_enc_dir}/*.sv]] {
  if {[lsearch -exact $packages $source] < 0} { read_verilog -sv $source }
}

synth_design -mode out_of_context -top ${CL} -part ${DEVICE_TYPE} -keep_equivalent_registers \
  -verilog_define XSDB_SLV_DIS -verilog_define CM_KERNEL=@KERNEL@

source ${HDK_SHELL_DIR}/build/scripts/synth_cl_footer.tcl

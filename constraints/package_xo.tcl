# Packs the RTL kernel as a Vitis object (UG1393, "package_xo Command"). Run by Vivado:
#   vivado -mode batch -source package_xo.tcl -tclargs PART KERNEL_XML XO WORK SOURCE...
# The sources hold a plain Verilog top named as the object (constraints/verilog_top); buses are those of KERNEL_XML.
set sources [lassign $argv part kernel_xml xo work]
if {[llength $sources] == 0} {
  error "package_xo.tcl: expected PART KERNEL_XML XO WORK SOURCE..., got \"$argv\""
}
set kernel [file rootname [file tail $xo]]
set file [open $kernel_xml]
set buses [lmap {match name} [regexp -all -inline {<port name="([^"]+)"} [read $file]] {set name}]
close $file
set ip $work/ip
file delete -force $work
file mkdir $work

create_project -force pack $work/project -part $part
add_files -norecurse $sources
set_property top $kernel [current_fileset]
update_compile_order -fileset sources_1

# Vendor, library, name and version as kernel.xml states them.
ipx::package_project -root_dir $ip -vendor chainmail -library kernel -taxonomy /KernelIP \
  -import_files -set_current true
set core [ipx::current_core]
set_property name $kernel $core
set_property version 1.0 $core
set_property core_revision 1 $core
set_property sdx_kernel true $core
set_property sdx_kernel_type rtl $core
set_property supported_families {} $core
set_property auto_family_support_level level_2 $core
# All buses run on the one clock and are reset with it.
foreach bus $buses {
  ipx::associate_bus_interfaces -busif $bus -clock ap_clk $core
}
ipx::associate_bus_interfaces -clock ap_clk -reset ap_rst_n $core
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::save_core $core
close_project

package_xo -force -kernel_name $kernel -ip_directory $ip -kernel_xml $kernel_xml -xo_path $xo

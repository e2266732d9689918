// PCI ids of the loaded AFI: device and vendor, subsystem and its vendor; from the range that AWS
// leaves to designs (0xf000 to 0xf0ff). The HDK's scripts read the digits of these lines, and the driver
// (host/device/bar) looks for them.
`define CL_SH_ID0 32'hF0C4_1D0F
`define CL_SH_ID1 32'h1D51_FEDC

// The PLLs of iCE40 and ECP5 for simulation: the board's clock pin drives the fast clock. The rest of a
// board's RTL is simulated as in the bitstream.
// verilator lint_off DECLFILENAME
// verilator lint_off UNUSED
module SB_PLL40_CORE #(
  parameter FEEDBACK_PATH = "SIMPLE",
  parameter [3:0] DIVR = 0,
  parameter [6:0] DIVF = 0,
  parameter [2:0] DIVQ = 0,
  parameter [2:0] FILTER_RANGE = 0
) (
  input  REFERENCECLK,
  output PLLOUTGLOBAL,
  output LOCK,
  input  RESETB,
  input  BYPASS
);
  assign PLLOUTGLOBAL = REFERENCECLK;
  assign LOCK         = 1'b1;
endmodule

module SB_PLL40_PAD #(
  parameter FEEDBACK_PATH = "SIMPLE",
  parameter [3:0] DIVR = 0,
  parameter [6:0] DIVF = 0,
  parameter [2:0] DIVQ = 0,
  parameter [2:0] FILTER_RANGE = 0
) (
  input  PACKAGEPIN,
  output PLLOUTGLOBAL,
  output LOCK,
  input  RESETB,
  input  BYPASS
);
  assign PLLOUTGLOBAL = PACKAGEPIN;
  assign LOCK         = 1'b1;
endmodule

module EHXPLLL #(
  parameter PLLRST_ENA = "DISABLED",
  parameter FEEDBK_PATH = "CLKOP",
  parameter CLKI_DIV = 1,
  parameter CLKFB_DIV = 1,
  parameter CLKOP_ENABLE = "ENABLED",
  parameter CLKOP_DIV = 1,
  parameter CLKOP_CPHASE = 0,
  parameter CLKOS_ENABLE = "ENABLED",
  parameter CLKOS_DIV = 1,
  parameter CLKOS_CPHASE = 0
) (
  input  CLKI,
  input  CLKFB,
  input  RST,
  input  STDBY,
  input  PHASESEL0,
  input  PHASESEL1,
  input  PHASEDIR,
  input  PHASESTEP,
  input  PHASELOADREG,
  input  PLLWAKESYNC,
  input  ENCLKOP,
  input  ENCLKOS,
  output CLKOP,
  output CLKOS,
  output LOCK
);
  assign CLKOP = CLKI;
  assign CLKOS = CLKI;
  assign LOCK  = 1'b1;
endmodule

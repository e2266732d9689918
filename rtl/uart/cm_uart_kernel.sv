// The kernel behind a serial line: pbit_burst.sv's core with frames in place of AXI. A board adds only
// its clock and pins.
`default_nettype none
module cm_uart_kernel #(
  parameter int unsigned ClockMHz = 48,
  parameter int unsigned Baud     = 3_000_000,
  parameter int unsigned Turns    = 5  // p-bits that share an engine; see cm_burst_core.sv
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic rx_i,
  output logic      tx_o,
  output logic      busy_o,    // a frame is being executed
  output logic      running_o  // a burst is running
);
  localparam int unsigned MaxReplicas   = topology_pkg::MaxReplicas;
  localparam int unsigned EnergyBits    = topology_pkg::EnergyBits;
  localparam int unsigned ViolationBits = topology_pkg::ViolationBits;
  localparam int unsigned AddressBits   = (MaxReplicas > 1) ? $clog2(MaxReplicas) : 1;
  localparam int unsigned IndexBits     = $clog2(MaxReplicas + 1);
  localparam int unsigned WordBits      = (topology_pkg::StateWords > 1) ? $clog2(topology_pkg::StateWords) : 1;
  localparam int unsigned BufferBits    = $clog2(topology_pkg::UartBufferBytes);
  localparam int unsigned Divider       = (ClockMHz * 1_000_000 + Baud / 2) / Baud;  // clocks of a bit on the line

  // ---- the line -------------------------------------------------------------------------------------
  logic                  rx_valid, tx_valid, tx_ready, frame, frame_release;
  logic [7:0]            rx_byte, tx_byte, read_data;
  logic [BufferBits-1:0] length, read_address;
  cm_uart_receiver #(
    .Divider(Divider)
  ) u_receiver (
    .clk_i,
    .rst_ni,
    .rx_i,
    .valid_o(rx_valid),
    .byte_o (rx_byte)
  );
  cm_frame_receiver #(
    .Bytes(topology_pkg::UartBufferBytes)
  ) u_frames (
    .clk_i,
    .rst_ni,
    .valid_i       (rx_valid),
    .byte_i        (rx_byte),
    .frame_o       (frame),
    .length_o      (length),
    .release_i     (frame_release),
    .read_address_i(read_address),
    .read_data_o   (read_data)
  );
  logic       send_valid, send_ready, send_finish, send_done;
  logic [7:0] send_byte;
  cm_frame_sender u_replies (
    .clk_i,
    .rst_ni,
    .valid_i (send_valid),
    .ready_o (send_ready),
    .byte_i  (send_byte),
    .finish_i(send_finish),
    .done_o  (send_done),
    .valid_o (tx_valid),
    .ready_i (tx_ready),
    .byte_o  (tx_byte)
  );
  cm_uart_sender #(
    .Divider(Divider)
  ) u_sender (
    .clk_i,
    .rst_ni,
    .valid_i(tx_valid),
    .ready_o(tx_ready),
    .byte_i (tx_byte),
    .tx_o
  );

  // ---- frames to the core ---------------------------------------------------------------------------
  logic                     tables_start, tables_busy, table_valid, table_ready, state_load;
  logic                     parameter_load, seed_start, seed_busy, burst_start, burst_busy;
  logic                     reading, found;
  logic [15:0]              table_word;
  logic [31:0]              sweeps;
  logic [63:0]              load_word, seed, state_word, best_word;
  logic [AddressBits-1:0]   first, row;
  logic [WordBits-1:0]      index;
  logic [IndexBits-1:0]     replicas;
  logic [EnergyBits-1:0]    energy, best;
  logic [ViolationBits-1:0] violations;
  cm_link_control #(
    .BufferBits(BufferBits),
    .SweepRate (ClockMHz * 1_000_000 / Turns)
  ) u_control (
    .clk_i,
    .rst_ni,
    .frame_i         (frame),
    .length_i        (length),
    .release_o       (frame_release),
    .read_address_o  (read_address),
    .read_data_i     (read_data),
    .send_valid_o    (send_valid),
    .send_ready_i    (send_ready),
    .send_byte_o     (send_byte),
    .send_finish_o   (send_finish),
    .send_done_i     (send_done),
    .first_o         (first),
    .replicas_o      (replicas),
    .sweeps_o        (sweeps),
    .tables_start_o  (tables_start),
    .tables_busy_i   (tables_busy),
    .table_valid_o   (table_valid),
    .table_ready_i   (table_ready),
    .table_word_o    (table_word),
    .state_load_o    (state_load),
    .parameter_load_o(parameter_load),
    .load_word_o     (load_word),
    .seed_start_o    (seed_start),
    .seed_o          (seed),
    .seed_busy_i     (seed_busy),
    .burst_start_o   (burst_start),
    .burst_busy_i    (burst_busy),
    .reading_o       (reading),
    .row_o           (row),
    .index_o         (index),
    .energy_i        (energy),
    .violations_i    (violations),
    .found_i         (found),
    .best_i          (best),
    .state_word_i    (state_word),
    .best_word_i     (best_word)
  );
  cm_burst_core #(
    .WideAdd      (1'b0),
    .Turns        (Turns),
    .TableWordBits(16)
  ) u_core (
    .clk_i,
    .rst_ni,
    .first_i         (first),
    .replicas_i      (replicas),
    .sweeps_i        (sweeps),
    .tables_start_i  (tables_start),
    .tables_busy_o   (tables_busy),
    .table_valid_i   (table_valid),
    .table_ready_o   (table_ready),
    .table_word_i    (table_word),
    .state_load_i    (state_load),
    .parameter_load_i(parameter_load),
    .load_replica_i  (row),
    .load_index_i    (index),
    .load_word_i     (load_word),
    .seed_start_i    (seed_start),
    .seed_i          (seed),
    .seed_busy_o     (seed_busy),
    .burst_start_i   (burst_start),
    .burst_busy_o    (burst_busy),
    .reading_i       (reading),
    .row_i           (row),
    .index_i         (index),
    .energy_o        (energy),
    .violations_o    (violations),
    .found_o         (found),
    .best_o          (best),
    .state_word_o    (state_word),
    .best_word_o     (best_word)
  );
  assign busy_o    = frame;
  assign running_o = burst_busy;
endmodule
`default_nettype wire

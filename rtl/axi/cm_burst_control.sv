// Runs one call of the kernel: checks the arguments, then takes the steps the flags request, in the
// order of docs/kernel.md. Each step is a unit that is started and is busy until it is done; an
// error on the memory bus ends the call with its code. Checks of the arguments, which are stable
// for the whole call, are registered, and so is the start of a unit.
`default_nettype none
module cm_burst_control #(
  parameter int unsigned MaxReplicas = 1024
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic        start_i,
  output logic             done_o,
  input  wire logic [31:0] first_i,
  input  wire logic [31:0] replicas_i,
  input  wire logic [31:0] flags_i,
  // Which buffers are misaligned, by the step that uses them.
  input  wire logic [7:0]  misaligned_i,
  output logic      [2:0]  code_o,
  // From start to the end of the last sweep; 0 if there was none. 13 days at 250 MHz; no simulation
  // lasts long enough to toggle the upper bits.
  // verilator coverage_off
  output logic      [47:0] clocks_o,
  // verilator coverage_on

  output logic      [2:0]  step_o,  // a step_e
  output logic             load_start_o,
  input  wire logic        load_busy_i,
  input  wire logic        load_error_i,
  input  wire logic        tables_busy_i,
  input  wire logic        bad_image_i,   // the image read last is not of this topology
  output logic             seed_start_o,
  input  wire logic        seed_busy_i,
  output logic             burst_start_o,
  input  wire logic        burst_busy_i,
  output logic             store_start_o,
  input  wire logic        store_busy_i,
  input  wire logic        store_error_i
);
  typedef enum logic [2:0] {
    StIdle,
    StLook,
    StCheck,
    StStep,
    StWait,
    StDone
  } state_e;
  state_e               state_q, state_d;
  logic [2:0]           step_q, step_d, code_q, code_d;
  logic [7:0]           wanted_q, wanted_d, asked;
  // verilator coverage_off
  logic [47:0]          count_q, clocks_q, clocks_d;
  // verilator coverage_on
  logic                 describe, with_burst, is_tables, is_load, is_store, is_burst, finished;
  logic                 launch_q, launch_d, seed_start_q, seed_start_d;

  assign describe     = (flags_i & topology_pkg::FlagDescribe) != '0;
  assign with_burst   = (flags_i & topology_pkg::FlagNoBurst) == '0;

  // What the flags request; a refused call does only the last.
  always_comb begin
    asked                               = 8'd1 << topology_pkg::StepStatus;
    asked[topology_pkg::StepTables]     = (flags_i & topology_pkg::FlagLoadTables) != '0;
    asked[topology_pkg::StepSpins]      = (flags_i & topology_pkg::FlagLoadSpins) != '0;
    asked[topology_pkg::StepParameters] = with_burst;
    asked[topology_pkg::StepBurst]      = with_burst;
    asked[topology_pkg::StepResults]    = with_burst;
    asked[topology_pkg::StepStoreSpins] = (flags_i & topology_pkg::FlagStoreSpins) != '0;
    asked[topology_pkg::StepStoreBest]  = (flags_i & topology_pkg::FlagStoreBest) != '0;
  end

  // ---- what is wrong with the arguments: known in StCheck, two clocks after the start ----------------
  logic        none_q, bad_replicas_q, bad_flags_q, bad_status_q, bad_pointer_q;
  logic [32:0] end_q;
  always_ff @(posedge clk_i) begin
    none_q         <= replicas_i == '0;
    end_q          <= 33'(first_i) + 33'(replicas_i);
    bad_replicas_q <= none_q || end_q > 33'(MaxReplicas);
    bad_flags_q    <= (flags_i & ~topology_pkg::AllFlags) != '0;
    bad_status_q   <= misaligned_i[topology_pkg::StepStatus];
    bad_pointer_q  <= (asked & misaligned_i) != '0;
  end

  // ---- the steps --------------------------------------------------------------------------------------
  assign is_burst  = step_q == topology_pkg::StepBurst;
  assign is_tables = step_q == topology_pkg::StepTables;
  assign is_load   = step_q <= topology_pkg::StepParameters;
  assign is_store  = step_q >= topology_pkg::StepResults;
  always_comb begin
    finished = !store_busy_i;
    // A table load that lacks words stays busy until the next one; other loads do not wait for it.
    if (is_load) finished = !load_busy_i && !(is_tables && tables_busy_i && !load_error_i);
    if (is_burst) finished = !burst_busy_i;
    if (launch_q) finished = 1'b0;  // not yet busy
  end

  always_comb begin
    state_d       = state_q;
    step_d        = step_q;
    code_d        = code_q;
    wanted_d      = wanted_q;
    clocks_d      = clocks_q;
    launch_d      = 1'b0;
    seed_start_d  = 1'b0;
    unique case (state_q)
      StIdle: begin
        if (start_i) state_d = StLook;
      end
      StLook: state_d = StCheck;
      StCheck: begin
        // After a reset, slots in flight still have to leave the ring; after a failed call the
        // seeder may still be running.
        if (!burst_busy_i && !seed_busy_i) begin
          state_d  = StStep;
          step_d   = '0;
          clocks_d = '0;
          code_d   = topology_pkg::CodeOk;
          wanted_d = 8'd1 << topology_pkg::StepStatus;
          if (bad_status_q) begin
            state_d = StDone;  // only the mirror can report it
            code_d  = topology_pkg::CodeBadPointer;
          end else if (bad_flags_q) code_d = topology_pkg::CodeBadFlags;
          else if (!describe) begin
            if (bad_replicas_q) code_d = topology_pkg::CodeBadReplicas;
            else if (bad_pointer_q) code_d = topology_pkg::CodeBadPointer;
            else if (with_burst && !asked[topology_pkg::StepTables] && bad_image_i)
              code_d = topology_pkg::CodeBadImage;
            else begin
              wanted_d     = asked;
              seed_start_d = with_burst;
            end
          end
        end
      end
      StStep: begin
        if (!wanted_q[step_q]) step_d = step_q + 1'b1;
        else if (!is_burst || !seed_busy_i) begin
          launch_d = 1'b1;
          state_d  = StWait;
        end
      end
      StWait: begin
        if (finished) begin
          state_d = (step_q == topology_pkg::StepStatus) ? StDone : StStep;
          step_d  = step_q + 1'b1;
          if (is_burst) clocks_d = count_q;
          if (is_tables && bad_image_i) begin
            code_d   = topology_pkg::CodeBadImage;
            wanted_d = 8'd1 << topology_pkg::StepStatus;
          end
          // Rows are read during the burst, too.
          if (!is_store && load_error_i) begin
            state_d = StDone;
            code_d  = topology_pkg::CodeReadError;
          end
          if (is_store && store_error_i) begin
            state_d = StDone;
            code_d  = topology_pkg::CodeWriteError;
          end
        end
      end
      StDone:  state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      step_q       <= '0;
      code_q       <= topology_pkg::CodeOk;
      clocks_q     <= '0;
      launch_q     <= 1'b0;
      seed_start_q <= 1'b0;
    end else begin
      state_q      <= state_d;
      step_q       <= step_d;
      code_q       <= code_d;
      clocks_q     <= clocks_d;
      launch_q     <= launch_d;
      seed_start_q <= seed_start_d;
    end
  end
  always_ff @(posedge clk_i) begin
    wanted_q <= wanted_d;
    count_q  <= start_i ? '0 : count_q + 1'b1;
  end

  assign done_o   = state_q == StDone;
  assign code_o   = code_q;
  assign clocks_o = clocks_q;
  assign step_o   = step_q;

  assign load_start_o  = launch_q && is_load;
  assign burst_start_o = launch_q && is_burst;
  assign store_start_o = launch_q && is_store;
  assign seed_start_o  = seed_start_q;

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!start_i || state_q == StIdle) else $error("a start while a call runs");
      assert ($onehot0({load_start_o, burst_start_o, store_start_o})) else $error("two steps at once");
      assert (!burst_start_o || !seed_busy_i) else $error("a burst with half a seed");
    end
  end
`endif
endmodule
`default_nettype wire

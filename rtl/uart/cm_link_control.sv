// Executes the frames of the serial link (docs/uart.md): one at a time, from the receiver's buffer
// to the kernel's core and back as a reply.
//
// Frames that change state are numbered. A frame is executed only if its number follows the last
// one's; a repeat of the last one is answered but not executed again. So a lost reply can be
// requested again, and a frame that arrives late or twice does nothing.
//
// One 64-bit register shifts bytes in at the top and out at the bottom; it holds whatever a step
// needs: command and number, a record (of a long state a word of it), the seed, the sweeps.
`default_nettype none
module cm_link_control #(
  parameter int unsigned BufferBits = 9,
  parameter int unsigned SweepRate  = 16_000_000,  // replica-sweeps a second
  localparam int unsigned MaxReplicas   = topology_pkg::MaxReplicas,
  localparam int unsigned EnergyBits    = topology_pkg::EnergyBits,
  localparam int unsigned ViolationBits = topology_pkg::ViolationBits,
  localparam int unsigned AddressBits   = (MaxReplicas > 1) ? $clog2(MaxReplicas) : 1,
  localparam int unsigned IndexBits     = $clog2(MaxReplicas + 1),
  localparam int unsigned StateWords    = topology_pkg::StateWords,
  localparam int unsigned WordBits      = (StateWords > 1) ? $clog2(StateWords) : 1
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  input  wire logic                     frame_i,
  input  wire logic [BufferBits-1:0]    length_i,
  output logic                          release_o,
  output logic      [BufferBits-1:0]    read_address_o,
  input  wire logic [7:0]               read_data_i,

  output logic                          send_valid_o,
  input  wire logic                     send_ready_i,
  output logic      [7:0]               send_byte_o,
  output logic                          send_finish_o,
  input  wire logic                     send_done_i,

  output logic      [AddressBits-1:0]   first_o,
  output logic      [IndexBits-1:0]     replicas_o,
  output logic      [31:0]              sweeps_o,
  output logic                          tables_start_o,
  input  wire logic                     tables_busy_i,
  output logic                          table_valid_o,
  input  wire logic                     table_ready_i,
  output logic      [15:0]              table_word_o,
  output logic                          state_load_o,
  output logic                          parameter_load_o,
  output logic      [63:0]              load_word_o,
  output logic                          seed_start_o,
  output logic      [63:0]              seed_o,
  input  wire logic                     seed_busy_i,
  output logic                          burst_start_o,
  input  wire logic                     burst_busy_i,
  output logic                          reading_o,
  output logic      [AddressBits-1:0]   row_o,    // of loads, and of what is read back,
  output logic      [WordBits-1:0]      index_o,  // and which word of a state
  input  wire logic [EnergyBits-1:0]    energy_i,
  input  wire logic [ViolationBits-1:0] violations_i,
  input  wire logic                     found_i,
  input  wire logic [EnergyBits-1:0]    best_i,
  input  wire logic [63:0]              state_word_i,
  input  wire logic [63:0]              best_word_i
);
  localparam int unsigned LastBytes      = topology_pkg::UartStateBytes - 8 * (StateWords - 1);  // of its last word
  localparam int unsigned BetaBytes      = topology_pkg::UartBetaBytes;
  localparam int unsigned ParameterBytes = topology_pkg::UartParameterBytes;
  localparam int unsigned EnergyBytes    = topology_pkg::UartEnergyBytes;
  localparam int unsigned OutcomeBytes   = topology_pkg::UartOutcomeBytes;
  localparam int unsigned HeadBytes      = topology_pkg::UartHeadBytes;
  localparam int unsigned TableFrame     = HeadBytes + 2 * topology_pkg::UartTableValues;
  localparam int unsigned LongestFrame   = HeadBytes + 2 + MaxReplicas * ParameterBytes + 12 + 4;
  if (ParameterBytes > 8 || OutcomeBytes > 8 || MaxReplicas > 255 ||
      LongestFrame >= (1 << BufferBits) || TableFrame + 4 >= (1 << BufferBits)) begin : gen_too_large
    $fatal(1, "cm_link_control: records of this topology exceed 64 bits, or its frames the buffer");
  end

  // A device's description: the link's version, the kernel's status block, its speed.
  localparam int unsigned GreetingBytes = 1 + 4 * topology_pkg::StatusWords + 4;
  logic [8*GreetingBytes-1:0] greeting;
  assign greeting = {32'(SweepRate), topology_pkg::StatusBlock, topology_pkg::UartVersion};

  typedef enum logic [4:0] {
    StIdle,
    StFetch,       // count_q bytes from the buffer, then then_q
    StFetched,
    StShift,
    StCompare,
    StHead,
    StTable,
    StTablesEnd,
    StPlace,
    StRecord,
    StSeed,
    StSeeding,
    StSweeps,
    StBurst,
    StEnd,
    StReply,
    StEcho,        // count_q bytes of the request, then then_q
    StEchoed,
    StEchoSend,
    StCode,
    StGreeting,
    StRow,
    StRowRead,
    StRowTake,
    StSend,        // count_q bytes of the record
    StFinish
  } state_e;

  state_e                state_q, state_d, then_q, then_d;
  logic [BufferBits-1:0] at_q, at_d;
  logic [3:0]            count_q, count_d;
  logic [63:0]           word_q, word_d;
  logic [7:0]            command_q, command_d, last_command_q, last_command_d, code_q, code_d;
  logic [31:0]           last_q, last_d, next_q;  // the number of the last change, and one more
  logic                  execute_q, execute_d;
  logic [7:0]            first_q, first_d, replicas_q, replicas_d, left_q, left_d;
  logic [AddressBits-1:0] row_q, row_d;
  logic [WordBits-1:0]    index_q, index_d;

  // ---- the head: is it its turn? --------------------------------------------------------------------
  logic [7:0]  command;
  logic [31:0] number;
  logic        is_next_q, is_last_q, is_again, writes, asks, has_place;
  assign command   = word_q[31:24];
  assign number    = word_q[63:32];
  assign is_again  = is_last_q && command == last_command_q;
  assign writes    = command == topology_pkg::UartTables || command == topology_pkg::UartSpins ||
                     command == topology_pkg::UartRun;
  assign asks      = command == topology_pkg::UartReadSpins ||
                     command == topology_pkg::UartReadBest;
  assign has_place = command != topology_pkg::UartTables;

  // Sum and comparison are 32 bits wide, so they take a clock each.
  always_ff @(posedge clk_i) begin
    next_q    <= last_q + 1'b1;
    is_next_q <= number == next_q;
    is_last_q <= number == last_q;
  end

  // ---- the place: which replicas --------------------------------------------------------------------
  logic [8:0] past;
  logic       bad_place;
  assign past      = {1'b0, word_q[55:48]} + {1'b0, word_q[63:56]};
  assign bad_place = word_q[63:56] == '0 || past > 9'(MaxReplicas);

  // ---- records ----------------------------------------------------------------------------------------
  localparam int unsigned ViolationBytes = OutcomeBytes - 2 * EnergyBytes;
  logic [8*OutcomeBytes-1:0] outcome_q;
  logic [63:0]               state_word_q, best_word_q, record;
  logic                      runs, spins, last_word;  // last_word: the record ends with this one
  assign runs    = command_q == topology_pkg::UartRun;
  assign spins   = command_q == topology_pkg::UartReadSpins;
  always_ff @(posedge clk_i) begin  // block RAM is slow
    state_word_q <= state_word_i;
    best_word_q  <= best_word_i;
    outcome_q    <= {found_i, (8 * ViolationBytes - 1)'(violations_i),
                     (8 * EnergyBytes)'($signed(best_i)), (8 * EnergyBytes)'($signed(energy_i))};
  end
  always_comb begin
    record = best_word_q & {64{outcome_q[8*OutcomeBytes-1]}};
    if (spins) record = state_word_q;
    if (runs) record = 64'(outcome_q);
  end
  assign last_word = runs || index_q == WordBits'(StateWords - 1);
  always_comb begin
    load_word_o = '0;
    if (runs) begin
      load_word_o[8*BetaBytes-1:0] = word_q[64-8*ParameterBytes+:8*BetaBytes];
      load_word_o[47:32]           = word_q[63:48];
    end else if (last_word) begin
      load_word_o[8*LastBytes-1:0] = word_q[63:64-8*LastBytes];
    end else begin
      load_word_o = word_q;
    end
  end

  function automatic logic [3:0] state_bytes(input logic [WordBits-1:0] index);
    state_bytes = index == WordBits'(StateWords - 1) ? 4'(LastBytes) : 4'd8;
  endfunction

  // ---- the steps: next state, then the registers ----------------------------------------------------
  logic sent;
  assign sent = send_valid_o && send_ready_i;
  always_comb begin
    state_d        = state_q;
    then_d         = then_q;
    at_d           = at_q;
    count_d        = count_q;
    word_d         = word_q;
    command_d      = command_q;
    last_command_d = last_command_q;
    code_d         = code_q;
    last_d         = last_q;
    execute_d      = execute_q;
    first_d        = first_q;
    replicas_d     = replicas_q;
    left_d         = left_q;
    row_d          = row_q;
    index_d        = index_q;
    unique case (state_q)
      StIdle: begin
        at_d      = '0;
        count_d   = 4'(HeadBytes);
        then_d    = StCompare;
        code_d    = {5'd0, topology_pkg::CodeOk};
        execute_d = 1'b0;
        if (frame_i) state_d = StFetch;
      end
      StFetch:   state_d = StFetched;
      StFetched: state_d = StShift;
      StShift: begin
        word_d  = {read_data_i, word_q[63:8]};
        at_d    = at_q + 1'b1;
        count_d = count_q - 1'b1;
        state_d = (count_q == 4'd1) ? then_q : StFetch;
      end
      StCompare: state_d = StHead;
      StHead: begin
        command_d = command;
        count_d   = 4'd2;
        then_d    = has_place ? StPlace : StTable;
        execute_d = is_next_q;
        state_d   = StFetch;
        if (command == topology_pkg::UartOpen) begin
          last_d         = number;
          last_command_d = command;
          state_d        = StReply;
        end else if (!(writes || asks)) begin
          code_d  = topology_pkg::UartBadFrame;
          state_d = StReply;
        end else if (!(asks ? is_last_q : is_next_q || is_again)) begin
          code_d  = topology_pkg::UartOutOfStep;
          state_d = StReply;
        end else if (!has_place && length_i != BufferBits'(TableFrame)) begin
          code_d  = topology_pkg::UartBadFrame;
          state_d = StReply;
        end else if (!has_place && !is_next_q) begin
          state_d = StReply;
        end
      end

      StTable: begin
        count_d = 4'd2;
        if (table_ready_i) state_d = (at_q == length_i) ? StTablesEnd : StFetch;
      end
      StTablesEnd: if (!tables_busy_i) state_d = StEnd;

      StPlace: begin
        first_d    = word_q[55:48];
        replicas_d = word_q[63:56];
        left_d     = word_q[63:56];
        row_d      = word_q[48+:AddressBits];
        index_d    = '0;
        count_d    = runs ? 4'(ParameterBytes) : state_bytes('0);
        then_d     = StRecord;
        state_d    = execute_q ? StFetch : StReply;
        if (bad_place) begin
          code_d  = {5'd0, topology_pkg::CodeBadReplicas};
          state_d = execute_q ? StEnd : StReply;  // refused, but its number counts
        end
      end
      StRecord: begin
        state_d = StFetch;
        index_d = last_word ? '0 : index_q + 1'b1;
        count_d = runs ? 4'(ParameterBytes) : state_bytes(index_d);
        if (last_word) begin
          row_d  = row_q + 1'b1;
          left_d = left_q - 1'b1;
        end
        if (last_word && left_q == 8'd1) begin
          count_d = 4'd8;
          then_d  = StSeed;
          if (!runs) state_d = StEnd;
        end
      end
      // The register must not change while it is read: streams first, then the sweeps.
      StSeed: state_d = StSeeding;
      StSeeding: begin
        count_d = 4'd4;
        then_d  = StSweeps;
        if (!seed_busy_i) state_d = StFetch;
      end
      StSweeps: state_d = StBurst;
      StBurst:  if (!burst_busy_i) state_d = StEnd;
      StEnd: begin
        last_d         = next_q;
        last_command_d = command_q;
        state_d        = StReply;
        if (code_q == '0 && at_q != length_i) code_d = topology_pkg::UartBadFrame;
      end

      StReply: begin
        at_d    = '0;
        count_d = 4'(HeadBytes);
        then_d  = StCode;
        state_d = StEcho;
      end
      StEcho:   state_d = StEchoed;
      StEchoed: state_d = StEchoSend;
      StEchoSend: begin
        if (sent) begin
          at_d    = at_q + 1'b1;
          count_d = count_q - 1'b1;
          state_d = (count_q == 4'd1) ? then_q : StEcho;
        end
      end
      StCode: begin
        count_d = 4'd2;
        then_d  = StRow;
        row_d   = first_q[AddressBits-1:0];
        index_d = '0;
        left_d  = replicas_q;
        if (sent) begin
          state_d = StFinish;
          if (code_q == '0) begin
            if (command_q == topology_pkg::UartOpen) begin
              state_d = StGreeting;
              at_d    = '0;
            end else if (command_q >= topology_pkg::UartRun) begin
              state_d = StEcho;
            end
          end
        end
      end
      StGreeting: begin
        if (sent) begin
          at_d = at_q + 1'b1;
          if (at_q == BufferBits'(GreetingBytes - 1)) state_d = StFinish;
        end
      end
      StRow: state_d = StRowRead;
      StRowRead: state_d = StRowTake;
      StRowTake: begin
        word_d  = record;
        count_d = runs ? 4'(OutcomeBytes) : state_bytes(index_q);
        state_d = StSend;
      end
      StSend: begin
        if (sent) begin
          word_d  = {8'd0, word_q[63:8]};
          count_d = count_q - 1'b1;
          if (count_q == 4'd1) begin
            index_d = last_word ? '0 : index_q + 1'b1;
            state_d = StRow;
            if (last_word) begin
              row_d  = row_q + 1'b1;
              left_d = left_q - 1'b1;
              if (left_q == 8'd1) state_d = StFinish;
            end
          end
        end
      end
      StFinish: if (send_done_i) state_d = StIdle;
      default:  state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q        <= StIdle;
      then_q         <= StIdle;
      at_q           <= '0;
      count_q        <= '0;
      last_q         <= '0;
      last_command_q <= '0;
    end else begin
      state_q        <= state_d;
      then_q         <= then_d;
      at_q           <= at_d;
      count_q        <= count_d;
      last_q         <= last_d;
      last_command_q <= last_command_d;
    end
  end
  // Set before they are read.
  always_ff @(posedge clk_i) begin
    word_q     <= word_d;
    command_q  <= command_d;
    code_q     <= code_d;
    execute_q  <= execute_d;
    first_q    <= first_d;
    replicas_q <= replicas_d;
    left_q     <= left_d;
    row_q      <= row_d;
    index_q    <= index_d;
  end

  // ---- outputs ------------------------------------------------------------------------------------------
  always_comb begin
    send_valid_o = state_q == StEchoSend || state_q == StCode || state_q == StGreeting ||
                   state_q == StSend;
    send_byte_o  = word_q[7:0];
    if (state_q == StEchoSend)
      send_byte_o = read_data_i | ((at_q == '0) ? topology_pkg::UartReply : 8'd0);
    if (state_q == StCode) send_byte_o = code_q;
    if (state_q == StGreeting) send_byte_o = greeting[{at_q[6:0], 3'd0}+:8];
  end
  assign send_finish_o    = state_q == StFinish;
  assign release_o        = state_q == StFinish && send_done_i;
  assign read_address_o   = at_q;
  assign first_o          = first_q[AddressBits-1:0];
  assign replicas_o       = IndexBits'(replicas_q);
  assign sweeps_o         = word_q[63:32];
  assign seed_o           = word_q;
  assign tables_start_o   = state_q == StHead && command == topology_pkg::UartTables && is_next_q;
  assign table_valid_o    = state_q == StTable;
  assign table_word_o     = word_q[63:48];
  assign state_load_o     = state_q == StRecord && !runs;
  assign parameter_load_o = state_q == StRecord && runs;
  assign seed_start_o     = state_q == StSeed;
  assign burst_start_o    = state_q == StSweeps;
  assign reading_o        = state_q != StBurst;
  assign row_o            = row_q;
  assign index_o          = index_q;

  logic unused_bits;
  assign unused_bits = ^{first_q, replicas_q, state_word_q, best_word_q};
endmodule
`default_nettype wire

// Joins one Verilated board to BoardCore. Compiled once for each board with BOARD_MODEL set to the
// model's class, BOARD_NAME to the board's name, BOARD_DIVIDER to the clocks of a bit and
// BOARD_BUSY(model) to the level of its busy LED.
#include <verilated.h>

#include "board/board_core.hpp"

#define BOARD_QUOTE_(x) #x
#define BOARD_QUOTE(x) BOARD_QUOTE_(x)
#include BOARD_QUOTE(BOARD_MODEL.h)

namespace chainmail::sim {
namespace {

class VerilatedBoard : public BoardCore {
 public:
  VerilatedBoard() : model_(&context_, BOARD_QUOTE(BOARD_NAME)) {
    // Until reset has gone.
    for (int i = 0; i < 64; ++i) VerilatedBoard::clock(true);
  }
  ~VerilatedBoard() override { model_.final(); }
  VerilatedBoard(const VerilatedBoard&) = delete;
  VerilatedBoard& operator=(const VerilatedBoard&) = delete;

  bool clock(bool rx) override {
    model_.uart_rx = rx;
    model_.clk_osc = 0;
    model_.eval();
    model_.clk_osc = 1;
    model_.eval();
    return model_.uart_tx;
  }
  bool busy() const override { return BOARD_BUSY(model_); }
  unsigned clocks_per_bit() const override { return BOARD_DIVIDER; }

 private:
  VerilatedContext context_;
  BOARD_MODEL model_;
};

[[maybe_unused]] const bool entered =
    BoardCore::enter(BOARD_QUOTE(BOARD_NAME), [] { return std::make_unique<VerilatedBoard>(); });

}  // namespace
}  // namespace chainmail::sim

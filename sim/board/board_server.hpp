// A simulated board behind a pseudo-terminal: what a client writes goes to the board's pin as bits,
// what the board answers comes back as bytes. Noise can be injected in between.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "board/board_core.hpp"
#include "board/serial_pins.hpp"

namespace chainmail::sim {

// What the line does to bytes and levels. Empty functions change nothing.
struct LineNoise {
  using Bytes = std::vector<std::uint8_t>;
  std::function<Bytes(Bytes)> to_board, to_host;
  std::function<bool(bool)> level;  // of the board's input, every clock
};

class BoardServer {
 public:
  explicit BoardServer(std::unique_ptr<BoardCore> core, LineNoise noise = {});
  ~BoardServer();
  BoardServer(const BoardServer&) = delete;
  BoardServer& operator=(const BoardServer&) = delete;

  const std::string& path() const { return path_; }  // of the terminal, for --device uart:
  // Until a client has connected and left, or stop is set; `stay` waits for more clients.
  void serve(const std::atomic<bool>& stop, bool stay = false);

 private:
  enum class Client { absent, present };
  Client exchange();
  void clock_board();
  bool idle() const;

  std::unique_ptr<BoardCore> core_;
  LineNoise noise_;
  SerialPins pins_;
  int terminal_ = -1;
  std::string path_;
  bool tx_ = true;
  std::vector<std::uint8_t> unsent_;
};

}  // namespace chainmail::sim

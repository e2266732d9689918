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

// What a board has done since it was switched on. Clocks in which it waits for its host do not
// count: the simulated board is slower than a real one, its host is not.
struct BoardUse {
  std::uint64_t on_line = 0,
                at_work = 0;  // clocks: bits in transit; a frame in hand, none in transit
  std::uint64_t bytes_in = 0, bytes_out = 0;
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
  const BoardUse& use() const { return use_; }  // when serve() has returned

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
  BoardUse use_;
};

}  // namespace chainmail::sim

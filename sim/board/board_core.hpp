// A Verilated board as its pins: give it a clock and the level of its serial input, get the level
// of its serial output. The boards of one program are found by their names.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace chainmail::sim {

class BoardCore {
 public:
  virtual ~BoardCore() = default;
  virtual bool clock(bool rx) = 0;  // one clock; the level of tx after it
  virtual bool busy() const = 0;    // from its LED: a frame is being executed
  virtual unsigned clocks_per_bit() const = 0;

  static std::vector<std::string> names();
  static std::unique_ptr<BoardCore> make(const std::string& board);  // UsageError for others

  // Each model registers itself here when the program starts.
  using Factory = std::function<std::unique_ptr<BoardCore>()>;
  static bool enter(const std::string& board, Factory factory);
};

}  // namespace chainmail::sim

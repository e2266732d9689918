// The shell of an F2 instance, clock by clock: accesses of the instance to BAR0 and BAR4 become
// transactions on OCL and PCIS, as the HDK's "AWS Shell Interface Specification" has them. Writes
// are posted: they take effect some time later, in order on their own bus and in none between the
// buses. A read waits for its bus's writes. What is not answered within 8 us, or against the
// protocol, is a fault: from there on every read is all ones, as after a timeout of the shell.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bar/cl_core.hpp"

namespace chainmail::sim {

struct ShellBehaviour {
  double stall = 0;          // chance a clock that the shell is not ready, or offers nothing
  unsigned pcis_delay = 0;   // clocks that writes to BAR4 lag behind
  unsigned round_trip = 16;  // clocks that pass in a read, besides its own
  bool dead = false;         // nobody answers
  bool stuck = false;        // the kernel's start does not reach it
  std::uint64_t seed = 1;
};

class ShellModel {
 public:
  explicit ShellModel(std::unique_ptr<ClCore> core, const ShellBehaviour& behaviour = {});

  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address);

  // A PCIS transaction: whole rows from the address's on, the bytes that strobe names; no
  // transaction crosses 4 KiB. Posted, like a register's; idle() when all have been answered.
  struct Row {
    Beat bytes{};
    std::uint64_t strobe = ~std::uint64_t{0};
  };
  void write(std::uint64_t address, std::span<const Row> rows);
  void read(std::uint64_t address, std::span<Beat> rows);
  // The same without waiting; results in order from finished().
  void request(std::uint64_t address, unsigned rows);
  std::vector<Beat> finished();

  bool idle() const;
  void clock(std::uint64_t clocks);
  ShellBehaviour& behaviour() { return behaviour_; }
  std::uint64_t clocks() const { return now_; }
  std::uint32_t id() const { return out_.id; }
  const std::string& fault() const { return fault_; }
  std::uint64_t refusals() const { return refusals_; }  // answers other than OKAY

 private:
  struct Posted {
    std::uint64_t due = 0, since = 0;
    std::uint64_t address = 0;
    std::vector<Row> rows;
  };
  struct Waiting {
    std::uint64_t since, address;
    unsigned rows;
  };
  void step();
  void drive_registers();
  void drive_writes();
  void drive_reads();
  void take();
  void take_write();
  void take_read();
  void check_time(std::uint64_t since, const char* what);
  bool chance();
  void fail(const std::string& what);

  std::unique_ptr<ClCore> core_;
  ShellBehaviour behaviour_;
  ClInputs in_;
  ClOutputs out_;
  std::uint64_t now_ = 0, random_, refusals_ = 0;
  std::string fault_;
  // OCL: one transaction at a time.
  struct Register {
    std::uint32_t address, value;
  };
  std::deque<Register> register_writes_;
  bool reading_register_ = false, register_address_left_ = false, register_data_left_ = false;
  bool register_open_ = false;
  std::uint64_t register_since_ = 0;
  std::uint32_t register_value_ = 0;
  // PCIS: addresses, data and answers of writes are not at the same transaction.
  std::deque<Posted> posted_, data_, answers_;
  std::size_t row_ = 0;  // of data_.front()
  std::deque<Waiting> reads_, open_reads_;
  unsigned read_row_ = 0;
  std::vector<Beat> finished_;
};

}  // namespace chainmail::sim

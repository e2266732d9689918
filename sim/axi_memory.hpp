// A memory behind an AXI4 port, clock by clock: sparse regions at any address, stalls on every
// channel, error answers, answers out of order between IDs. It also checks the master: a protocol
// violation throws a DeviceError that names the rule.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "axi_pins.hpp"

namespace chainmail::sim {

// How unkind the memory is. Stalls are probabilities per clock.
struct AxiBehaviour {
  double stall_read_address = 0, stall_read = 0;
  double stall_write_address = 0, stall_write = 0, stall_response = 0;
  unsigned latency = 0;  // clocks between an address and its first answer
  bool reorder = false;  // answers of different IDs may overtake each other
  bool shy = false;      // READY rises only after VALID, as AXI allows: waiting for it hangs
  std::uint64_t seed = 1;

  static AxiBehaviour kind() { return {}; }
  static AxiBehaviour stalling(double probability, std::uint64_t seed);
};

class AxiMemory {
 public:
  explicit AxiMemory(unsigned beat_bytes);

  // Regions must not overlap; an access outside all of them is answered with a decode error.
  void allocate(std::uint64_t base, std::size_t bytes);
  void release(std::uint64_t base);
  // Bytes inside one region; throws DeviceError otherwise.
  std::span<std::uint8_t> at(std::uint64_t address, std::size_t bytes);

  void behave(const AxiBehaviour& behaviour);
  // Accesses that touch [base, base + bytes) are answered with `response` and not performed.
  void fail_reads(std::uint64_t base, std::uint64_t bytes, Response response);
  void fail_writes(std::uint64_t base, std::uint64_t bytes, Response response);
  void heal() { read_faults_.clear(), write_faults_.clear(); }

  // What the memory drives during this clock, and the rising edge at its end.
  const AxiReply& reply() const { return reply_; }
  void clock(const AxiRequest& request);
  // Both sides are reset together, as by a platform.
  void reset();
  bool idle() const;

  struct Statistics {
    std::uint64_t read_bursts = 0, read_beats = 0, write_bursts = 0, write_beats = 0;
    std::uint64_t bytes_written = 0;  // strobes that were set
    std::uint64_t reading = 0;        // clocks in which a read was in flight
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Fault {
    std::uint64_t base, bytes;
    Response response;
  };
  struct ReadBurst {
    AxiAddress address;
    unsigned done = 0;
    std::uint64_t earliest = 0;
  };
  struct Answer {
    unsigned id;
    Response response;
    std::uint64_t earliest;
  };
  void check(const AxiRequest& request) const;
  void check_burst(const char* channel, const AxiAddress& address) const;
  void take(const AxiRequest& request);
  void perform_writes();
  Response perform_burst(const AxiAddress& address);
  void offer_read();
  void offer_response();
  void offer_ready();
  bool chance(double probability);
  template <class Queue, class Id>
  std::size_t choose(const Queue& queue, Id id);
  Response access(std::uint64_t address, const std::vector<Fault>& faults, std::uint8_t** bytes);

  unsigned beat_bytes_;
  std::map<std::uint64_t, std::vector<std::uint8_t>> regions_;
  std::vector<Fault> read_faults_, write_faults_;
  AxiBehaviour behaviour_;
  std::uint64_t random_ = 1, now_ = 0;
  std::deque<ReadBurst> reads_;
  std::deque<AxiAddress> writes_;
  std::deque<AxiWriteBeat> beats_;
  std::deque<Answer> answers_;
  AxiRequest last_request_;
  AxiReply reply_;
  Statistics statistics_;
};

}  // namespace chainmail::sim

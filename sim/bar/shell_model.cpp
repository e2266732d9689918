#include "bar/shell_model.hpp"

#include <fmt/format.h>

#include <utility>

#include "support/error.hpp"
#include "support/random.hpp"
#include "topology/contract.hpp"

namespace chainmail::sim {
namespace {

constexpr unsigned kPcieId = 0x20;         // of what the instance sends
constexpr std::uint64_t kPatience = 2000;  // 8 us at 250 MHz
constexpr std::size_t kMostOpen = 32;      // transactions of a kind
constexpr unsigned kRowBits = 6;
constexpr std::uint32_t kAllOnes = 0xffff'ffff;

}  // namespace

ShellModel::ShellModel(std::unique_ptr<ClCore> core, const ShellBehaviour& behaviour)
    : core_(std::move(core)), behaviour_(behaviour), random_(mix64(behaviour.seed)) {
  for (int i = 0; i < 8; ++i) step();
  in_.reset_n = true;
  clock(4);
}

void ShellModel::fail(const std::string& what) {
  if (fault_.empty()) fault_ = fmt::format("{} (clock {})", what, now_);
}

bool ShellModel::chance() {
  return behaviour_.stall > 0 && unit_interval(mix64(random_++)) < behaviour_.stall;
}

void ShellModel::check_time(std::uint64_t since, const char* what) {
  if (now_ - since > kPatience) fail(fmt::format("{}: not over after 8 us", what));
}

void ShellModel::clock(std::uint64_t clocks) {
  for (std::uint64_t i = 0; i < clocks; ++i) step();
}

bool ShellModel::idle() const {
  return register_writes_.empty() && !register_open_ && posted_.empty() && data_.empty() &&
         answers_.empty() && reads_.empty() && open_reads_.empty();
}

void ShellModel::step() {
  drive_registers();
  drive_writes();
  drive_reads();
  core_->settle(in_, out_);
  if (in_.reset_n) take();
  core_->edge();
  ++now_;
}

// ---- OCL
// --------------------------------------------------------------------------------------------

void ShellModel::drive_registers() {
  ControlRequest& c = in_.ocl;
  if (!register_open_ && !register_writes_.empty() && !reading_register_) {
    c.write_address = register_writes_.front().address;
    c.write_data = register_writes_.front().value;
    register_open_ = register_address_left_ = register_data_left_ = true;
    register_since_ = now_;
  }
  const bool writing = register_open_ && !reading_register_;
  // VALID stays until it is accepted; only raising it may be delayed.
  c.write_address_valid = writing && register_address_left_ && (c.write_address_valid || !chance());
  c.write_valid = writing && register_data_left_ && (c.write_valid || !chance());
  c.response_ready = !chance();
  c.read_address_valid =
      reading_register_ && register_address_left_ && (c.read_address_valid || !chance());
  c.read_ready = !chance();
}

void ShellModel::write_register(std::uint32_t address, std::uint32_t value) {
  if (behaviour_.dead) return;
  if (behaviour_.stuck && address == contract::kControl) return;
  register_writes_.push_back({address, value});
  step();
}

std::uint32_t ShellModel::read_register(std::uint32_t address) {
  while (!behaviour_.dead && fault_.empty() && (register_open_ || !register_writes_.empty()))
    step();
  clock(behaviour_.round_trip);
  if (behaviour_.dead || !fault_.empty()) return kAllOnes;
  in_.ocl.read_address = address;
  reading_register_ = register_open_ = register_address_left_ = true;
  register_since_ = now_;
  while (register_open_ && fault_.empty()) step();
  reading_register_ = false;
  return fault_.empty() ? register_value_ : kAllOnes;
}

// ---- PCIS
// -------------------------------------------------------------------------------------------

void ShellModel::write(std::uint64_t address, std::span<const Row> rows) {
  if (behaviour_.dead) return;
  while (posted_.size() + answers_.size() >= kMostOpen && fault_.empty()) step();
  const std::uint64_t due = now_ + behaviour_.pcis_delay;
  posted_.push_back({due, due, address, {rows.begin(), rows.end()}});
  step();
}

void ShellModel::request(std::uint64_t address, unsigned rows) {
  while (reads_.size() + open_reads_.size() >= kMostOpen && fault_.empty()) step();
  reads_.push_back({now_, address, rows});
}

std::vector<Beat> ShellModel::finished() {
  return std::exchange(finished_, {});
}

void ShellModel::read(std::uint64_t address, std::span<Beat> rows) {
  // A read pushes the writes before it.
  const auto writing = [&] { return !posted_.empty() || !data_.empty() || !answers_.empty(); };
  while (!behaviour_.dead && fault_.empty() && writing()) step();
  clock(behaviour_.round_trip);
  if (!behaviour_.dead) request(address, static_cast<unsigned>(rows.size()));
  while (fault_.empty() && (!reads_.empty() || !open_reads_.empty())) step();
  const std::vector<Beat> beats = finished();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i < beats.size() && fault_.empty())
      rows[i] = beats[i];
    else
      rows[i].fill(0xff);
  }
}

void ShellModel::drive_writes() {
  AxiAddress& a = in_.pcis.write;
  if (!a.valid && !posted_.empty() && posted_.front().due <= now_ && !chance()) {
    Posted& next = posted_.front();
    a = {true, next.address, kPcieId, static_cast<unsigned>(next.rows.size() - 1), kRowBits, 1};
    next.since = now_;
    // Data may come before or after the address.
    data_.push_back(next);
    answers_.push_back(std::move(next));
    posted_.pop_front();
  }
  AxiWriteBeat& w = in_.pcis.data;
  if (!w.valid && !data_.empty() && !chance()) {
    const Posted& from = data_.front();
    w = {true, from.rows[row_].bytes, from.rows[row_].strobe, row_ + 1 == from.rows.size()};
  }
  in_.pcis.response_ready = !chance();
}

void ShellModel::drive_reads() {
  AxiAddress& a = in_.pcis.read;
  if (!a.valid && !reads_.empty() && !chance()) {
    a = {true, reads_.front().address, kPcieId, reads_.front().rows - 1, kRowBits, 1};
    reads_.front().since = now_;
    open_reads_.push_back(reads_.front());
    reads_.pop_front();
  }
  in_.pcis.read_ready = !chance();
}

// ---- what the edge does
// -------------------------------------------------------------------------------

void ShellModel::take() {
  const ControlRequest& c = in_.ocl;
  const ControlReply& r = out_.ocl;
  if (c.write_address_valid && r.write_address_ready) register_address_left_ = false;
  if (c.read_address_valid && r.read_address_ready) register_address_left_ = false;
  if (c.write_valid && r.write_ready) register_data_left_ = false;
  if (c.response_ready && r.response_valid) {
    if (reading_register_ || !register_open_ || register_address_left_ || register_data_left_)
      fail("OCL: an answer to no write");
    else
      register_writes_.pop_front();
    register_open_ = false;
  }
  if (c.read_ready && r.read_valid) {
    if (!reading_register_ || register_address_left_) fail("OCL: data that nobody asked for");
    register_value_ = r.read_data;
    register_open_ = false;
  }
  if (register_open_) check_time(register_since_, "OCL");
  take_write();
  take_read();
}

void ShellModel::take_write() {
  AxiRequest& q = in_.pcis;
  const AxiReply& r = out_.pcis;
  if (q.write.valid && r.write_address_ready) q.write.valid = false;
  if (q.data.valid && r.write_ready) {
    if (q.data.last) {
      data_.pop_front();
      row_ = 0;
    } else {
      ++row_;
    }
    q.data.valid = false;
  }
  if (r.response_valid && q.response_ready) {
    // The oldest's: its data must have gone.
    if (answers_.size() <= data_.size())
      fail("PCIS: a write is answered before its data");
    else
      answers_.pop_front();
    if (r.response_id != kPcieId) fail("PCIS: BID is not AWID");
    if (r.response != Response::okay) ++refusals_;
  }
  if (!answers_.empty()) check_time(answers_.front().since, "PCIS: a write");
}

void ShellModel::take_read() {
  AxiRequest& q = in_.pcis;
  const AxiReply& r = out_.pcis;
  if (q.read.valid && r.read_address_ready) q.read.valid = false;
  if (r.read_valid && q.read_ready) {
    if (open_reads_.empty()) return fail("PCIS: data that nobody asked for");
    if (r.read_id != kPcieId) fail("PCIS: RID is not ARID");
    if (r.read_response != Response::okay) ++refusals_;
    finished_.push_back(r.read_data);
    const bool last = ++read_row_ == open_reads_.front().rows;
    if (r.read_last != last) fail("PCIS: RLAST at the wrong beat");
    if (last) {
      open_reads_.pop_front();
      read_row_ = 0;
    }
  }
  if (!open_reads_.empty()) check_time(open_reads_.front().since, "PCIS: a read");
}

}  // namespace chainmail::sim

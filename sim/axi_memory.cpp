// Every answer is decided at the edge before it is driven, from queues of what was accepted, so the
// model has no combinational path from the master's wires to its own: the strictest timing a real
// interconnect has. Order is kept where AXI4 requires it (within an ID, and for write data) and not
// elsewhere.
#include "axi_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail::sim {

AxiBehaviour AxiBehaviour::stalling(double probability, std::uint64_t seed) {
  AxiBehaviour b;
  b.stall_read_address = b.stall_read = probability;
  b.stall_write_address = b.stall_write = b.stall_response = probability;
  b.latency = 7;
  b.reorder = true;
  b.seed = seed;
  return b;
}

AxiMemory::AxiMemory(unsigned beat_bytes) : beat_bytes_(beat_bytes) {
  reset();
}

void AxiMemory::allocate(std::uint64_t base, std::size_t bytes) {
  auto next = regions_.upper_bound(base);
  bool overlaps = next != regions_.end() && next->first < base + bytes;
  if (next != regions_.begin()) {
    auto before = std::prev(next);
    overlaps |= before->first + before->second.size() > base;
  }
  if (overlaps) throw DeviceError(fmt::format("memory region {:#x} overlaps another", base));
  regions_[base].assign(bytes, 0);
}

void AxiMemory::release(std::uint64_t base) {
  if (regions_.erase(base) == 0)
    throw DeviceError(fmt::format("no memory region starts at {:#x}", base));
}

std::span<std::uint8_t> AxiMemory::at(std::uint64_t address, std::size_t bytes) {
  auto region = regions_.upper_bound(address);
  if (region != regions_.begin()) {
    --region;
    const std::uint64_t offset = address - region->first;
    if (offset <= region->second.size() && bytes <= region->second.size() - offset)
      return std::span(region->second).subspan(offset, bytes);
  }
  throw DeviceError(fmt::format("no memory region holds {} bytes at {:#x}", bytes, address));
}

void AxiMemory::behave(const AxiBehaviour& behaviour) {
  behaviour_ = behaviour;
  random_ = behaviour.seed;
}

void AxiMemory::fail_reads(std::uint64_t base, std::uint64_t bytes, Response response) {
  read_faults_.push_back({base, bytes, response});
}

void AxiMemory::fail_writes(std::uint64_t base, std::uint64_t bytes, Response response) {
  write_faults_.push_back({base, bytes, response});
}

void AxiMemory::reset() {
  reads_.clear();
  writes_.clear();
  beats_.clear();
  answers_.clear();
  last_request_ = {};
  reply_ = {};
}

bool AxiMemory::idle() const {
  return reads_.empty() && writes_.empty() && beats_.empty() && answers_.empty() &&
         !reply_.read_valid && !reply_.response_valid;
}

bool AxiMemory::chance(double probability) {
  return probability > 0 && unit_interval(mix64(random_++)) < probability;
}

void AxiMemory::clock(const AxiRequest& request) {
  check(request);
  last_request_ = request;
  take(request);
  if (!reads_.empty()) ++statistics_.reading;
  perform_writes();
  ++now_;
  offer_read();
  offer_response();
  offer_ready();
}

// ---- the master's side of the contract --------------------------------------------------------

void AxiMemory::check(const AxiRequest& request) const {
  // last_request_ holds only what was not taken (see take).
  const auto kept = [](const auto& waiting, const auto& now) {
    return !waiting.valid || waiting == now;
  };
  if (!kept(last_request_.read, request.read))
    throw DeviceError("AXI: AR changed or withdrawn before it was taken");
  if (!kept(last_request_.write, request.write))
    throw DeviceError("AXI: AW changed or withdrawn before it was taken");
  if (!kept(last_request_.data, request.data))
    throw DeviceError("AXI: W changed or withdrawn before it was taken");
  if (request.read.valid) check_burst("AR", request.read);
  if (request.write.valid) check_burst("AW", request.write);
}

void AxiMemory::check_burst(const char* channel, const AxiAddress& a) const {
  const std::uint64_t last = a.address + (a.length + 1ull) * beat_bytes_ - 1;
  if (a.address >> 12 != last >> 12)
    throw DeviceError(fmt::format("AXI: {} burst of {} beats at {:#x} crosses 4 KiB", channel,
                                  a.length + 1, a.address));
  if (a.address % beat_bytes_ != 0 || (1u << a.size) != beat_bytes_ || a.burst != 1)
    throw DeviceError(fmt::format("AXI: {} at {:#x} is not an aligned INCR burst of whole beats",
                                  channel, a.address));
}

// ---- what the edge does -------------------------------------------------------------------------

void AxiMemory::take(const AxiRequest& request) {
  if (request.read.valid && reply_.read_address_ready) {
    last_request_.read.valid = false;
    reads_.push_back({request.read, 0, now_ + behaviour_.latency});
    ++statistics_.read_bursts;
  }
  if (request.write.valid && reply_.write_address_ready) {
    last_request_.write.valid = false;
    writes_.push_back(request.write);
    ++statistics_.write_bursts;
  }
  if (request.data.valid && reply_.write_ready) {
    last_request_.data.valid = false;
    beats_.push_back(request.data);
    ++statistics_.write_beats;
  }
  if (reply_.read_valid && request.read_ready) {
    reply_.read_valid = false;
    ++statistics_.read_beats;
  }
  if (reply_.response_valid && request.response_ready) reply_.response_valid = false;
}

Response AxiMemory::access(std::uint64_t address, const std::vector<Fault>& faults,
                           std::uint8_t** bytes) {
  for (const Fault& fault : faults)
    if (address < fault.base + fault.bytes && fault.base < address + beat_bytes_)
      return fault.response;
  auto region = regions_.upper_bound(address);
  if (region == regions_.begin()) return Response::decode_error;
  --region;
  const std::uint64_t offset = address - region->first;
  if (offset + beat_bytes_ > region->second.size()) return Response::decode_error;
  *bytes = region->second.data() + offset;
  return Response::okay;
}

Response AxiMemory::perform_burst(const AxiAddress& address) {
  Response worst = Response::okay;
  for (unsigned i = 0; i <= address.length; ++i) {
    const AxiWriteBeat& beat = beats_.front();
    if (beat.last != (i == address.length))
      throw DeviceError(fmt::format("AXI: WLAST wrong in the burst at {:#x}", address.address));
    std::uint8_t* bytes = nullptr;
    const Response response =
        access(address.address + std::uint64_t{i} * beat_bytes_, write_faults_, &bytes);
    for (unsigned b = 0; bytes != nullptr && b < beat_bytes_; ++b) {
      if (!(beat.strobe >> b & 1)) continue;
      bytes[b] = beat.data[b];
      ++statistics_.bytes_written;
    }
    worst = std::max(worst, response);
    beats_.pop_front();
  }
  return worst;
}

void AxiMemory::perform_writes() {
  while (!writes_.empty() && beats_.size() > writes_.front().length) {
    const AxiAddress address = writes_.front();
    writes_.pop_front();
    answers_.push_back({address.id, perform_burst(address), now_ + behaviour_.latency});
  }
}

// ---- what is driven next
// --------------------------------------------------------------------------

// The front, or with reordering the oldest entry of a randomly chosen ID.
template <class Queue, class Id>
std::size_t AxiMemory::choose(const Queue& queue, Id id) {
  if (!behaviour_.reorder) return 0;
  const std::size_t wish = mix64(random_++) % queue.size();
  for (std::size_t i = 0; i < wish; ++i)
    if (id(queue[i]) == id(queue[wish])) return i;
  return wish;
}

void AxiMemory::offer_read() {
  if (reply_.read_valid || reads_.empty() || chance(behaviour_.stall_read)) return;
  const std::size_t i = choose(reads_, [](const ReadBurst& r) { return r.address.id; });
  ReadBurst& burst = reads_[i];
  if (burst.earliest > now_) return;
  const std::uint64_t address = burst.address.address + std::uint64_t{burst.done} * beat_bytes_;
  std::uint8_t* bytes = nullptr;
  reply_.read_response = access(address, read_faults_, &bytes);
  // A beat with an error carries no data; make it implausible, in case somebody uses it.
  if (bytes != nullptr)
    std::copy_n(bytes, beat_bytes_, reply_.read_data.begin());
  else
    reply_.read_data.fill(0xa5);
  reply_.read_valid = true;
  reply_.read_id = burst.address.id;
  reply_.read_last = burst.done == burst.address.length;
  if (++burst.done > burst.address.length)
    reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(i));
}

void AxiMemory::offer_response() {
  if (reply_.response_valid || answers_.empty() || chance(behaviour_.stall_response)) return;
  const std::size_t i = choose(answers_, [](const Answer& a) { return a.id; });
  if (answers_[i].earliest > now_) return;
  reply_.response_valid = true;
  reply_.response_id = answers_[i].id;
  reply_.response = answers_[i].response;
  answers_.erase(answers_.begin() + static_cast<std::ptrdiff_t>(i));
}

void AxiMemory::offer_ready() {
  const auto ready = [&](bool room, bool shown, double stall) {
    return room && (shown || !behaviour_.shy) && !chance(stall);
  };
  // last_request_ holds what was shown and not taken.
  reply_.read_address_ready =
      ready(reads_.size() < 16, last_request_.read.valid, behaviour_.stall_read_address);
  reply_.write_address_ready =
      ready(writes_.size() < 16, last_request_.write.valid, behaviour_.stall_write_address);
  reply_.write_ready = ready(beats_.size() < 512, last_request_.data.valid, behaviour_.stall_write);
}

}  // namespace chainmail::sim

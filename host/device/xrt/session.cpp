#include "device/xrt/session.hpp"

#include <algorithm>
#include <utility>

#include "device/xrt/emulation.hpp"
#include "device/xrt/worker_process.hpp"
#include "support/error.hpp"

namespace chainmail {

using xrt_worker::Kind;
using xrt_worker::Packet;
using xrt_worker::PacketReader;
using xrt_worker::PacketWriter;

namespace {

constexpr const char* worker_name = "chainmail-xrt";
constexpr const char* preload_name = "libchainmail_emu.so";

std::string seconds(std::chrono::milliseconds time) {
  const auto tenths = time.count() / 100;
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10)) +
         " s";
}

}  // namespace

struct XrtSession::Process {
  RunFolder folder;  // outlives the worker
  WorkerProcess worker;

  explicit Process(const SessionOptions& options)
      : worker(folder, placed(options), environment(options)) {}

 private:
  // XRT writes its run files next to the program, where writing may not be allowed: so the program
  // goes into the run folder.
  std::string placed(const SessionOptions& options) const {
    const std::string source =
        options.worker.empty() ? find_companion(worker_name) : options.worker;
    folder.place_program(source, worker_name);
    return folder.path() + "/" + worker_name;
  }
  std::map<std::string, std::string> environment(const SessionOptions& options) const {
    std::map<std::string, std::string> variables =
        options.emulated ? prepare_emulation(folder, find_companion(preload_name))
                         : prepare_xrt_home(folder);
    variables.insert(options.environment.begin(), options.environment.end());
    return variables;
  }
};

XrtSession::XrtSession(const SessionOptions& options) : options_(options) {
  try {
    process_ = std::make_unique<Process>(options_);
  } catch (const DeviceError& error) {
    throw DeviceError(options_.label + ": " + error.what());
  }
  PacketWriter question(Kind::open);
  question.put(std::string_view(options_.board)).put(std::string_view(options_.xclbin));
  question.put(std::string_view(options_.kernel));
  const Packet answer = ask(question, Kind::opened, "loading the xclbin");
  PacketReader reader(answer);
  board_ = reader.take_bytes();
  units_ = reader.take<std::uint32_t>();
}

XrtSession::~XrtSession() {
  if (process_) process_->worker.dismiss();
}

int XrtSession::worker_process() const {
  return process_ ? process_->worker.id() : -1;
}

// Ends the worker at once; a thread that still reads from it notices and returns.
void XrtSession::fail(Lock& lock, const std::string& what) {
  if (failure_.empty()) {
    failure_ = options_.label + ": " + what;
    process_->worker.kill_all();
    changed_.notify_all();
  }
  while (reading_) changed_.wait(lock);
  process_.reset();
  throw DeviceError(failure_);
}

void XrtSession::await(Lock& lock, const std::function<bool()>& there,
                       const std::function<Clock::time_point()>& deadline, const char* doing) {
  while (failure_.empty() && !there()) {
    if (reading_) {
      changed_.wait(lock);
      continue;
    }
    reading_ = true;
    const Clock::time_point end = deadline();
    lock.unlock();
    Packet packet;
    const WorkerProcess::Outcome outcome = process_->worker.receive(packet, end);
    lock.lock();
    reading_ = false;
    changed_.notify_all();
    if (!failure_.empty()) break;
    const auto reason = [this] {
      const std::string complaint = process_->worker.complaint();
      return complaint.empty() ? "" : ": " + complaint;
    };
    switch (outcome) {
      case WorkerProcess::Outcome::packet:
        take(lock, std::move(packet));
        break;
      case WorkerProcess::Outcome::late:
        fail(lock,
             std::string("no answer within ") + seconds(options_.timeout) + " while " + doing +
                 (options_.emulated ? " (--device-timeout sets the limit)"
                                    : " (reset the board with xbutil, or raise --device-timeout)") +
                 reason());
      case WorkerProcess::Outcome::gone:
        fail(lock, std::string("the device process ended while ") + doing + reason());
    }
  }
  if (!failure_.empty()) fail(lock, failure_);
}

void XrtSession::take(Lock& lock, Packet packet) {
  PacketReader reader(packet);
  if (packet.kind == Kind::fault) fail(lock, std::string(reader.take_bytes()));
  if (packet.kind != Kind::finished) {
    answer_ = std::move(packet);
    return;
  }
  const auto run = reader.take<std::uint32_t>();
  const std::string_view bytes = reader.take_bytes();
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  finished_[run].assign(first, first + bytes.size());
  last_end_ = Clock::now();
}

void XrtSession::send(Lock& lock, PacketWriter& packet, Clock::time_point deadline,
                      const char* doing) {
  if (!failure_.empty()) throw DeviceError(failure_);
  if (process_->worker.send(packet.seal(), deadline)) return;
  // Gone or stuck: receive() will fail with the reason, after anything it still sent.
  await(
      lock, [] { return false; }, [&] { return deadline; }, doing);
}

Packet XrtSession::ask(PacketWriter& question, Kind answer, const char* doing) {
  Lock lock(mutex_);
  const auto deadline = Clock::now() + options_.timeout;
  answer_.reset();
  send(lock, question, deadline, doing);
  await(
      lock, [&] { return answer_.has_value(); }, [&] { return deadline; }, doing);
  if (answer_->kind != answer) fail(lock, "unexpected answer of the XRT worker");
  return *std::exchange(answer_, std::nullopt);
}

XrtBuffer XrtSession::allocate(std::uint32_t unit, std::uint32_t argument, std::uint64_t size) {
  PacketWriter question(Kind::allocate);
  question.put(unit).put(argument).put(size);
  const Packet answer = ask(question, Kind::allocated, "allocating a buffer");
  return {PacketReader(answer).take<std::uint32_t>(), size};
}

void XrtSession::write(const XrtBuffer& buffer, std::span<const std::byte> content) {
  PacketWriter question(Kind::write);
  question.put(buffer.id).put(content);
  ask(question, Kind::written, "writing a buffer");
}

std::vector<std::byte> XrtSession::read(const XrtBuffer& buffer, std::uint64_t size) {
  PacketWriter question(Kind::read);
  question.put(buffer.id).put(size);
  const Packet answer = ask(question, Kind::content, "reading a buffer");
  const std::string_view bytes = PacketReader(answer).take_bytes();
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return {first, first + bytes.size()};
}

void XrtSession::start(const XrtLaunch& launch) {
  PacketWriter packet(Kind::launch);
  packet.put(launch.unit).put(launch.run);
  packet.put(static_cast<std::uint32_t>(launch.arguments.size()));
  for (const XrtArgument& argument : launch.arguments) {
    packet.put(argument.buffer ? std::uint32_t{0} : argument.scalar_bytes);
    packet.put(argument.buffer ? argument.buffer->id : argument.scalar);
    if (argument.buffer) packet.put(argument.offset);
  }
  packet.put(static_cast<std::uint32_t>(launch.writes.size()));
  for (const auto& write : launch.writes)
    packet.put(write.buffer.id).put(write.offset).put(write.content);
  packet.put(static_cast<std::uint32_t>(launch.reads.size()));
  for (const auto& read : launch.reads) packet.put(read.buffer.id).put(read.offset).put(read.size);
  Lock lock(mutex_);
  const auto now = Clock::now();
  started_[launch.run] = now;
  send(lock, packet, now + options_.timeout, "starting a burst");
}

std::vector<std::byte> XrtSession::wait(std::uint32_t run) {
  Lock lock(mutex_);
  // Runs queue up on a compute unit, so the timeout of this one starts at the latest when another
  // run ends.
  await(
      lock, [&] { return finished_.contains(run); },
      [&] { return std::max(started_[run], last_end_) + options_.timeout; }, "waiting for a burst");
  auto result = std::move(finished_[run]);
  finished_.erase(run);
  return result;
}

std::vector<std::string> list_xrt_boards(const std::string& worker) {
  const RunFolder folder;
  folder.place_program(worker.empty() ? find_companion(worker_name) : worker, worker_name);
  WorkerProcess process(folder, folder.path() + "/" + worker_name, prepare_xrt_home(folder));
  PacketWriter question(Kind::list);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  process.send(question.seal(), deadline);
  Packet answer;
  if (process.receive(answer, deadline) != WorkerProcess::Outcome::packet)
    throw DeviceError("cannot list boards: " + process.complaint());
  PacketReader reader(answer);
  if (answer.kind == Kind::fault) throw DeviceError(std::string(reader.take_bytes()));
  std::vector<std::string> boards(reader.take<std::uint32_t>());
  for (std::string& board : boards) board = reader.take_bytes();
  process.dismiss();
  return boards;
}

}  // namespace chainmail

// Each compute unit is opened as a kernel of its own, exclusively: replicas live in a unit's ring
// between bursts, so neither XRT's choice of unit nor another process may interfere. Ends of runs
// are taken from XRT's callbacks, because wait(timeout) of XRT 2.13 never times out in emulation;
// the driver at the other end of the socket keeps the clock.
#include "board.hpp"

#if __has_include(<xclbin.h>)
#include <xclbin.h>
#else
#include <xrt/detail/xclbin.h>
#endif

#include <fstream>
#include <iterator>
#include <stdexcept>

#if __has_include(<xrt/experimental/xrt_xclbin.h>)
#include <xrt/experimental/xrt_system.h>
#include <xrt/experimental/xrt_xclbin.h>
#else
#include <experimental/xrt_system.h>
#include <experimental/xrt_xclbin.h>
#endif

#include "device/xrt/xclbin_checksum.hpp"

namespace chainmail::xrt_worker {

namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Refuses what XRT would notice only later or never: a truncated file, and for our own emulation
// xclbins (which carry a checksum) any changed bit.
void check_container(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read xclbin " + path);
  const std::string content((std::istreambuf_iterator<char>(file)), {});
  axlf top{};
  constexpr std::size_t fixed = offsetof(axlf, m_sections);
  if (content.size() < fixed || content.compare(0, 8, std::string("xclbin2\0", 8)) != 0)
    throw std::runtime_error(path + " is not an xclbin");
  std::memcpy(&top, content.data(), fixed);
  if (top.m_header.m_length != content.size())
    throw std::runtime_error("xclbin " + path + " is damaged: " + std::to_string(content.size()) +
                             " bytes, its header says " + std::to_string(top.m_header.m_length));
  const std::string maker(top.m_header.m_debug_bin, sizeof top.m_header.m_debug_bin);
  if (!maker.starts_with(xclbin_maker)) return;
  if (xclbin_checksum(std::string_view(content).substr(fixed)) != top.m_uniqueId)
    throw std::runtime_error("xclbin " + path + " is damaged: its checksum does not match");
}

xrt::device open_device(const std::string& board) {
  const bool index = board.find_first_not_of("0123456789") == std::string::npos;
  try {
    return index ? xrt::device(static_cast<unsigned>(std::stoul(board))) : xrt::device(board);
  } catch (const std::exception& error) {
    throw std::runtime_error("XRT cannot open device " + board + ": " + first_line(error.what()));
  }
}

std::vector<std::string> unit_names(const std::string& path, const std::string& kernel) {
  const xrt::xclbin xclbin{std::string(path)};
  std::vector<std::string> names;
  std::string others;
  for (const auto& candidate : xclbin.get_kernels()) {
    if (candidate.get_name() != kernel) {
      others += (others.empty() ? "" : ", ") + candidate.get_name();
      continue;
    }
    for (const auto& unit : candidate.get_cus()) {
      const std::string name = unit.get_name();  // kernel:unit
      names.push_back(name.substr(name.find(':') + 1));
    }
  }
  if (names.empty())
    throw std::runtime_error("xclbin " + path + " has no kernel " + kernel +
                             (others.empty() ? "" : "; it has " + others));
  return names;
}

}  // namespace

std::vector<std::string> list_boards() {
  std::vector<std::string> lines;
  const unsigned count = xrt::system::enumerate_devices();
  for (unsigned i = 0; i < count; ++i) {
    const xrt::device device(i);
    lines.push_back(std::to_string(i) + " " + device.get_info<xrt::info::device::bdf>() + " " +
                    device.get_info<xrt::info::device::name>());
  }
  return lines;
}

Board::Board(const std::string& board, const std::string& xclbin, const std::string& kernel,
             EndHandler on_end)
    : on_end_(std::move(on_end)), kernel_name_(kernel) {
  check_container(xclbin);
  const std::vector<std::string> names = unit_names(xclbin, kernel);
  opened_ = open_kernels(open_device(board), xclbin, kernel, names);
  name_ = opened_.device.get_info<xrt::info::device::name>();
  for (xrt::kernel& unit : opened_.units) units_.push_back({unit, {}, {}});
}

std::uint32_t Board::allocate(std::uint32_t unit, std::uint32_t argument, std::uint64_t size) {
  const auto bank = units_.at(unit).kernel.group_id(static_cast<int>(argument));
  try {
    xrt::bo object(opened_.device, size, opened_.flags(bank), bank);
    char* host = object.map<char*>();
    const std::lock_guard lock(sharing_);
    buffers_.push_back({std::move(object), host, size});
    return static_cast<std::uint32_t>(buffers_.size() - 1);
  } catch (const std::exception& error) {
    throw std::runtime_error("the device refuses a buffer of " + std::to_string(size) +
                             " bytes for argument " + std::to_string(argument) + " of " +
                             kernel_name_ + ": " + first_line(error.what()));
  }
}

Board::Buffer& Board::buffer(std::uint64_t id, std::uint64_t end) {
  const std::lock_guard lock(sharing_);
  Buffer& found = buffers_.at(id);
  if (end > found.size)
    throw std::out_of_range("copy of " + std::to_string(end) + " bytes in a buffer of " +
                            std::to_string(found.size));
  return found;
}

void Board::write(std::uint32_t id, std::uint64_t offset, std::string_view content) {
  Buffer& to = buffer(id, offset + content.size());
  content.copy(to.host + offset, content.size());
  to.object.sync(XCL_BO_SYNC_BO_TO_DEVICE, content.size(), offset);
}

std::string_view Board::read(std::uint32_t id, std::uint64_t offset, std::uint64_t size) {
  Buffer& from = buffer(id, offset + size);
  from.object.sync(XCL_BO_SYNC_BO_FROM_DEVICE, size, offset);
  return {from.host + offset, size};
}

void Board::forward_end(const void*, ert_cmd_state, void* data) {
  const End& end = *static_cast<const End*>(data);
  (*end.handler)(end.unit, end.run);
}

Board::Run& Board::prepared_run(std::uint32_t unit, std::uint32_t number) {
  std::unique_lock lock(sharing_);
  auto [place, is_new] = units_.at(unit).runs.try_emplace(number);
  lock.unlock();
  Run& run = place->second;
  if (is_new) {
    run.object = xrt::run(units_[unit].kernel);
    run.end = {&on_end_, unit, number};
    run.object.add_callback(ERT_CMD_STATE_COMPLETED, forward_end, &run.end);
  }
  return run;
}

// Made once: XRT treats a view as a new buffer.
const xrt::bo& Board::view(Unit& unit, const Argument& argument) {
  Buffer& whole = buffer(argument.value, argument.offset);
  if (argument.offset == 0) return whole.object;
  const std::pair key(argument.value, argument.offset);
  auto found = unit.views.find(key);
  if (found == unit.views.end())
    found = unit.views
                .emplace(key, xrt::bo(whole.object, whole.size - argument.offset, argument.offset))
                .first;
  return found->second;
}

// Arguments unchanged since the last launch of this run are not set again.
void Board::set_arguments(Unit& unit, Run& run, PacketReader& packet) {
  const auto count = packet.take<std::uint32_t>();
  const bool known = run.arguments.size() == count;
  run.arguments.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto scalar_bytes = packet.take<std::uint32_t>();
    const auto value = packet.take<std::uint64_t>();
    const Argument argument{value, scalar_bytes == 0 ? packet.take<std::uint64_t>() : 0};
    if (known && run.arguments[i] == argument) continue;
    run.arguments[i] = argument;
    const auto at = static_cast<int>(i);
    if (scalar_bytes == 0)
      run.object.set_arg(at, view(unit, argument));
    else if (scalar_bytes == 8)
      run.object.set_arg(at, value);
    else
      run.object.set_arg(at, static_cast<std::uint32_t>(value));
  }
}

void Board::launch(std::uint32_t unit, PacketReader& packet) {
  Run& run = prepared_run(unit, packet.take<std::uint32_t>());
  set_arguments(units_[unit], run, packet);
  const auto writes = packet.take<std::uint32_t>();
  for (std::uint32_t i = 0; i < writes; ++i) {
    const auto id = packet.take<std::uint32_t>();
    const auto offset = packet.take<std::uint64_t>();
    write(id, offset, packet.take_bytes());
  }
  run.reads.clear();
  const auto reads = packet.take<std::uint32_t>();
  for (std::uint32_t i = 0; i < reads; ++i) {
    const auto id = packet.take<std::uint32_t>();
    const auto offset = packet.take<std::uint64_t>();
    run.reads.push_back({id, offset, packet.take<std::uint64_t>()});
  }
  run.object.start();
}

std::string Board::collect(std::uint32_t unit, std::uint32_t number) {
  std::unique_lock lock(sharing_);
  Run& run = units_.at(unit).runs.at(number);
  lock.unlock();
  const ert_cmd_state state = run.object.state();
  if (state != ERT_CMD_STATE_COMPLETED)
    throw std::runtime_error("a burst ended in XRT state " + std::to_string(state) +
                             " instead of completed");
  std::string content;
  for (const Read& part : run.reads) content += read(part.buffer, part.offset, part.size);
  return content;
}

}  // namespace chainmail::xrt_worker

// Each compute unit is opened as a kernel of its own, exclusively: replicas live in a unit's ring
// between bursts, so neither XRT's choice of unit nor another process may come between. Ends of
// runs are taken from XRT's callbacks, because wait(timeout) of XRT 2.13 never times out in
// emulation; the driver at the other end of the socket keeps the clock.
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

// Refuses what XRT would stumble over only later or never: a cut file, and for our own emulation
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

void forward_end(const void*, ert_cmd_state, void* data) {
  const auto& [on_end, run] =
      *static_cast<std::pair<const Board::EndHandler*, std::uint32_t>*>(data);
  (*on_end)(run);
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
  device_ = open_device(board);
  name_ = device_.get_info<xrt::info::device::name>();
  uuid_ = device_.load_xclbin(xclbin);
  for (const std::string& name : names) {
    std::string unit = kernel;
    unit.append(":{").append(name).append("}");
    kernels_.emplace_back(device_, uuid_, unit, xrt::kernel::cu_access_mode::exclusive);
  }
}

std::uint32_t Board::allocate(std::uint32_t unit, std::uint32_t argument, std::uint64_t size) {
  const xrt::kernel& kernel = kernels_.at(unit);
  const auto bank = kernel.group_id(static_cast<int>(argument));
  try {
    xrt::bo object(device_, size, bank);
    char* host = object.map<char*>();
    buffers_.push_back({std::move(object), host, size});
  } catch (const std::exception& error) {
    throw std::runtime_error("the device refuses a buffer of " + std::to_string(size) +
                             " bytes for argument " + std::to_string(argument) + " of " +
                             kernel_name_ + ": " + first_line(error.what()));
  }
  return static_cast<std::uint32_t>(buffers_.size() - 1);
}

Board::Buffer& Board::buffer(std::uint32_t id, std::uint64_t size) {
  Buffer& found = buffers_.at(id);
  if (size > found.size)
    throw std::out_of_range("copy of " + std::to_string(size) + " bytes in a buffer of " +
                            std::to_string(found.size));
  return found;
}

void Board::write(std::uint32_t id, std::string_view content) {
  Buffer& to = buffer(id, content.size());
  content.copy(to.host, content.size());
  to.object.sync(XCL_BO_SYNC_BO_TO_DEVICE, content.size(), 0);
}

std::string_view Board::read(std::uint32_t id, std::uint64_t size) {
  Buffer& from = buffer(id, size);
  from.object.sync(XCL_BO_SYNC_BO_FROM_DEVICE, size, 0);
  return {from.host, size};
}

Board::Run& Board::prepared_run(std::uint32_t number, std::uint32_t unit) {
  auto [place, is_new] = runs_.try_emplace(number);
  Run& run = place->second;
  if (is_new || run.unit != unit) {
    run.object = xrt::run(kernels_.at(unit));
    run.unit = unit;
    run.end = {&on_end_, number};
    run.object.add_callback(ERT_CMD_STATE_COMPLETED, forward_end, &run.end);
  }
  return run;
}

void Board::launch(PacketReader& packet) {
  const auto number = packet.take<std::uint32_t>();
  Run& run = prepared_run(number, packet.take<std::uint32_t>());
  const auto arguments = packet.take<std::uint32_t>();
  for (int i = 0; i < static_cast<int>(arguments); ++i) {
    const auto scalar_bytes = packet.take<std::uint32_t>();
    const auto value = packet.take<std::uint64_t>();
    if (scalar_bytes == 0)
      run.object.set_arg(i, buffers_.at(static_cast<std::size_t>(value)).object);
    else if (scalar_bytes == 8)
      run.object.set_arg(i, value);
    else
      run.object.set_arg(i, static_cast<std::uint32_t>(value));
  }
  const auto writes = packet.take<std::uint32_t>();
  for (std::uint32_t i = 0; i < writes; ++i) {
    const auto id = packet.take<std::uint32_t>();
    write(id, packet.take_bytes());
  }
  run.reads.clear();
  const auto reads = packet.take<std::uint32_t>();
  for (std::uint32_t i = 0; i < reads; ++i) {
    const auto id = packet.take<std::uint32_t>();
    run.reads.emplace_back(id, packet.take<std::uint64_t>());
  }
  run.object.start();
}

std::string Board::collect(std::uint32_t number) {
  Run& run = runs_.at(number);
  const ert_cmd_state state = run.object.state();
  if (state != ERT_CMD_STATE_COMPLETED)
    throw std::runtime_error("a burst ended in XRT state " + std::to_string(state) +
                             " instead of completed");
  std::string content;
  for (const auto& [id, size] : run.reads) content += read(id, size);
  return content;
}

}  // namespace chainmail::xrt_worker

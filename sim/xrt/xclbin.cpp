// XRT reads the kernel's name, arguments and their register offsets from an XML section, the
// compute units' addresses from IP_LAYOUT, the banks from MEM_TOPOLOGY, and which argument reaches
// which bank from CONNECTIVITY. The bitstream of an emulated device is a zip with simulate.sh and
// whatever that starts.
#include "xrt/xclbin.hpp"

#if __has_include(<xclbin.h>)
#include <xclbin.h>
#else
#include <xrt/detail/xclbin.h>
#endif

#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "device/xrt/xclbin_checksum.hpp"
#include "support/random.hpp"
#include "xrt/platform.hpp"
#include "xrt/zip.hpp"

namespace chainmail::emu {

namespace {

std::string unit_name(const KernelSignature& kernel, std::uint32_t unit) {
  return kernel.name + "_" + std::to_string(unit + 1);
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

std::string hex(std::uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string metadata_xml(const KernelSignature& kernel) {
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<project name=\"chainmail\">\n"
      "<platform vendor=\"xilinx\" boardid=\"u55c\" name=\"gen3x16_xdma\" featureRomTime=\"0\">\n"
      "<device name=\"fpga0\" fpgaDevice=\"virtexuplushbm:xcu55c:fsvh2892:-2L:e\">\n"
      "<core name=\"OCL_REGION_0\" target=\"hw_em\" type=\"clc_region\">\n"
      "<kernel" +
      attribute("name", kernel.name) + " language=\"ip_c\">\n";
  xml +=
      "<port name=\"s_axi_control\" mode=\"slave\" dataWidth=\"32\" portType=\"addressable\" "
      "base=\"0x0\"" +
      attribute("range", hex(kernel.register_range)) + "/>\n";
  std::vector<std::string> ports;
  for (const KernelArgument& argument : kernel.arguments) {
    if (!argument.is_buffer) continue;
    bool known = false;
    for (const std::string& port : ports) known = known || port == argument.port;
    if (known) continue;
    ports.push_back(argument.port);
    xml += "<port" + attribute("name", argument.port) +
           " mode=\"master\" range=\"0xFFFFFFFFFFFFFFFF\" dataWidth=\"64\""
           " portType=\"addressable\" base=\"0x0\"/>\n";
  }
  std::uint32_t id = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    xml += "<arg" + attribute("name", argument.name) +
           attribute("addressQualifier", argument.is_buffer ? "1" : "0") +
           attribute("id", std::to_string(id++)) +
           attribute("port", argument.is_buffer ? argument.port : "s_axi_control") +
           attribute("size", hex(argument.size)) + attribute("offset", hex(argument.offset)) +
           " hostOffset=\"0x0\"" + attribute("hostSize", hex(argument.size)) +
           attribute("type", escaped(argument.type)) + "/>\n";
  }
  for (std::uint32_t unit = 0; unit < kernel.units; ++unit)
    xml += "<instance" + attribute("name", unit_name(kernel, unit)) + "><addrRemap" +
           attribute("base", hex(platform::unit_base + unit * platform::unit_stride)) +
           attribute("range", hex(kernel.register_range)) +
           " port=\"s_axi_control\"/></instance>\n";
  return xml + "</kernel>\n</core>\n</device>\n</platform>\n</project>\n";
}

// A counted array of plain structs, as IP_LAYOUT, MEM_TOPOLOGY and CONNECTIVITY are: the count,
// padded to the struct's alignment, then the entries.
template <class Section, class Entry>
std::string counted(const std::vector<Entry>& entries, std::size_t first_entry) {
  std::string out(first_entry + entries.size() * sizeof(Entry), '\0');
  const auto count = static_cast<std::int32_t>(entries.size());
  std::memcpy(out.data(), &count, sizeof count);
  std::memcpy(out.data() + first_entry, entries.data(), entries.size() * sizeof(Entry));
  return out;
}

std::string ip_layout_section(const KernelSignature& kernel) {
  std::vector<ip_data> units(kernel.units);
  for (std::uint32_t unit = 0; unit < kernel.units; ++unit) {
    ip_data& data = units[unit];
    data.m_type = IP_KERNEL;
    data.properties = static_cast<std::uint32_t>(AP_CTRL_HS) << IP_CONTROL_SHIFT |
                      unit << IP_INTERRUPT_ID_SHIFT | IP_INT_ENABLE_MASK;
    data.m_base_address = platform::unit_base + unit * platform::unit_stride;
    const std::string name = kernel.name + ":" + unit_name(kernel, unit);
    if (name.size() >= sizeof data.m_name)
      throw std::runtime_error("kernel name too long: " + name);
    std::memcpy(data.m_name, name.data(), name.size());
  }
  return counted<ip_layout>(units, offsetof(ip_layout, m_ip_data));
}

std::string mem_topology_section() {
  std::vector<mem_data> banks;
  for (const Bank& bank : platform::banks) {
    mem_data data{};
    data.m_type = MEM_DDR4;
    data.m_used = 1;
    data.m_size = bank.size / 1024;
    data.m_base_address = bank.base;
    std::memcpy(data.m_tag, bank.tag.data(), bank.tag.size());
    banks.push_back(data);
  }
  return counted<mem_topology>(banks, offsetof(mem_topology, m_mem_data));
}

std::string connectivity_section(const KernelSignature& kernel) {
  std::vector<connection> connections;
  for (std::uint32_t unit = 0; unit < kernel.units; ++unit)
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i)
      if (kernel.arguments[i].is_buffer)
        connections.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(unit),
                               static_cast<std::int32_t>(kernel.arguments[i].bank)});
  return counted<connectivity>(connections, offsetof(connectivity, m_connection));
}

// The preload library is meant for XRT's process, not for the device.
constexpr const char* simulate_script = "#!/bin/sh\nunset LD_PRELOAD\nexec ./device\n";

std::string bitstream_section(const std::string& device_program) {
  return make_zip({{"behav_waveform/xsim/simulate.sh", simulate_script, true},
                   {"behav_waveform/xsim/device", device_program, true}});
}

}  // namespace

std::string make_xclbin(const KernelSignature& kernel, const std::string& device_program) {
  if (kernel.units == 0 || kernel.units > platform::units_max)
    throw std::runtime_error("an xclbin has 1 to " + std::to_string(platform::units_max) +
                             " compute units");
  struct Section {
    axlf_section_kind kind;
    const char* name;
    std::string content;
  };
  const std::vector<Section> sections = {
      {EMBEDDED_METADATA, "metadata", metadata_xml(kernel)},
      {IP_LAYOUT, "ip_layout", ip_layout_section(kernel)},
      {MEM_TOPOLOGY, "mem_topology", mem_topology_section()},
      {CONNECTIVITY, "connectivity", connectivity_section(kernel)},
      {BITSTREAM, "bitstream", bitstream_section(device_program)},
  };

  axlf top{};
  std::memcpy(top.m_magic, "xclbin2", 8);
  top.m_signature_length = -1;
  std::memset(top.reserved, 0xff, sizeof top.reserved);
  std::memset(top.m_keyBlock, 0xff, sizeof top.m_keyBlock);
  top.m_header.m_versionMajor = 2;
  top.m_header.m_versionMinor = 13;
  top.m_header.m_mode = XCLBIN_HW_EMU;
  std::memcpy(top.m_header.m_platformVBNV, platform::device_name,
              std::strlen(platform::device_name));
  top.m_header.m_numSections = static_cast<std::uint32_t>(sections.size());
  std::memcpy(top.m_header.m_debug_bin, xclbin_maker.data(), xclbin_maker.size());

  const auto aligned = [](std::size_t size) { return (size + 7) / 8 * 8; };
  std::size_t end =
      aligned(offsetof(axlf, m_sections) + sections.size() * sizeof(axlf_section_header));
  std::vector<axlf_section_header> headers;
  for (const Section& section : sections) {
    axlf_section_header header{};
    header.m_sectionKind = section.kind;
    std::memcpy(header.m_sectionName, section.name, std::strlen(section.name));
    header.m_sectionOffset = end;
    header.m_sectionSize = section.content.size();
    headers.push_back(header);
    end += aligned(section.content.size());
  }
  top.m_header.m_length = end;

  std::string file(end, '\0');
  std::memcpy(file.data() + offsetof(axlf, m_sections), headers.data(),
              headers.size() * sizeof(axlf_section_header));
  for (std::size_t i = 0; i < sections.size(); ++i)
    std::memcpy(file.data() + headers[i].m_sectionOffset, sections[i].content.data(),
                sections[i].content.size());
  top.m_uniqueId = xclbin_checksum(std::string_view(file).substr(offsetof(axlf, m_sections)));
  const std::uint64_t uuid[2] = {mix64(top.m_uniqueId), mix64(top.m_uniqueId + 1)};
  std::memcpy(top.m_header.uuid, uuid, sizeof uuid);
  std::memcpy(file.data(), &top, offsetof(axlf, m_sections));
  return file;
}

}  // namespace chainmail::emu

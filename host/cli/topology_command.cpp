#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "device/kernel/native_kernel.hpp"
#include "problem/files.hpp"
#include "support/atomic_file.hpp"
#include "topology/hls_header.hpp"
#include "topology/rtl_package.hpp"

namespace chainmail {

namespace {

std::string description(const Topology& t) {
  std::string text;
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("{:<14}{}\n", what, value);
  };
  line("topology", fmt::format("{} (hash {:016x})", t.name, t.hash));
  if (t.options.flips) {
    line("flips", fmt::format("{} spins, all to all, couplings of {} bits on the chip", t.pbits(),
                              t.options.table_bits));
    line("draws", fmt::format("{} side by side, {} words of noise each", t.options.lanes,
                              t.options.rng_words));
    line("widths", fmt::format("field {}, f {}, beta {} bits", t.field_bits, t.energy_bits,
                               t.options.beta_bits));
    line("replicas", fmt::format("up to {}", t.options.max_replicas));
    line("image", fmt::format("{} words of 64 bits", t.image_words()));
    return text;
  }
  if (t.options.rows()) {
    line("rows", fmt::format("{} spins, all to all, couplings of {} bits", t.pbits(),
                             t.options.table_bits));
    line("lanes", fmt::format("{} of {} replicas", t.options.lanes, t.lane_replicas()));
    line("tables", fmt::format("{} of {} neighbours, made on the chip", t.tables, t.address_bits));
    line("widths", fmt::format("field {}, f {}, beta {} bits", t.field_bits, t.energy_bits,
                               t.options.beta_bits));
    line("noise", fmt::format("{} words of state per lane", t.options.rng_words));
    line("row image",
         fmt::format("{} words of 64 bits, {} per row", t.image_words(), t.row_words()));
    return text;
  }
  if (t.options.wired()) {
    line("p-bits",
         fmt::format("{}, one for each spin, {} pairs wired", t.pbits(), t.meetings.size()));
  } else {
    line("p-bits", fmt::format("{} = {} spins x {} copies, placement {}", t.pbits(),
                               t.options.logical, t.options.copies, name_of(t.options.placement)));
  }
  line("stages", fmt::format("{} colours, {} chain links", t.stages.size(), t.links));
  line("tables", fmt::format("{} per p-bit, {} neighbours and {} bits each", t.tables,
                             t.address_bits, t.options.table_bits));
  line("widths", fmt::format("field {}, f {}, g {}, beta {} bits", t.field_bits, t.energy_bits,
                             t.violation_bits, t.options.beta_bits));
  line("noise", fmt::format("{} words of state per p-bit", t.options.rng_words));
  line("replicas", fmt::format("up to {}", t.options.max_replicas));
  line("load image", fmt::format("{} words of 64 bits", t.image_words()));
  return text;
}

}  // namespace

int topology_command(const Arguments& arguments) {
  std::string name, form = "text", output = "-";
  OptionTable table(
      "topology NAME|FILE [options]",
      "Describes a kernel's array, or writes what the kernels are compiled from. NAME is NxK with\n"
      "suffixes for what is not default: -pPLACEMENT -tTABLEBITS -bBETABITS -wRNGWORDS "
      "-rREPLICAS;\n"
      "or N-rows with -lLANES -rREPLICAS (per lane) -bBETABITS -wRNGWORDS: the row kernel;\n"
      "or N-flips with -wLANES -rREPLICAS -bBETABITS -fFORMS -mRESIDUALS -p -g: the flip kernel;\n"
      "or lattice-AxB, lattice-AxBxC: an array wired for a periodic lattice;\n"
      "or a problem's FILE: an array wired for its graph.",
      "  chainmail topology 100x3\n"
      "  chainmail topology 1024-rows-l16\n"
      "  chainmail topology lattice-8x8x8\n"
      "  chainmail topology 1024-flips-w64\n"
      "  chainmail topology 5x2-t9-b17-w2-r16 --form rtl -o topology_pkg.sv\n");
  table.argument("NAME", name)
      .choice("form", form, {"text", "hls", "rtl", "wiring", "edges"},
              "a description, the HLS header, the RTL package, the RTL wiring or the pairs wired")
      .file("output,o", output, "file to write, - is standard output");
  if (!table.parse(arguments)) return 0;
  const Topology topology = std::filesystem::is_regular_file(name)
                                ? make_topology(graph_options(graph_of(read_problem(name))))
                                : known_topology(name);
  write_file(output, form == "hls"      ? hls_header(topology)
                     : form == "rtl"    ? rtl_package(topology)
                     : form == "wiring" ? rtl_wiring(topology)
                     : form == "edges"  ? graph_text(graph_of(topology))
                                        : description(topology));
  return 0;
}

}  // namespace chainmail

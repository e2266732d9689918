#include "topology/bar_window.hpp"

#include "support/text.hpp"

namespace chainmail::bar_window {

std::string package(const Topology& topology) {
  return joined("// Of topology ", topology.name,
                ", written by host/topology/bar_window.cpp: the windows of rtl/bar.\n"
                "package cm_bar_pkg;\n"
                "  parameter logic [31:0] MarkBase = 32'h",
                hex(kMarkBase), ";\n  parameter logic [31:0] Mark = 32'h", hex(kMark),
                ";\n  parameter logic [31:0] Version = 32'd", kVersion,
                ";\n  parameter int unsigned MemoryBytes = ", memory_bytes(topology),
                ";\nendpackage\n");
}

}  // namespace chainmail::bar_window

// Build tool: writes what a kernel is compiled from. `write_topology hls 100x3` prints the HLS
// header of a topology.
#include <exception>
#include <iostream>
#include <string>

#include "support/error.hpp"
#include "topology/hls_header.hpp"

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw chainmail::UsageError("usage: write_topology hls NAME");
    const std::string kind = argv[1];
    const chainmail::Topology topology = chainmail::topology_from_name(argv[2]);
    if (kind != "hls") throw chainmail::UsageError("unknown output '" + kind + "'; expected hls");
    std::cout << chainmail::hls_header(topology);
    std::cout.flush();
    return std::cout ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "write_topology: " << error.what() << "\n";
    return 1;
  }
}

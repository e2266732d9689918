// Names of topologies: "100x3" for the defaults, suffixes for what differs, e.g.
// "5x2-t9-b17-w2-r16". One string says all, so that build rules, devices and messages share it.
#include <charconv>

#include "support/error.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

[[noreturn]] void refuse(const std::string& name) {
  throw UsageError("topology name '" + name +
                   "' is not NxK with suffixes -pPLACEMENT -tTABLEBITS -bBETABITS -wRNGWORDS "
                   "-rREPLICAS, as in 100x3 or 5x2-t9-b17-w2-r16");
}

std::size_t number(const std::string& text, const std::string& name) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end || value > 1'000'000) refuse(name);
  return value;
}

void apply(TopologyOptions& options, const std::string& suffix, const std::string& name) {
  if (suffix.empty()) refuse(name);
  const std::string value = suffix.substr(1);
  switch (suffix[0]) {
    case 'p':
      options.placement = placement_from_name(value);
      return;
    case 't':
      options.table_bits = static_cast<unsigned>(number(value, name));
      return;
    case 'b':
      options.beta_bits = static_cast<unsigned>(number(value, name));
      return;
    case 'w':
      options.rng_words = static_cast<unsigned>(number(value, name));
      return;
    case 'r':
      options.max_replicas = number(value, name);
      return;
    default:
      refuse(name);
  }
}

}  // namespace

Topology topology_from_name(const std::string& name) {
  TopologyOptions options;
  const std::size_t cross = name.find('x');
  if (cross == std::string::npos) refuse(name);
  std::size_t end = std::min(name.find('-'), name.size());
  if (cross > end) refuse(name);
  options.logical = number(name.substr(0, cross), name);
  options.copies = number(name.substr(cross + 1, end - cross - 1), name);
  while (end < name.size()) {
    const std::size_t begin = end + 1;
    end = std::min(name.find('-', begin), name.size());
    apply(options, name.substr(begin, end - begin), name);
  }
  return make_topology(options);
}

std::string name_of(const TopologyOptions& options) {
  const TopologyOptions usual;
  std::string name = std::to_string(options.logical) + "x" + std::to_string(options.copies);
  if (options.placement != usual.placement) name += "-p" + name_of(options.placement);
  if (options.table_bits != usual.table_bits) name += "-t" + std::to_string(options.table_bits);
  if (options.beta_bits != usual.beta_bits) name += "-b" + std::to_string(options.beta_bits);
  if (options.rng_words != usual.rng_words) name += "-w" + std::to_string(options.rng_words);
  if (options.max_replicas != usual.max_replicas) {
    name += "-r" + std::to_string(options.max_replicas);
  }
  return name;
}

}  // namespace chainmail

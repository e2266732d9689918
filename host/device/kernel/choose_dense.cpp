#include "device/kernel/choose_dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "device/kernel/row_forms.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr const char* kRows = "rows";
constexpr const char* kFlips = "flips";

// What a kernel costs, roughly in this order.
auto size_of(const Topology& t) {
  const TopologyOptions& o = t.options;
  return std::tuple(o.logical, o.forms, o.form_residuals, o.products, o.one_hots, o.max_replicas);
}

// Why it does not fit, or nothing.
std::string objection(const Topology& topology, const DeviceOptions& problem) {
  if (!problem.forms) {
    if (problem.spins <= topology.options.logical) return {};
    return fmt::format(
        "problem has {} spins; topology {} holds {}; the CPU takes it (--device cpu)",
        problem.spins, topology.name, topology.options.logical);
  }
  try {
    arrange_forms(*problem.forms, topology, 0.0);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

bool names_family(const std::string& name) {
  return name == kRows || name == kFlips;
}

Topology choose_dense(const std::string& family, const std::vector<Topology>& built,
                      const DeviceOptions& problem) {
  std::vector<Topology> kernels;
  for (const Topology& topology : built) {
    if (family == kFlips ? topology.options.flips : topology.options.rows()) {
      kernels.push_back(topology);
    }
  }
  std::sort(kernels.begin(), kernels.end(),
            [](const Topology& a, const Topology& b) { return size_of(a) < size_of(b); });
  std::string names, why;
  for (const Topology& topology : kernels) {
    const std::string objected = objection(topology, problem);
    if (objected.empty()) return topology;
    // The most telling one: of the kernel with the most kinds of constraints.
    const TopologyOptions& o = topology.options;
    if (!problem.forms || why.empty() || (o.forms > 0 && o.products && o.one_hots)) why = objected;
    names += (names.empty() ? "" : ", ") + topology.name;
  }
  if (names.empty())
    throw InputError(fmt::format("no kernel of the family '{}' was built", family));
  throw InputError(
      fmt::format("{}; the CPU takes it (--device cpu); kernels here: {}", why, names));
}

}  // namespace chainmail

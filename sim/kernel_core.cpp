#include "kernel_core.hpp"

#include <map>

#include "support/error.hpp"

namespace chainmail::sim {
namespace {
// A function-local static, so that it exists before the first model registers itself.
std::map<std::string, KernelCore::Factory>& registry() {
  static std::map<std::string, KernelCore::Factory> factories;
  return factories;
}
}  // namespace

bool KernelCore::enter(const std::string& topology, Factory factory) {
  return registry().emplace(topology, std::move(factory)).second;
}

std::vector<std::string> KernelCore::names() {
  std::vector<std::string> names;
  for (const auto& [name, factory] : registry()) names.push_back(name);
  return names;
}

std::unique_ptr<KernelCore> KernelCore::make(const std::string& topology) {
  const auto found = registry().find(topology);
  if (found != registry().end()) return found->second();
  std::string known;
  for (const std::string& name : names()) known += (known.empty() ? "" : ", ") + name;
  throw UsageError("no simulated kernel for topology " + topology + "; built are: " + known);
}

}  // namespace chainmail::sim

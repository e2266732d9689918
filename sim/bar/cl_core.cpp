#include "bar/cl_core.hpp"

#include <map>

#include "support/error.hpp"

namespace chainmail::sim {
namespace {

std::map<std::string, ClCore::Factory>& factories() {
  static std::map<std::string, ClCore::Factory> all;
  return all;
}

}  // namespace

bool ClCore::enter(const std::string& topology, Factory factory) {
  return factories().emplace(topology, std::move(factory)).second;
}

std::unique_ptr<ClCore> ClCore::make(const std::string& topology) {
  const auto found = factories().find(topology);
  if (found == factories().end())
    throw UsageError("no custom logic '" + topology + "' in this program");
  return found->second();
}

}  // namespace chainmail::sim

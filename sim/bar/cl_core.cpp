#include "bar/cl_core.hpp"

#include "models.hpp"

namespace chainmail::sim {

bool ClCore::enter(const std::string& topology, Factory factory) {
  return Models<ClCore>::enter(topology, std::move(factory));
}

std::unique_ptr<ClCore> ClCore::make(const std::string& topology) {
  return Models<ClCore>::make("custom logic of topology", topology);
}

}  // namespace chainmail::sim

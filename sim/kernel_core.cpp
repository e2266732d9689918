#include "kernel_core.hpp"

#include "models.hpp"

namespace chainmail::sim {

bool KernelCore::enter(const std::string& topology, Factory factory) {
  return Models<KernelCore>::enter(topology, std::move(factory));
}

std::vector<std::string> KernelCore::names() {
  return Models<KernelCore>::names();
}

std::unique_ptr<KernelCore> KernelCore::make(const std::string& topology) {
  return Models<KernelCore>::make("simulated kernel of topology", topology);
}

}  // namespace chainmail::sim

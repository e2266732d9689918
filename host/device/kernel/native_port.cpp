// The HLS kernel as a function of this program. Its on-chip memories are static, as on a card, so
// a topology's kernel belongs to one device at a time.
#include <fmt/format.h>

#include <future>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

#include "device/kernel/choose_dense.hpp"
#include "device/kernel/kernel_device.hpp"
#include "device/kernel/native_kernel.hpp"
#include "support/error.hpp"
#include "topology/contract.hpp"

namespace chainmail {

namespace {

// A kernel in use, for as long as this object lives.
class Claim {
 public:
  explicit Claim(const std::string& topology) : topology_(topology) {
    const std::lock_guard lock(mutex_);
    if (!taken_.insert(topology).second) {
      throw DeviceError("the native kernel " + topology + " is in use by another device");
    }
  }
  ~Claim() {
    const std::lock_guard lock(mutex_);
    taken_.erase(topology_);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  static inline std::mutex mutex_;
  static inline std::set<std::string> taken_;
  std::string topology_;
};

class NativePort : public KernelPort {
 public:
  explicit NativePort(const std::string& name)
      : kernel_(native_kernel(name)), claim_(name), topology_(known_topology(name)) {}

  std::string describe() const override { return "hls:" + topology_.name + ", native HLS kernel"; }
  const Topology& topology() const override { return topology_; }

  void start(std::size_t lane, const KernelCall& call) override {
    // Deferred to finish() if the system allows no more threads.
    running_[lane] =
        std::async(std::launch::async | std::launch::deferred, [this, call] { burst(call); });
  }
  void finish(std::size_t lane) override { running_.at(lane).get(); }

 private:
  void burst(const KernelCall& call) {
    const std::lock_guard lock(busy_);
    kernel_.burst(words(call.tables), words(call.parameters), words(call.spins), words(call.best),
                  words(call.results), words(call.status), call.first, call.replicas, call.sweeps,
                  call.flags, call.seed);
  }
  // The kernel's 64-bit word and ours differ only in the name of the type.
  static_assert(sizeof(KernelWord) == sizeof(std::uint64_t));
  static const KernelWord* words(std::span<const std::uint64_t> s) {
    return reinterpret_cast<const KernelWord*>(s.data());
  }
  static KernelWord* words(std::span<std::uint64_t> s) {
    return reinterpret_cast<KernelWord*>(s.data());
  }

  const NativeKernel& kernel_;
  Claim claim_;
  Topology topology_;
  std::mutex busy_;
  std::map<std::size_t, std::future<void>> running_;
};

// "rows" of 256-rows-f4, "lattice" of lattice-3x3; a ring, NxK, has no word.
std::string_view kind_of(std::string_view topology) {
  for (const std::string_view word : {"rows", "flips", "lattice", "graph"}) {
    if (topology.find(word) != std::string_view::npos) return word;
  }
  return {};
}

}  // namespace

const NativeKernel& native_kernel(const std::string& topology) {
  std::string known;  // of the kind that was meant
  for (const NativeKernel& kernel : native_kernels()) {
    if (kernel.topology == topology) return kernel;
    if (kind_of(kernel.topology) == kind_of(topology))
      known += (known.empty() ? "" : ", ") + kernel.topology;
  }
  throw UsageError("no native kernel for topology '" + topology + "'; this program has " + known +
                   "; 'chainmail devices --kernels' lists all");
}

Topology known_topology(const std::string& name) {
  for (const NativeKernel& kernel : native_kernels()) {
    if (kernel.topology == name) return topology_from_name(name, kernel.edges);
  }
  return topology_from_name(name);
}

std::unique_ptr<KernelPort> open_native_port(const std::string& topology) {
  return std::make_unique<NativePort>(topology);
}

std::unique_ptr<Device> make_hls_device(const DeviceOptions& options) {
  const std::string family = options.name.substr(options.name.find(':') + 1);
  if (!names_family(family)) return make_hls_device(options.name);
  std::vector<Topology> built;
  for (const NativeKernel& kernel : native_kernels()) {
    built.push_back(known_topology(kernel.topology));
  }
  return make_hls_device("hls:" + choose_dense(family, built, options).name);
}

std::unique_ptr<Device> make_hls_device(const std::string& name) {
  const std::string prefix = "hls:";
  if (name.rfind(prefix, 0) != 0) {
    throw UsageError("--device " + name +
                     ": expected hls:TOPOLOGY, as in hls:16x3, hls:rows or hls:flips");
  }
  return std::make_unique<KernelDevice>(open_native_port(name.substr(prefix.size())));
}

}  // namespace chainmail

// The answers a board is compared with come from the native HLS kernels; and a slightly faulty
// kernel does not pass.
#include <catch2/catch.hpp>
#include <map>

#include "device/kernel/kernel_device.hpp"
#include "device/kernel/native_kernel.hpp"
#include "run/selftest.hpp"
#include "support/error.hpp"
#include "topology/contract.hpp"

using namespace chainmail;

TEST_CASE("stored answers are the native kernels'", "[hls][selftest]") {
  for (const NativeKernel& kernel : native_kernels()) {
    const auto device = make_hls_device("hls:" + kernel.topology);
    // Answers are stored for the rings of a complete graph.
    if (device->topology()->options.dense() || device->topology()->options.wired()) continue;
    INFO(kernel.topology);
    REQUIRE(known_answer(kernel.topology).has_value());
    CHECK(selftest_digest(*device) == *known_answer(kernel.topology));
  }
  CHECK_FALSE(known_answer("64x3").has_value());
}

namespace {

// A native kernel with a fault between it and the driver.
class FaultyPort : public KernelPort {
 public:
  enum class Fault { none, stuck_spin, wrong_seed, hot, energy };
  explicit FaultyPort(Fault fault) : inner_(open_native_port("16x2")), fault_(fault) {}
  std::string describe() const override { return "16x2 with a fault"; }
  const Topology& topology() const override { return inner_->topology(); }
  void start(std::size_t lane, const KernelCall& call) override {
    KernelCall changed = call;
    calls_[lane] = call;
    if (fault_ == Fault::wrong_seed) changed.seed ^= 1;
    if (fault_ == Fault::hot && !call.parameters.empty()) {
      halved_[lane].clear();
      for (const std::uint64_t word : call.parameters)
        halved_[lane].push_back((word & ~std::uint64_t{0xffffffff}) | (word & 0xffffffff) * 7 / 8);
      changed.parameters = halved_[lane];
    }
    inner_->start(lane, changed);
  }
  void finish(std::size_t lane) override {
    inner_->finish(lane);
    const KernelCall& call = calls_[lane];
    if (fault_ == Fault::stuck_spin && (call.flags & contract::kStoreSpins) != 0)
      call.spins[call.spins.size() - 1] |= 1;
    if (fault_ == Fault::energy && !call.results.empty()) call.results[0] ^= 4;
  }

 private:
  std::unique_ptr<KernelPort> inner_;
  Fault fault_;
  std::map<std::size_t, KernelCall> calls_;
  std::map<std::size_t, std::vector<std::uint64_t>> halved_;
};

// The names of the checks that fail.
std::string failures(FaultyPort::Fault fault) {
  KernelDevice device(std::make_unique<FaultyPort>(fault));
  std::string failed;
  const bool all = run_selftest(device, [&](const SelftestCheck& check) {
    if (!check.passed) failed += (failed.empty() ? "" : " ") + check.name;
  });
  CHECK(all == failed.empty());
  return failed;
}

}  // namespace

TEST_CASE("the self-test finds a stuck bit, wrong noise, a wrong temperature, a wrong sum",
          "[hls][selftest]") {
  using Fault = FaultyPort::Fault;
  CHECK(failures(Fault::none).empty());
  CHECK(failures(Fault::stuck_spin).find("memory") == 0);
  CHECK(failures(Fault::wrong_seed) == "bits");
  CHECK(failures(Fault::hot) == "bits distribution");
  CHECK(failures(Fault::energy).find("memory bits") == 0);
}

TEST_CASE("the self-test is for kernels", "[hls][selftest]") {
  const auto cpu = make_device({});
  CHECK_THROWS_AS(run_selftest(*cpu, [](const SelftestCheck&) {}), UsageError);
}

// What a kernel reports about a call and about itself, in words a user can act on.
#include <catch2/catch.hpp>

#include "device/kernel/identify.hpp"
#include "device/kernel/kernel_call.hpp"
#include "device/kernel/kernel_device.hpp"
#include "solve/quench.hpp"
#include "support/error.hpp"
#include "support/random.hpp"
#include "topology/contract.hpp"
#include "topology/status_block.hpp"

using namespace chainmail;
using Catch::Contains;

namespace {

std::vector<std::uint64_t> described(KernelPort& port) {
  std::vector<std::uint64_t> status(contract::kStatusWords / 2);
  KernelCall call;
  call.status = status;
  call.flags = contract::kDescribe;
  run_call(port, 0, call);
  return status;
}

}  // namespace

TEST_CASE("a kernel's codes are told in words", "[hls][status]") {
  const auto port = open_native_port("5x2");
  std::vector<std::uint64_t> status = described(*port);
  CHECK_NOTHROW(check_status(*port, status));
  const std::pair<std::uint32_t, const char*> codes[] = {
      {contract::kBadReplicas, "code 1 (replicas do not fit the ring)"},
      {contract::kBadFlags, "code 2 (unknown flag)"},
      {contract::kReadError, "code 3 (a memory read failed)"},
      {contract::kWriteError, "code 4 (a memory write failed)"},
      {contract::kBadPointer, "code 5 (a buffer is not aligned to 8 bytes)"},
      {77, "code 77 (unknown code)"}};
  for (const auto& [code, words] : codes) {
    std::uint64_t& word = status[contract::kWordCode / 2];
    const unsigned shift = 32 * (contract::kWordCode % 2);
    word = (word & ~(0xffff'ffffULL << shift)) | std::uint64_t{code} << shift;
    CHECK_THROWS_WITH(check_status(*port, status), Contains(words) && Contains("5x2"));
  }
  // And by the kernel itself.
  KernelCall refused;
  refused.status = status;
  refused.flags = contract::kAllFlags + 1;
  CHECK_THROWS_WITH(run_call(*port, 0, refused), Contains("code 2 (unknown flag)"));
}

TEST_CASE("a kernel is known by its status block, or refused with versions", "[hls][status]") {
  for (const char* name : {"5x2", "8x3", "16x1"}) {
    const auto port = open_native_port(name);
    std::vector<std::uint64_t> status = described(*port);
    const Topology found = topology_of(status, "board");
    CHECK(found.hash == port->topology().hash);
    CHECK(found.name == name);
    status[contract::kWordHashLow / 2] ^= 1;
    CHECK_THROWS_WITH(topology_of(status, "board"), Contains("board: kernel reports version") &&
                                                        Contains("which this program") &&
                                                        Contains("from the same sources"));
  }
}

TEST_CASE("the host descends for a device that cannot", "[hls][status]") {
  const auto device = make_hls_device("hls:16x1");
  Problem problem;
  problem.objective = Quadratic(16);
  Engine engine(3);
  for (std::uint32_t i = 0; i < 16; ++i)
    for (std::uint32_t j = i + 1; j < 16; ++j)
      problem.objective.couplings.push_back({i, j, static_cast<double>(engine() % 19) - 9.0});
  problem.objective.normalise();
  const PhysicalModel model = embed(problem, *device->topology()).model;
  device->load(model, {.replicas = 4, .beta_min = 0.01, .beta_max = 1.0});
  const std::vector<std::size_t> first = {0};
  device->descend_after(0, first);
  device->submit(0, std::vector<Parameters>(4, device->quantise({0.1, 0.0})), 2, 1);
  CHECK(device->wait(0).descents.empty());
  Quench quench(model.f);
  for (std::size_t replica = 0; replica < 4; ++replica) {
    std::vector<Spin> spins(16);
    for (Spin& spin : spins) spin = (engine() >> 63) != 0 ? 1 : -1;
    device->write_spins(0, replica, spins);
    const Descent below = quench(device->read_spins(0, replica), model.f(spins));
    CHECK(below.f == Approx(model.f(below.spins)).margin(1e-9));
    CHECK(below.f <= model.f(spins));
    CHECK(device->read_spins(0, replica, Which::current) == spins);  // on a copy
    for (std::size_t i = 0; i < 16; ++i) {                           // no flip goes further down
      std::vector<Spin> other = below.spins;
      other[i] = static_cast<Spin>(-other[i]);
      CHECK(model.f(other) >= below.f - 1e-9);
    }
  }
}

// Swaps must use beta and P as the device rounds them, or they do not keep the distribution that it
// samples. A device that rounds coarsely is watched: it must be able to represent every parameter
// exactly.
#include <catch2/catch.hpp>

#include "device/kernel/kernel_device.hpp"
#include "generate/generate.hpp"
#include "grid/initial_states.hpp"
#include "grid/sampler.hpp"
#include "solve/solver.hpp"
#include "topology/topology.hpp"

using namespace chainmail;

namespace {

// Passes everything on to a kernel and looks at the parameters of every burst.
class Watched final : public Device {
 public:
  explicit Watched(std::unique_ptr<Device> device) : device_(std::move(device)) {}
  std::string describe() const override { return device_->describe(); }
  std::string sampler() const override { return device_->sampler(); }
  const Topology* topology() const override { return device_->topology(); }
  void load(const PhysicalModel& model, const LoadOptions& options) override {
    device_->load(model, options);
  }
  Parameters quantise(const Parameters& wanted) const override { return device_->quantise(wanted); }
  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override {
    device_->write_spins(grid, replica, spins);
  }
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override {
    return device_->read_spins(grid, replica, which);
  }
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t burst_number) override {
    for (const Parameters& p : parameters) {
      ++handed;
      if (!(device_->quantise(p) == p)) ++unrounded;
    }
    device_->submit(grid, parameters, sweeps, burst_number);
  }
  const BurstResult& wait(std::size_t grid) override { return device_->wait(grid); }

  std::size_t handed = 0, unrounded = 0;

 private:
  std::unique_ptr<Device> device_;
};

struct Case {
  Problem problem = generate("full-adder", {});
  Watched device{make_hls_device("hls:5x2-t9-b17-w2-r16")};
  Embedding embedding = embed(problem, *device.topology());
  Ladder ladder;
  Case() {
    ladder.beta = {0.3000001, 0.7123457, 1.1};
    ladder.penalty = {0.51234567, 1.2345678, 2.0000001};
    ladder.answer_beta = 1.7654321;
  }
};

const std::atomic<bool> kNeverStop{false};

}  // namespace

TEST_CASE("cells of a ladder hold what the device makes of them") {
  Case test;
  load_grids(test.device, test.embedding, test.ladder, 1, 1, 0);
  const std::vector<Parameters> cells = cell_parameters(test.ladder, test.device);
  std::size_t changed = 0;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      const bool answer = row == 2 && column == 2;
      const double beta = answer ? test.ladder.answer_beta : test.ladder.beta[row];
      const Parameters wanted{beta, beta * test.ladder.penalty[column]};
      CHECK(cells[3 * row + column] == test.device.quantise(wanted));
      if (!(cells[3 * row + column] == wanted)) ++changed;
    }
  }
  CHECK(changed == 9);  // so rounding is coarse enough to be seen
}

TEST_CASE("a run swaps with beta and P as the device rounds them") {
  Case test;
  SolveOptions options;
  options.sweeps = 5000;
  options.hold_feasible = true;  // raises the answer's penalty now and then
  (void)solve(test.problem, test.embedding, test.ladder, test.device, options, kNeverStop);
  CHECK(test.device.handed == 9 * 1000);
  CHECK(test.device.unrounded == 0);
}

TEST_CASE("sampling swaps with beta and P as the device rounds them") {
  Case test;
  SampleOptions options;
  options.rounds = 50;
  sample(test.embedding, test.ladder, test.device, options, kNeverStop, [](const SampleRound&) {});
  CHECK(test.device.handed > 0);
  CHECK(test.device.unrounded == 0);
}

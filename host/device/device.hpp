// What every sampler (CPU, emulator or board) offers the solver: hold grids of replicas of one
// model, run bursts of sweeps on them, report f and g of each replica.
//
// A burst is a pure function of (model, spins, parameters, seed, burst number): a device keeps no
// other state, so a run can be repeated, resumed and compared bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "embedding/physical_model.hpp"

namespace chainmail {

// The distribution a replica samples: exp(-beta f - beta_penalty g). Devices with few bits round
// both; the swap rule must use what the device uses, so ask Device::quantise.
struct Parameters {
  double beta = 0.0;
  double beta_penalty = 0.0;  // beta * P
  bool operator==(const Parameters&) const = default;
};

// How many moves of a kind a sweep tries on a model with forms, as a share of the free bits
// (exchanges, chains) or groups (swaps). Chains break detailed balance: they are for searching,
// never for sampling.
struct FormMoves {
  double exchanges = 0.5;
  double swaps = 1.0;
  double chains = 0.0;
  // Free bits are drawn from their exact distribution instead of by Metropolis, which moves more
  // but at beta = 0 flips every bit in every sweep, so that states alternate. For sampling.
  bool heat_bath = false;
};

struct LoadOptions {
  std::size_t grids = 1;     // independent sets of replicas that take bursts in turn
  std::size_t replicas = 1;  // of one grid
  std::uint64_t seed = 1;    // a grid's noise depends on seed + its number only
  double beta_min = 0.0;     // range of beta and P in the run; devices with few bits
  double beta_max = 0.0;     // choose their scale by it
  double penalty_max = 0.0;
  bool one_driver = false;  // one thread drives all grids: submit() must not run a burst
  // A grid may be one of `stride` shares of a larger one, of which it holds every stride-th replica
  // with that replica's own noise: grid j is share (first + j) % stride of grid (first + j) /
  // stride. For models with forms on CPUs; elsewhere noise belongs to the grid.
  std::size_t first = 0, stride = 1;
  FormMoves moves = {};  // of a model with forms
  bool moments = false;  // bursts report them, of models with forms
  // Replicas with beta below this run a fifth of a burst's sweeps: on flip kernels, whose time they
  // would take most of.
  double skip_below = 0.0;
};

// Where a greedy descent from a replica's state ends.
struct Descent {
  std::vector<Spin> spins;
  double f = 0.0;
};

// Energies f + P g of one replica over a burst, one value per sweep, and its moves.
struct BurstMoments {
  double mean = 0.0, variance = 0.0;
  std::uint64_t proposals = 0, accepted = 0, raised = 0;  // accepted ones that raised the energy
};

// What one burst reports, per replica, in the device's own (possibly rounded) model.
struct BurstResult {
  std::vector<double> f;
  std::vector<double> g;
  std::vector<double> best_f;         // lowest f seen with g = 0 in the burst; infinity where none
  std::vector<Descent> descents;      // those requested (Device::descend_after), in order
  std::vector<BurstMoments> moments;  // if LoadOptions requests them
  std::uint64_t skipped = 0;          // sweeps that hot replicas left out, of all replicas together
};

enum class Which { current, best };  // the current state, or that of best_f

struct BurstCosts;
// What one member of a device made of devices has done.
struct MemberUse {
  std::string name;
  std::uint64_t bursts = 0;
  double busy_seconds = 0.0;    // with a burst in flight
  double waited_seconds = 0.0;  // the host's, for its bursts to end
  bool lost = false;
};

struct Topology;

class Device {
 public:
  virtual ~Device() = default;

  // One line for the user: name, arithmetic, SIMD target or board, threads.
  virtual std::string describe() const = 0;

  // What determines a burst's bits besides its arguments: arithmetic and moves, the kernel's
  // wiring; not threads, SIMD target or board. A run may be resumed if this is the same.
  virtual std::string sampler() const = 0;

  // The wiring of a device that has a fixed one; problems are then embedded on it (embed(problem,
  // topology) in topology/topology.hpp). Null: any model works.
  virtual const Topology* topology() const { return nullptr; }

  // What a burst costs besides its sweeps, on devices where that matters (burst_costs.hpp).
  virtual const BurstCosts* costs() const { return nullptr; }

  // After load(): grids with different drivers may be served by threads of their own.
  virtual std::size_t driver_of(std::size_t /*grid*/) const { return 0; }

  // What the user should know about the loaded model: rounding, saturation.
  virtual std::vector<std::string> notes() const { return {}; }

  // Of a device made of devices (device/group/); else none.
  virtual std::vector<MemberUse> members() const { return {}; }

  // Takes a model and makes room for grids * replicas states. Throws InputError, with numbers,
  // when the model does not fit. Spins start all up, or as near to down as one-hot groups allow;
  // the solver writes the initial states.
  virtual void load(const PhysicalModel& model, const LoadOptions& options) = 0;

  // What the device makes of a parameter pair, after load().
  virtual Parameters quantise(const Parameters& wanted) const = 0;

  virtual void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) = 0;
  virtual std::vector<Spin> read_spins(std::size_t grid, std::size_t replica,
                                       Which which = Which::current) = 0;

  // Starts `sweeps` sweeps on every replica of a grid and returns at once; wait() blocks until they
  // are done. parameters holds one (quantised) pair per replica. One burst per grid at a time.
  virtual void submit(std::size_t grid, std::span<const Parameters> parameters,
                      std::uint64_t sweeps, std::uint64_t burst_number) = 0;
  virtual const BurstResult& wait(std::size_t grid) = 0;

  // The grid's next burst ends with greedy descents from copies of these replicas. A device that
  // cannot do this, or not faster than the host (solve/quench.hpp), reports none.
  virtual void descend_after(std::size_t /*grid*/, std::span<const std::size_t> /*replicas*/) {}

  // New weights of a model's forms, for one grid from its next burst on. Only on CPUs, alone or in
  // groups: a kernel's weights are in its image.
  virtual void reweigh(std::size_t grid, std::span<const double> weights);
};

// Makes the device a user names on the command line ("cpu", ...), or one made of several
// ("xrt:0,xrt:1"); throws UsageError for others.
struct DeviceOptions {
  std::string name = "cpu";
  unsigned threads = 0;            // 0: one per core
  std::string precision = "auto";  // cpu: auto, int8, cached, lanes, float
  std::string moves = "single";    // cpu: single p-bits, or all copies of a spin at once (chain)
  std::string xclbin = {};         // XRT: the file; emulators have their own
  double timeout = 10.0;           // XRT, uart: seconds a device may take to answer
  std::string latency = {};  // emulators: a card's, as launch=60us,sync=25us or a board's name
  std::size_t spins = 0;     // emulators: the problem, to choose a topology by
  std::size_t copies = 0;    // 0: any
  std::shared_ptr<const FormModel> forms =
      {};                 // row kernels: the problem, where it has constraints
  std::size_t tiles = 1;  // several members: parts into which a grid's replicas are split
  bool mixed = false;     // members may differ in their arithmetic
};
std::unique_ptr<Device> make_device(const DeviceOptions& options);

}  // namespace chainmail

// A model whose only constraint is its chains, or any model on a row kernel. Grids live side by
// side in the kernel's ring as long as they fit; a burst then only moves parameters in and results
// out, and spins are fetched on request. When they do not fit, they share one place and every burst
// brings its spins along. A ring takes its tables once; rows stay in the memory of each lane of
// calls, where every burst reads them. Either way a burst's seed is a hash of (run seed, grid,
// burst number).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "device/kernel/kernel_call.hpp"
#include "device/kernel/loaded_model.hpp"
#include "device/kernel/loader.hpp"
#include "support/random.hpp"
#include "topology/contract.hpp"
#include "topology/flips_topology.hpp"

namespace chainmail {

namespace {

class ResidentGrids final : public LoadedModel {
 public:
  ResidentGrids(KernelPort& port, const PhysicalModel& model, const LoadOptions& options,
                unsigned coupling_bits);
  ~ResidentGrids() override;
  ResidentGrids(const ResidentGrids&) = delete;
  ResidentGrids& operator=(const ResidentGrids&) = delete;

  std::string describe() const override { return chainmail::describe(image_.report()); }
  std::vector<std::string> notes() const override;
  Parameters quantise(const Parameters& wanted) const override {
    return image_.decode(image_.encode(wanted));
  }
  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override;
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override;
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint32_t sweeps,
              std::uint64_t burst_number) override;
  const BurstResult& wait(std::size_t grid) override;

 private:
  // One set of replicas: its buffers, and which of them match the chip.
  struct Grid {
    std::uint32_t first = 0;
    std::vector<std::uint64_t> parameters, spins, best, results, status;
    bool image_written = false;  // rows: the lane's memory has the image
    bool spins_written = true;   // host's are newer
    bool spins_current = false;  // host's equal the chip's
    bool best_current = false;
    bool in_flight = false;
    BurstResult result;
  };
  // How many of a burst's sweeps a replica skips: a function of beta alone, so that it samples what
  // it would in all of them.
  std::uint32_t skipped(double beta, std::uint32_t sweeps) const;
  KernelCall call_for(Grid& grid, std::uint32_t flags);
  void fetch(std::size_t grid, std::uint32_t flag) {
    run_call(port_, grid, call_for(grids_[grid], flag | contract::kNoBurst));
  }

  KernelPort& port_;
  LoadOptions options_;
  KernelImage image_;
  std::vector<Grid> grids_;
  bool all_resident_;  // every grid has its own place in the ring
};

constexpr std::uint32_t kHotPart = 5;  // hot replicas run a fifth of the sweeps

KernelImage image_of(const PhysicalModel& model, const Topology& topology,
                     const LoaderOptions& options) {
  return model.forms ? KernelImage(*model.forms, topology, options)
                     : KernelImage(model.f, topology, options);
}

ResidentGrids::ResidentGrids(KernelPort& port, const PhysicalModel& model,
                             const LoadOptions& options, unsigned coupling_bits)
    : port_(port),
      options_(options),
      image_(image_of(model, port.topology(),
                      {options.beta_max, coupling_bits, options.beta_max * options.penalty_max})),
      grids_(options.grids),
      all_resident_(options.grids * options.replicas <= port.topology().options.max_replicas) {
  const std::vector<Spin> up(model.forms ? model.forms->bits : model.f.size(), 1);
  for (std::size_t g = 0; g < grids_.size(); ++g) {
    Grid& grid = grids_[g];
    grid.first = static_cast<std::uint32_t>(all_resident_ ? g * options.replicas : 0);
    grid.parameters.resize(options.replicas);
    grid.spins.resize(options.replicas * port.topology().state_words());
    grid.best.resize(grid.spins.size());
    grid.results.resize(2 * options.replicas);
    grid.status.resize(contract::kStatusWords / 2);
    for (std::size_t r = 0; r < options.replicas; ++r) write_spins(g, r, up);
  }
  if (!port.topology().options.flips) options_.skip_below = 0.0;
  if (port.topology().options.rows()) return;  // its bursts read the image from memory
  KernelCall call = call_for(grids_[0], contract::kLoadTables | contract::kNoBurst);
  call.tables = image_.tables();
  run_call(port_, 0, call);
}

ResidentGrids::~ResidentGrids() {
  for (std::size_t grid = 0; grid < grids_.size(); ++grid) {
    if (grids_[grid].in_flight) abandon_call(port_, grid);
  }
}

std::vector<std::string> ResidentGrids::notes() const {
  std::vector<std::string> notes;
  if (!image_.report().exact || image_.report().weight_change > 0.0) notes.push_back(describe());
  if (options_.skip_below > options_.beta_min) {
    notes.push_back(fmt::format("replicas with beta below {:.4g} run one of {} sweeps",
                                options_.skip_below, kHotPart));
  }
  const Parameters most = image_.largest();
  if (options_.beta_max > most.beta) {
    notes.push_back(fmt::format("beta saturates at {:.4g}, requested up to {:.4g}", most.beta,
                                options_.beta_max));
  }
  if (options_.beta_max * options_.penalty_max > most.beta_penalty) {
    notes.push_back(fmt::format("beta P saturates at {:.4g}, requested up to {:.4g}",
                                most.beta_penalty, options_.beta_max * options_.penalty_max));
  }
  return notes;
}

KernelCall ResidentGrids::call_for(Grid& grid, std::uint32_t flags) {
  KernelCall call;
  call.flags = flags;
  call.first = grid.first;
  call.replicas = static_cast<std::uint32_t>(options_.replicas);
  call.status = grid.status;
  if (!(flags & contract::kNoBurst)) {
    call.parameters = grid.parameters;
    call.results = grid.results;
  }
  if (flags & (contract::kLoadSpins | contract::kStoreSpins)) call.spins = grid.spins;
  if (flags & contract::kStoreBest) call.best = grid.best;
  return call;
}

void ResidentGrids::write_spins(std::size_t grid, std::size_t replica,
                                std::span<const Spin> spins) {
  Grid& g = grids_.at(grid);
  if (!g.spins_written && !g.spins_current) fetch(grid, contract::kStoreSpins);
  const std::size_t words = port_.topology().state_words();
  image_.pack(spins, std::span(g.spins).subspan(replica * words, words));
  g.spins_written = true;
}

std::vector<Spin> ResidentGrids::read_spins(std::size_t grid, std::size_t replica, Which which) {
  Grid& g = grids_.at(grid);
  const std::size_t words = port_.topology().state_words();
  if (which == Which::best) {
    if (!g.best_current) fetch(grid, contract::kStoreBest);
    g.best_current = true;
    return image_.unpack(std::span(g.best).subspan(replica * words, words));
  }
  if (!g.spins_written && !g.spins_current) fetch(grid, contract::kStoreSpins);
  if (!g.spins_written) g.spins_current = true;
  return image_.unpack(std::span(g.spins).subspan(replica * words, words));
}

std::uint32_t ResidentGrids::skipped(double beta, std::uint32_t sweeps) const {
  const std::uint32_t most = (1U << (64 - left_out_bit(port_.topology().options))) - 1;
  if (beta >= options_.skip_below) return 0;
  return std::min(sweeps - (sweeps + kHotPart - 1) / kHotPart, most);
}

void ResidentGrids::submit(std::size_t grid, std::span<const Parameters> parameters,
                           std::uint32_t sweeps, std::uint64_t burst_number) {
  Grid& g = grids_.at(grid);
  const TopologyOptions& options = port_.topology().options;
  g.result.skipped = 0;
  for (std::size_t r = 0; r < parameters.size(); ++r) {
    const std::uint64_t left_out = skipped(parameters[r].beta, sweeps);
    g.parameters[r] = image_.encode(parameters[r]) | left_out << left_out_bit(options);
    g.result.skipped += left_out;
  }
  std::uint32_t flags = g.spins_written ? contract::kLoadSpins : 0U;
  if (!all_resident_) {
    flags |= contract::kLoadSpins | contract::kStoreSpins | contract::kStoreBest;
  }
  const bool rows = options.rows();
  if (rows && !g.image_written) flags |= contract::kLoadTables;
  KernelCall call = call_for(g, flags);
  if (rows) call.tables = image_.tables();
  g.image_written = true;
  call.sweeps = sweeps;
  call.seed = hash_of(options_.seed + grid, {burst_number});
  port_.start(grid, call);
  g.spins_written = false;
  g.spins_current = g.best_current = !all_resident_;
  g.in_flight = true;
}

const BurstResult& ResidentGrids::wait(std::size_t grid) {
  Grid& g = grids_.at(grid);
  if (!g.in_flight) return g.result;
  g.in_flight = false;
  port_.finish(grid);
  check_status(port_, g.status);
  const std::size_t replicas = g.parameters.size();
  g.result.f.resize(replicas);
  g.result.g.resize(replicas);
  g.result.best_f.resize(replicas);
  for (std::size_t r = 0; r < replicas; ++r) {
    const ReplicaResult measured = replica_result(g.results, r);
    g.result.f[r] = image_.energy(measured.f);
    g.result.g[r] = image_.violation(measured.g);
    g.result.best_f[r] =
        measured.best_f ? image_.energy(*measured.best_f) : std::numeric_limits<double>::infinity();
  }
  return g.result;
}

}  // namespace

std::unique_ptr<LoadedModel> load_resident(KernelPort& port, const PhysicalModel& model,
                                           const LoadOptions& options, unsigned coupling_bits) {
  return std::make_unique<ResidentGrids>(port, model, options, coupling_bits);
}

}  // namespace chainmail

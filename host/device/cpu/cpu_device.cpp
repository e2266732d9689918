// Each grid is cut into blocks of replicas that share vectors; a burst runs the blocks in parallel
// in short steps. A replica's noise comes from its own counters, however blocks and steps are cut,
// so the number of threads cannot change a bit.
#include "device/cpu/cpu_device.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <thread>

#include "device/cpu/choose_path.hpp"
#include "device/cpu/form_path.hpp"
#include "device/cpu/path.hpp"
#include "device/cpu/thread_pool.hpp"
#include "problem/problem.hpp"
#include "support/error.hpp"

namespace chainmail {
namespace {

// A step worth handing to a thread of its own.
constexpr double kStepNs = 20000.0;
// Bursts below this run at once in submit(): waking a thread would cost more than it saves.
constexpr double kInlineNs = 50000.0;

struct Grid {
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<Parameters> parameters;
  NoiseKey key{};
  std::vector<std::size_t> descend;  // replicas to descend from when the burst ends
  std::vector<std::optional<Descent>> descents;
  BurstResult result;
  PoolJob job;
  bool in_flight = false;  // submitted and not yet waited for
  bool started = false;    // handed to the pool
};

void check_model(const PhysicalModel& model) {
  if (model.forms) return;
  if (model.f.size() == 0) throw InputError("the model has no p-bits");
  if (model.g.size() != model.f.size()) {
    throw InputError("f has " + std::to_string(model.f.size()) + " p-bits but g has " +
                     std::to_string(model.g.size()));
  }
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const DeviceOptions& options)
      : precision_(options.precision),
        moves_(options.moves),
        wanted_threads_(ThreadPool::threads_for(options.threads)),
        pool_(wanted_threads_) {}
  ~CpuDevice() override { finish_all(); }
  CpuDevice(const CpuDevice&) = delete;
  CpuDevice& operator=(const CpuDevice&) = delete;

  std::string describe() const override {
    const std::string threads =
        std::to_string(pool_.threads()) + (pool_.threads() == 1 ? " thread" : " threads");
    if (!path_) return "cpu, " + threads;
    return "cpu, " + path_->describe() + ", " + path_->target() + ", " + threads;
  }

  std::vector<std::string> notes() const override {
    if (pool_.threads() == wanted_threads_) return {};
    return {"the system allowed " + std::to_string(pool_.threads()) + " of " +
            std::to_string(wanted_threads_) + " threads"};
  }

  std::string sampler() const override {
    return "cpu, precision " + precision_ + ", moves " + moves_;
  }

  void load(const PhysicalModel& model, const LoadOptions& options) override {
    check_model(model);
    finish_all();  // bursts in flight still read the old model
    grids_.clear();
    path_ = model.forms ? make_form_path(model.forms, options)
                        : choose_path(model, options, precision_, moves_);
    pbits_ = model.pbits();
    forms_ = model.forms ? model.forms->forms.size() : 0;
    loaded_ = options;
    replicas_ = options.replicas;
    feasible_ = model.feasible;
    grids_ = std::vector<Grid>(options.grids);
    block_lanes_ = path_->block_lanes();
    // No block should be more than a thread's fair share.
    const std::size_t all = replicas_ * grids_.size();
    by_grid_ = pool_.threads() > 1 && grids_.size() >= pool_.threads() && !options.one_driver;
    const std::size_t parts =
        pool_.threads() == 1 || by_grid_ ? 1 : pool_.threads() * path_->blocks_per_thread();
    while (block_lanes_ * parts > all && block_lanes_ > path_->least_block_lanes()) {
      block_lanes_ /= 2;
    }
    for (std::size_t grid = 0; grid < grids_.size(); ++grid) {
      const std::size_t share = (options.first + grid) % options.stride;
      for (std::size_t first = 0; first < replicas_; first += block_lanes_) {
        const std::size_t lanes = std::min(block_lanes_, replicas_ - first);
        grids_[grid].blocks.push_back(path_->make_block(share + first * options.stride, lanes));
      }
    }
  }

  Parameters quantise(const Parameters& wanted) const override {
    if (!path_) throw DeviceError("cpu: quantise() before load()");
    return path_->quantise(wanted);
  }

  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override {
    if (spins.size() != pbits_) {
      throw DeviceError("cpu: " + std::to_string(spins.size()) + " spins written to a model of " +
                        std::to_string(pbits_) + " p-bits");
    }
    block_of(grid, replica).write(replica % block_lanes_, spins);
  }

  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override {
    Block& block = block_of(grid, replica);
    const std::size_t lane = replica % block_lanes_;
    return which == Which::best ? block.read_best(lane) : block.read(lane);
  }

  // With a grid for every thread each runs whole on one thread, in submit(): there is nothing to
  // hand over, and the work between bursts runs in parallel as well.
  std::size_t driver_of(std::size_t grid) const override {
    return by_grid_ ? grid % pool_.threads() : 0;
  }

  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t burst_number) override;
  const BurstResult& wait(std::size_t grid) override;
  void descend_after(std::size_t grid, std::span<const std::size_t> replicas) override {
    for (const std::size_t replica : replicas) block_of(grid, replica);  // or there is none
    grid_at(grid).descend.assign(replicas.begin(), replicas.end());
  }
  void reweigh(std::size_t grid, std::span<const double> weights) override {
    if (weights.size() != forms_) {
      throw DeviceError("cpu: " + std::to_string(weights.size()) + " weights for a model of " +
                        std::to_string(forms_) + " forms");
    }
    if (grid_at(grid).in_flight) throw DeviceError("cpu: weights changed in a burst");
    for (const auto& block : grid_at(grid).blocks) block->reweigh(weights);
  }

 private:
  void finish_all() {
    for (Grid& grid : grids_) {
      if (grid.started) pool_.finish(grid.job);
    }
  }
  Grid& grid_at(std::size_t grid) {
    if (grid >= grids_.size()) {
      throw DeviceError("cpu: no grid " + std::to_string(grid) + " of " +
                        std::to_string(grids_.size()));
    }
    return grids_[grid];
  }
  Block& block_of(std::size_t grid, std::size_t replica) {
    Grid& g = grid_at(grid);
    if (replica >= replicas_) {
      throw DeviceError("cpu: no replica " + std::to_string(replica) + " of " +
                        std::to_string(replicas_));
    }
    if (g.in_flight) throw DeviceError("cpu: spins touched while a burst is in flight");
    return *g.blocks[replica / block_lanes_];
  }
  void run_step(Grid& grid, std::size_t block, std::uint64_t first, std::uint64_t count, bool last);

  std::string precision_, moves_;
  std::unique_ptr<Path> path_;
  std::size_t pbits_ = 0, forms_ = 0, replicas_ = 0;
  double feasible_ = kFeasible;
  std::size_t block_lanes_ = 0;  // replicas of a block
  LoadOptions loaded_;
  std::vector<Grid> grids_;
  bool by_grid_ = false;  // threads take grids, not blocks
  unsigned wanted_threads_;
  ThreadPool pool_;
};

void CpuDevice::run_step(Grid& grid, std::size_t block, std::uint64_t first, std::uint64_t count,
                         bool last) {
  const std::size_t lane = block * block_lanes_;
  const std::size_t lanes = std::min(block_lanes_, replicas_ - lane);
  Block& b = *grid.blocks[block];
  if (first == 0) b.begin(std::span(grid.parameters).subspan(lane, lanes), grid.key);
  if (count > 0) b.sweep(first, count);
  if (!last) return;
  b.energies(std::span(grid.result.f).subspan(lane, lanes),
             std::span(grid.result.g).subspan(lane, lanes));
  for (std::size_t r = lane; r < lane + lanes; ++r) {
    const bool feasible = grid.result.g[r] <= feasible_;
    grid.result.best_f[r] = feasible ? grid.result.f[r] : std::numeric_limits<double>::infinity();
  }
  if (b.keeps_best()) b.best(std::span(grid.result.best_f).subspan(lane, lanes));
  if (loaded_.moments) b.moments(std::span(grid.result.moments).subspan(lane, lanes));
  for (std::size_t k = 0; k < grid.descend.size(); ++k) {
    const std::size_t r = grid.descend[k];
    if (r >= lane && r < lane + lanes) grid.descents[k] = b.descend(r - lane);
  }
}

void CpuDevice::submit(std::size_t grid, std::span<const Parameters> parameters,
                       std::uint64_t sweeps, std::uint64_t burst_number) {
  Grid& g = grid_at(grid);
  if (g.in_flight) throw DeviceError("cpu: grid " + std::to_string(grid) + " is in flight already");
  if (parameters.size() != replicas_) {
    throw DeviceError("cpu: " + std::to_string(parameters.size()) + " parameter pairs for " +
                      std::to_string(replicas_) + " replicas");
  }
  g.parameters.assign(parameters.begin(), parameters.end());
  g.key = make_noise_key(loaded_.seed + (loaded_.first + grid) / loaded_.stride, burst_number);
  g.result.f.resize(replicas_);
  g.result.g.resize(replicas_);
  g.result.best_f.resize(replicas_);
  g.result.moments.resize(loaded_.moments ? replicas_ : 0);
  g.descents.assign(g.descend.size(), std::nullopt);
  g.in_flight = true;

  const double update_ns = path_->ns_per_update();
  const double sweep_ns = update_ns * static_cast<double>(pbits_ * replicas_);
  const bool inline_burst = static_cast<double>(sweeps) * sweep_ns <= kInlineNs;
  if (pool_.threads() == 1 || by_grid_ || inline_burst) {
    for (std::size_t b = 0; b < g.blocks.size(); ++b) run_step(g, b, 0, sweeps, true);
    return;
  }
  const double block_ns =
      update_ns * static_cast<double>(pbits_ * std::min(replicas_, block_lanes_));
  const std::uint64_t stride =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(kStepNs / block_ns));
  g.job.strands = g.blocks.size();
  g.job.steps = (sweeps + stride - 1) / stride;
  g.job.run = [this, &g, sweeps, stride](std::size_t block, std::size_t step) {
    const std::uint64_t first = step * stride;
    const std::uint64_t count = std::min(stride, sweeps - first);
    run_step(g, block, first, count, first + count == sweeps);
  };
  g.started = true;
  pool_.start(g.job);
}

const BurstResult& CpuDevice::wait(std::size_t grid) {
  Grid& g = grid_at(grid);
  if (!g.in_flight)
    throw DeviceError("cpu: wait() on grid " + std::to_string(grid) + " without a burst");
  if (g.started) pool_.finish(g.job);
  g.started = false;
  g.in_flight = false;
  g.descend.clear();
  g.result.descents.clear();
  for (std::optional<Descent>& descent : g.descents) {
    if (descent) g.result.descents.push_back(*std::move(descent));
  }
  return g.result;
}

}  // namespace

std::unique_ptr<Device> make_cpu_device(const DeviceOptions& options) {
  const std::array<std::string, 5> known = {"auto", "int8", "cached", "lanes", "float"};
  if (std::find(known.begin(), known.end(), options.precision) == known.end()) {
    throw UsageError("--precision " + options.precision +
                     ": expected auto, int8, cached, lanes or float");
  }
  if (options.moves != "single" && options.moves != "chain") {
    throw UsageError("--moves " + options.moves + ": expected single or chain");
  }
  return std::make_unique<CpuDevice>(options);
}

}  // namespace chainmail

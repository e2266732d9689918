// A constraint of the problem's own differs from column to column in every coupling, and a kernel
// holds one set of tables. So a burst of a grid is one launch for each penalty in it: the replicas
// that are in that column now are gathered, their spins travel with them, and tables are loaded
// with the launch. Swaps still exchange only parameters; they decide which replicas are gathered
// next time. A launch does not depend on anything the kernel kept, so launches may be interleaved
// freely.
//
// The kernel reports f' + P g of a replica; g is evaluated here from the spins it stored, and f'
// follows. Its best state of a burst has the lowest f' + P g and counts when its g is zero.
#include <fmt/format.h>

#include <limits>

#include "device/kernel/column_tables.hpp"
#include "device/kernel/kernel_call.hpp"
#include "device/kernel/loaded_model.hpp"
#include "problem/problem.hpp"
#include "support/random.hpp"
#include "topology/contract.hpp"

namespace chainmail {

namespace {

struct Launch {
  std::uint64_t column = 0;
  std::vector<std::size_t> replicas;  // of the grid, ascending
  std::vector<std::uint64_t> parameters, spins, best, results, status;
};

struct Grid {
  std::vector<std::vector<Spin>> spins, best;  // by replica
  std::vector<Launch> launches;                // in flight
  BurstResult result;
};

class ColumnLaunches final : public LoadedModel {
 public:
  ColumnLaunches(KernelPort& port, const PhysicalModel& model, const LoadOptions& options)
      : port_(port),
        options_(options),
        g_(model.g),
        feasible_(model.feasible),
        tables_(model, port.topology(), options),
        grids_(options.grids) {
    for (Grid& grid : grids_) {
      grid.spins.assign(options.replicas, std::vector<Spin>(g_.size(), 1));
      grid.best = grid.spins;
    }
  }
  ~ColumnLaunches() override {
    for (std::size_t grid = 0; grid < grids_.size(); ++grid) abandon(grid, 0);
  }
  ColumnLaunches(const ColumnLaunches&) = delete;
  ColumnLaunches& operator=(const ColumnLaunches&) = delete;

  std::string describe() const override {
    return fmt::format("tables for each penalty, {}; penalties in steps of {:.3g}",
                       chainmail::describe(tables_.report()), tables_.step());
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    if (!tables_.report().exact) notes.push_back(chainmail::describe(tables_.report()));
    const double wanted = options_.beta_max * options_.penalty_max;
    if (port_.topology().links > 0 && wanted > tables_.largest_beta_penalty()) {
      notes.push_back(fmt::format("beta P saturates at {:.4g}, requested up to {:.4g}",
                                  tables_.largest_beta_penalty(), wanted));
    }
    return notes;
  }
  Parameters quantise(const Parameters& wanted) const override { return tables_.quantise(wanted); }

  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override {
    grids_.at(grid).spins.at(replica).assign(spins.begin(), spins.end());
  }
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override {
    const Grid& g = grids_.at(grid);
    return which == Which::best ? g.best.at(replica) : g.spins.at(replica);
  }

  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint32_t sweeps,
              std::uint64_t burst_number) override {
    Grid& g = grids_.at(grid);
    std::map<std::uint64_t, std::vector<std::size_t>> by_column;
    for (std::size_t r = 0; r < parameters.size(); ++r) {
      by_column[tables_.column_of(parameters[r])].push_back(r);
    }
    for (auto& [column, replicas] : by_column) {
      g.launches.push_back(gather(g, column, std::move(replicas), parameters));
    }
    for (std::size_t k = 0; k < g.launches.size(); ++k) {
      start(g.launches[k], lane(grid, k), sweeps,
            hash_of(options_.seed + grid, {burst_number, g.launches[k].column}));
    }
  }

  const BurstResult& wait(std::size_t grid) override {
    Grid& g = grids_.at(grid);
    if (g.launches.empty()) return g.result;
    for (std::vector<double>* values : {&g.result.f, &g.result.g, &g.result.best_f}) {
      values->resize(options_.replicas);
    }
    for (std::size_t k = 0; k < g.launches.size(); ++k) {
      try {
        port_.finish(lane(grid, k));
        check_status(port_, g.launches[k].status);
      } catch (...) {
        abandon(grid, k + 1);
        throw;
      }
      scatter(g, g.launches[k]);
    }
    g.launches.clear();
    return g.result;
  }

 private:
  std::size_t lane(std::size_t grid, std::size_t launch) const {
    return launch * grids_.size() + grid;
  }

  std::span<std::uint64_t> state(std::vector<std::uint64_t>& states, std::size_t k) const {
    const std::size_t words = port_.topology().state_words();
    return std::span(states).subspan(k * words, words);
  }

  Launch gather(const Grid& grid, std::uint64_t column, std::vector<std::size_t> replicas,
                std::span<const Parameters> parameters) {
    const KernelImage& image = tables_.image(column);
    Launch launch;
    launch.column = column;
    launch.spins.resize(replicas.size() * port_.topology().state_words());
    launch.best.resize(launch.spins.size());
    launch.results.resize(2 * replicas.size());
    launch.status.resize(contract::kStatusWords / 2);
    for (std::size_t k = 0; k < replicas.size(); ++k) {
      launch.parameters.push_back(image.encode(tables_.for_kernel(parameters[replicas[k]])));
      image.pack(grid.spins[replicas[k]], state(launch.spins, k));
    }
    launch.replicas = std::move(replicas);
    return launch;
  }

  void start(Launch& launch, std::size_t at, std::uint32_t sweeps, std::uint64_t seed) {
    KernelCall call;
    call.tables = tables_.image(launch.column).tables();
    call.parameters = launch.parameters;
    call.spins = launch.spins;
    call.best = launch.best;
    call.results = launch.results;
    call.status = launch.status;
    call.replicas = static_cast<std::uint32_t>(launch.replicas.size());
    call.sweeps = sweeps;
    call.flags =
        contract::kLoadTables | contract::kLoadSpins | contract::kStoreSpins | contract::kStoreBest;
    call.seed = seed;
    port_.start(at, call);
  }

  void scatter(Grid& grid, Launch& launch) {
    const KernelImage& image = tables_.image(launch.column);
    const double penalty = tables_.penalty(launch.column);
    for (std::size_t k = 0; k < launch.replicas.size(); ++k) {
      const std::size_t r = launch.replicas[k];
      const ReplicaResult measured = replica_result(launch.results, k);
      std::vector<Spin>& spins = grid.spins[r];
      spins = image.unpack(state(launch.spins, k));
      const double g = g_(spins);
      grid.result.g[r] = g;
      // The kernel's own g counts the chains, which its f leaves out.
      grid.result.f[r] =
          image.energy(measured.f) - penalty * (g - tables_.link_weight() * measured.g);
      grid.result.best_f[r] = std::numeric_limits<double>::infinity();
      if (g <= feasible_) {
        grid.best[r] = spins;
        grid.result.best_f[r] = grid.result.f[r];
      }
      if (!measured.best_f) continue;
      std::vector<Spin> best = image.unpack(state(launch.best, k));
      if (g_(best) > feasible_) continue;
      grid.best[r] = std::move(best);
      grid.result.best_f[r] = image.energy(*measured.best_f);
    }
  }

  void abandon(std::size_t grid, std::size_t from) noexcept {
    for (std::size_t k = from; k < grids_[grid].launches.size(); ++k) {
      abandon_call(port_, lane(grid, k));
    }
    grids_[grid].launches.clear();
  }

  KernelPort& port_;
  LoadOptions options_;
  Quadratic g_;
  double feasible_;
  ColumnTables tables_;
  std::vector<Grid> grids_;
};

}  // namespace

std::unique_ptr<LoadedModel> load_columns(KernelPort& port, const PhysicalModel& model,
                                          const LoadOptions& options) {
  return std::make_unique<ColumnLaunches>(port, model, options);
}

}  // namespace chainmail

// Grids live side by side in the kernel's ring as long as they fit; a burst then moves parameters
// in and results out, nothing else. When they do not fit, they share one place and every burst
// brings its spins along. Either way a burst's seed is a hash of (run seed, grid, burst number).
#include "device/kernel/kernel_device.hpp"

#include <fmt/format.h>

#include <limits>

#include "support/error.hpp"
#include "support/random.hpp"
#include "topology/contract.hpp"

namespace chainmail {

namespace {

std::uint32_t half(std::span<const std::uint64_t> words, std::uint32_t index) {
  return static_cast<std::uint32_t>(words[index / 2] >> 32 * (index % 2));
}

const char* meaning(std::uint32_t code) {
  switch (code) {
    case contract::kBadReplicas:
      return "replicas do not fit the ring";
    case contract::kBadFlags:
      return "unknown flag";
    case contract::kReadError:
      return "a memory read failed";
    case contract::kWriteError:
      return "a memory write failed";
    default:
      return "unknown code";
  }
}

}  // namespace

KernelDevice::KernelDevice(std::unique_ptr<KernelPort> port) : port_(std::move(port)) {
  std::vector<std::uint64_t> status(contract::kStatusWords / 2, 0);
  KernelCall call;
  call.status = status;
  call.flags = contract::kDescribe;
  run(0, call);
  const std::uint64_t hash = status[contract::kWordHashLow / 2];
  if (half(status, contract::kWordMagic) != contract::kMagic ||
      half(status, contract::kWordVersion) != contract::kVersion ||
      hash != port_->topology().hash) {
    throw DeviceError(fmt::format(
        "{}: kernel says version {:#x}, topology {:016x}; this program has version {:#x}, topology "
        "{} with {:016x}: build both from the same sources",
        port_->describe(), half(status, contract::kWordVersion), hash, contract::kVersion,
        port_->topology().name, port_->topology().hash));
  }
}

KernelDevice::~KernelDevice() {
  drain();
}

// Lets bursts in flight end: they write into the grids' buffers.
void KernelDevice::drain() noexcept {
  for (std::size_t grid = 0; grid < grids_.size(); ++grid) {
    if (!grids_[grid].in_flight) continue;
    grids_[grid].in_flight = false;
    try {
      port_->finish(grid);
    } catch (const std::exception&) {
      // Nobody asks for this burst any more; the next call will meet the fault again.
      continue;
    }
  }
}

std::string KernelDevice::describe() const {
  const Topology& t = port_->topology();
  return fmt::format("{}: {} p-bits in {} colours, ring of {} replicas{}", port_->describe(),
                     t.pbits(), t.stages.size(), t.options.max_replicas,
                     image_ ? ", " + chainmail::describe(image_->report()) : "");
}

std::vector<std::string> KernelDevice::notes() const {
  std::vector<std::string> notes;
  if (!image_) return notes;
  if (!image_->report().exact) notes.push_back(chainmail::describe(image_->report()));
  const Parameters most = image_->largest();
  if (options_.beta_max > most.beta) {
    notes.push_back(fmt::format("beta saturates at {:.4g}, asked for up to {:.4g}", most.beta,
                                options_.beta_max));
  }
  if (options_.beta_max * options_.penalty_max > most.beta_penalty) {
    notes.push_back(fmt::format("beta P saturates at {:.4g}, asked for up to {:.4g}",
                                most.beta_penalty, options_.beta_max * options_.penalty_max));
  }
  return notes;
}

void KernelDevice::load(const Model& model, const LoadOptions& options) {
  const Topology& t = port_->topology();
  const std::size_t room = t.options.max_replicas;
  if (options.replicas < 1 || options.replicas > room) {
    throw InputError(fmt::format("{} replicas a grid; topology {} holds 1 to {}", options.replicas,
                                 t.name, room));
  }
  drain();
  image_.emplace(model, t, LoaderOptions{options.beta_max, coupling_bits_});
  options_ = options;
  all_resident_ = options.grids * options.replicas <= room;
  grids_.assign(options.grids, {});
  const std::vector<Spin> up(model.f.size(), 1);
  for (std::size_t g = 0; g < grids_.size(); ++g) {
    Grid& grid = grids_[g];
    grid.first = static_cast<std::uint32_t>(all_resident_ ? g * options.replicas : 0);
    grid.parameters.resize(options.replicas);
    grid.spins.resize(options.replicas * t.state_words());
    grid.best.resize(grid.spins.size());
    grid.results.resize(2 * options.replicas);
    grid.status.resize(contract::kStatusWords / 2);
    for (std::size_t r = 0; r < options.replicas; ++r) write_spins(g, r, up);
  }
  KernelCall call = call_for(grids_[0], contract::kLoadTables | contract::kNoBurst);
  call.tables = image_->tables();
  run(0, call);
}

Parameters KernelDevice::quantise(const Parameters& wanted) const {
  return image_->decode(image_->encode(wanted));
}

KernelCall KernelDevice::call_for(Grid& grid, std::uint32_t flags) {
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

void KernelDevice::run(std::size_t lane, const KernelCall& call) {
  port_->start(lane, call);
  port_->finish(lane);
  check_status(call.status);
}

void KernelDevice::check_status(std::span<const std::uint64_t> status) const {
  const std::uint32_t code = half(status, contract::kWordCode);
  if (code != contract::kOk) {
    throw DeviceError(
        fmt::format("{}: burst ended with code {} ({})", port_->describe(), code, meaning(code)));
  }
}

void KernelDevice::fetch(std::size_t grid, std::uint32_t flag) {
  run(grid, call_for(grids_[grid], flag | contract::kNoBurst));
}

void KernelDevice::write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) {
  Grid& g = grids_.at(grid);
  if (!g.spins_written && !g.spins_current) fetch(grid, contract::kStoreSpins);
  const std::size_t words = port_->topology().state_words();
  image_->pack(spins, std::span(g.spins).subspan(replica * words, words));
  g.spins_written = true;
}

std::vector<Spin> KernelDevice::read_spins(std::size_t grid, std::size_t replica, Which which) {
  Grid& g = grids_.at(grid);
  const std::size_t words = port_->topology().state_words();
  if (which == Which::best) {
    if (!g.best_current) fetch(grid, contract::kStoreBest);
    g.best_current = true;
    return image_->unpack(std::span(g.best).subspan(replica * words, words));
  }
  if (!g.spins_written && !g.spins_current) fetch(grid, contract::kStoreSpins);
  if (!g.spins_written) g.spins_current = true;
  return image_->unpack(std::span(g.spins).subspan(replica * words, words));
}

void KernelDevice::submit(std::size_t grid, std::span<const Parameters> parameters,
                          std::uint64_t sweeps, std::uint64_t burst_number) {
  if (sweeps > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(fmt::format("{} sweeps in one burst; a kernel takes up to 2^32 - 1", sweeps));
  }
  Grid& g = grids_.at(grid);
  for (std::size_t r = 0; r < parameters.size(); ++r) {
    g.parameters[r] = image_->encode(parameters[r]);
  }
  std::uint32_t flags = g.spins_written ? contract::kLoadSpins : 0U;
  if (!all_resident_) {
    flags |= contract::kLoadSpins | contract::kStoreSpins | contract::kStoreBest;
  }
  KernelCall call = call_for(g, flags);
  call.sweeps = static_cast<std::uint32_t>(sweeps);
  call.seed = hash_of(options_.seed + grid, {burst_number});
  port_->start(grid, call);
  g.spins_written = false;
  g.spins_current = g.best_current = !all_resident_;
  g.in_flight = true;
}

const BurstResult& KernelDevice::wait(std::size_t grid) {
  Grid& g = grids_.at(grid);
  if (!g.in_flight) return g.result;
  g.in_flight = false;
  port_->finish(grid);
  check_status(g.status);
  const std::size_t replicas = g.parameters.size();
  g.result.f.resize(replicas);
  g.result.g.resize(replicas);
  g.result.best_f.resize(replicas);
  for (std::size_t r = 0; r < replicas; ++r) {
    const auto f = static_cast<std::int32_t>(half(g.results, static_cast<std::uint32_t>(4 * r)));
    const auto best =
        static_cast<std::int32_t>(half(g.results, static_cast<std::uint32_t>(4 * r + 1)));
    g.result.f[r] = image_->energy(f);
    g.result.g[r] = half(g.results, static_cast<std::uint32_t>(4 * r + 2));
    g.result.best_f[r] =
        best == contract::kNoBest ? std::numeric_limits<double>::infinity() : image_->energy(best);
  }
  return g.result;
}

}  // namespace chainmail

#include "solve/component_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "support/random.hpp"

namespace chainmail {

namespace {

constexpr double kMostDegree = 16.0;
constexpr double kHubs = 1.5;  // random graphs of degree 4 and more: at most 1.25
// In a random graph of degree d spins are ln N / ln (d - 1) steps apart; in a lattice more than
// this many times as far.
constexpr double kFarther = 2.2;
constexpr std::size_t kLooks = 4;
// No lattice: within so many spins, a ball's size still grows by this power of its width.
constexpr std::size_t kBall = 5000;
constexpr double kMostDimension = 6.0;

// From a ball of `near` steps to one of `far`; a spin is half a step wide.
double growth(const std::vector<std::size_t>& within, std::size_t near, std::size_t far) {
  const auto ratio = [](auto a, auto b) { return static_cast<double>(a) / static_cast<double>(b); };
  return std::log(ratio(within[far], within[near])) / std::log(ratio(2 * far + 1, 2 * near + 1));
}

// How many spins lie within 0, 1, 2, ... steps of `from`, up to the furthest; empty where this is
// no lattice.
std::vector<std::size_t> spins_within(const CouplingRows& rows, std::uint32_t from) {
  std::vector<std::uint8_t> seen(rows.start.size() - 1, 0);
  std::vector<std::uint32_t> front{from}, next;
  seen[from] = 1;
  std::vector<std::size_t> within{1};
  for (;;) {
    next.clear();
    for (std::uint32_t i : front) {
      for (std::uint32_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
        if (std::exchange(seen[rows.spin[k]], 1) == 0) next.push_back(rows.spin[k]);
      }
    }
    if (next.empty()) return within;
    within.push_back(within.back() + next.size());
    const std::size_t steps = within.size() - 1;
    if (within.back() > kBall && growth(within, steps / 2, steps) > kMostDimension) return {};
    front.swap(next);
  }
}

}  // namespace

ComponentExchange::ComponentExchange(const Quadratic& f)
    : f_(&f),
      rows_(coupling_rows(f)),
      fields_(std::any_of(f.fields.begin(), f.fields.end(), [](double h) { return h != 0.0; })),
      seen_(f.size()) {}

double lattice_dimension(const Quadratic& f) {
  const auto spins = static_cast<double>(f.size());
  const double degree = 2.0 * static_cast<double>(f.couplings.size()) / spins;
  if (degree > kMostDegree || spins < 2.0) return 0.0;
  const CouplingRows rows = neighbour_rows(f);
  double furthest = 0.0, dimension = 0.0;
  for (std::size_t k = 0; k < kLooks; ++k) {
    const auto within = spins_within(rows, static_cast<std::uint32_t>(k * f.size() / kLooks));
    if (within.empty()) return 0.0;
    furthest += static_cast<double>(within.size() - 1) / kLooks;
    // From a quarter of the way to half of it, before the far ends meet.
    const std::size_t near = std::max<std::size_t>(1, (within.size() - 1) / 4);
    const std::size_t far = std::min(2 * near, within.size() - 1);
    if (far <= near) continue;  // also a spin without neighbours
    dimension += growth(within, near, far) / kLooks;
  }
  const bool far = furthest > kFarther * std::log(spins) / std::log(std::max(1.5, degree - 1.0));
  return far ? dimension : 0.0;
}

bool has_hubs(const Quadratic& f) {
  std::vector<double> degree(f.size(), 0.0);
  for (const Coupling& c : f.couplings) ++degree[c.i], ++degree[c.j];
  const auto spins = static_cast<double>(std::max<std::size_t>(1, f.size()));
  const double mean = 2.0 * static_cast<double>(f.couplings.size()) / spins;
  const double squares = std::inner_product(degree.begin(), degree.end(), degree.begin(), 0.0);
  return mean <= kMostDegree && squares / spins > kHubs * mean * mean;
}

bool ComponentExchange::operator()(Pair& pair, std::uint64_t seed) {
  const std::size_t spins = pair.a.size();
  // Without fields a state is as good as its mirror image: the nearer one of b.
  std::size_t differ = 0;
  for (std::size_t i = 0; i < spins; ++i) differ += pair.a[i] != pair.b[i] ? 1 : 0;
  const bool mirrored = !fields_ && 2 * differ > spins;
  const auto mirror = [&] {
    for (Spin& s : pair.b) s = static_cast<Spin>(-s);
  };
  if (mirrored) mirror();
  std::fill(seen_.begin(), seen_.end(), 0);
  bool any = false;
  largest_ = 0;
  for (std::uint32_t first = 0; first < spins; ++first) {
    if (seen_[first] != 0 || pair.a[first] == pair.b[first]) continue;
    component_.assign(1, first);
    seen_[first] = 1;
    double change = 0.0;  // of f_a, if a takes b's spins here
    for (std::size_t at = 0; at < component_.size(); ++at) {
      const std::uint32_t i = component_[at];
      double outside = f_->fields[i];
      for (std::uint32_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
        const std::uint32_t j = rows_.spin[k];
        if (pair.a[j] == pair.b[j]) {
          outside += rows_.value[k] * pair.a[j];
        } else if (std::exchange(seen_[j], 1) == 0) {
          component_.push_back(j);
        }
      }
      change += 2.0 * pair.a[i] * outside;
    }
    largest_ = std::max(largest_, component_.size());
    // exp(-beta_a f_a - beta_b f_b) of the exchanged pair over the sum of both.
    const double gain = (pair.beta_b - pair.beta_a) * change;
    const bool exchange = unit_interval(hash_of(seed, {first})) < 1.0 / (1.0 + std::exp(-gain));
    if (!exchange) continue;
    any = true;
    for (std::uint32_t i : component_) std::swap(pair.a[i], pair.b[i]);
    // seen_ keeps these spins from being visited again, though they still differ.
    pair.f_a += change;
    pair.f_b -= change;
  }
  if (mirrored) mirror();
  return any;
}

}  // namespace chainmail

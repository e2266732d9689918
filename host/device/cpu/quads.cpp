// Two p-bits in one quad save a lookup at every neighbour they share. So each quad grows from the
// first p-bit left over by the ones that share most neighbours with it, ties to the lowest index:
// complete graphs and packed embeddings fall into consecutive fours.
#include "device/cpu/quads.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace chainmail {
namespace {

constexpr std::uint32_t kNowhere = ~0U;
// Counting shared neighbours walks paths of length two. Beyond this many only the first few
// neighbours of each p-bit are walked, which is representative enough in a large model.
constexpr double kMostPaths = 4e5;

// Neighbours by f, then by g.
class NeighbourRows {
 public:
  explicit NeighbourRows(const PhysicalModel& model) : start_(model.f.size() + 1) {
    const auto each = [&](const auto& visit) {
      for (const Quadratic* q : {&model.f, &model.g}) {
        for (const Coupling& c : q->couplings) {
          visit(c.i, c.j);
          visit(c.j, c.i);
        }
      }
    };
    each([&](std::uint32_t i, std::uint32_t) { ++start_[i + 1]; });
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    spins_.resize(start_.back());
    std::vector<std::size_t> at = start_;
    each([&](std::uint32_t i, std::uint32_t j) { spins_[at[i]++] = j; });
  }
  std::size_t size() const { return start_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return std::span(spins_).subspan(start_[i], start_[i + 1] - start_[i]);
  }

 private:
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> spins_;
};

}  // namespace

Quads gather_quads(const PhysicalModel& model) {
  const NeighbourRows rows(model);
  const std::size_t pbits = rows.size();
  Quads quads;
  quads.place.assign(pbits, kNowhere);
  quads.count = (pbits + 3) / 4;

  double paths = 0.0;
  for (std::size_t i = 0; i < pbits; ++i) {
    paths += static_cast<double>(rows[i].size() * rows[i].size());
  }
  const std::size_t most =
      paths <= kMostPaths
          ? pbits
          : std::max<std::size_t>(
                2, static_cast<std::size_t>(std::sqrt(kMostPaths / static_cast<double>(pbits))));
  const auto first_few = [&](std::uint32_t i) {
    return rows[i].first(std::min(most, rows[i].size()));
  };

  std::vector<std::uint32_t> shared(pbits, 0);  // neighbours shared with the quad so far
  std::vector<std::uint32_t> touched;
  std::uint32_t seed = 0;
  for (std::uint32_t quad = 0; quad < quads.count; ++quad) {
    while (quads.place[seed] != kNowhere) ++seed;
    std::uint32_t member = seed, next = seed + 1;
    for (std::uint32_t bit = 0; bit < 4 && member != kNowhere; ++bit) {
      quads.place[member] = 4 * quad + bit;
      for (std::uint32_t n : first_few(member)) {
        for (std::uint32_t other : first_few(n)) {
          if (shared[other]++ == 0) touched.push_back(other);
        }
      }
      member = kNowhere;
      for (std::uint32_t other : touched) {
        if (quads.place[other] != kNowhere) continue;
        if (member == kNowhere || shared[other] > shared[member] ||
            (shared[other] == shared[member] && other < member)) {
          member = other;
        }
      }
      for (; member == kNowhere && next < pbits; ++next) {
        if (quads.place[next] == kNowhere) member = next;
      }
    }
    for (std::uint32_t other : touched) shared[other] = 0;
    touched.clear();
  }
  return quads;
}

}  // namespace chainmail

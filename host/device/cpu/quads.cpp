// Two p-bits in one quad save a lookup at every neighbour they share. So each quad grows from the
// first p-bit left over by the ones that share most neighbours with it, ties to the lowest index:
// complete graphs and packed embeddings fall into consecutive fours.
#include "device/cpu/quads.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace chainmail {
namespace {

constexpr std::uint32_t kNowhere = ~0U;
// Counting shared neighbours walks paths of length two. Beyond this many only the first few
// neighbours of each p-bit are walked: what a large model shares shows there too.
constexpr double kMostPaths = 4e5;

std::vector<std::vector<std::uint32_t>> neighbours_of(const PhysicalModel& model) {
  std::vector<std::vector<std::uint32_t>> rows(model.f.size());
  for (const Quadratic* q : {&model.f, &model.g}) {
    for (const Coupling& c : q->couplings) {
      rows[c.i].push_back(c.j);
      rows[c.j].push_back(c.i);
    }
  }
  return rows;
}

}  // namespace

Quads gather_quads(const PhysicalModel& model) {
  const auto rows = neighbours_of(model);
  const std::size_t pbits = rows.size();
  Quads quads;
  quads.place.assign(pbits, kNowhere);
  quads.count = (pbits + 3) / 4;

  double paths = 0.0;
  for (const auto& row : rows) paths += static_cast<double>(row.size() * row.size());
  const std::size_t most =
      paths <= kMostPaths
          ? pbits
          : std::max<std::size_t>(
                2, static_cast<std::size_t>(std::sqrt(kMostPaths / static_cast<double>(pbits))));
  const auto first_few = [&](std::uint32_t i) {
    return std::span(rows[i]).first(std::min(most, rows[i].size()));
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

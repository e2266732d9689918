// Two p-bits in one quad save a lookup at every neighbour they share. So each quad grows from the
// first p-bit left over by the ones that share most neighbours with it, ties to the lowest index:
// complete graphs and packed embeddings fall into consecutive fours.
#include "device/cpu/quads.hpp"

#include <algorithm>

namespace chainmail {
namespace {

constexpr std::uint32_t kNowhere = ~0U;
// Counting shared neighbours walks all paths of length two; beyond this many, take fours in order.
constexpr double kMostPaths = 3e7;

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
  if (paths > kMostPaths) {
    for (std::uint32_t i = 0; i < pbits; ++i) quads.place[i] = i;
    return quads;
  }

  std::vector<std::uint32_t> shared(pbits, 0);  // neighbours shared with the quad so far
  std::vector<std::uint32_t> touched;
  std::uint32_t seed = 0;
  for (std::uint32_t quad = 0; quad < quads.count; ++quad) {
    while (quads.place[seed] != kNowhere) ++seed;
    std::uint32_t member = seed;
    for (std::uint32_t bit = 0; bit < 4 && member != kNowhere; ++bit) {
      quads.place[member] = 4 * quad + bit;
      for (std::uint32_t n : rows[member]) {
        for (std::uint32_t other : rows[n]) {
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
      for (std::uint32_t i = seed + 1; member == kNowhere && i < pbits; ++i) {
        if (quads.place[i] == kNowhere) member = i;
      }
    }
    for (std::uint32_t other : touched) shared[other] = 0;
    touched.clear();
  }
  return quads;
}

}  // namespace chainmail

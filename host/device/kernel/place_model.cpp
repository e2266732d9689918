// Finds every coupling of a model in the topology's wiring. A smaller problem sits on the first n
// logical spins: its p-bit k*n + i is the topology's k*N + i. Rows have a place for every pair.
#include <unordered_map>

#include "device/kernel/loader.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::string pair_name(std::uint32_t i, std::uint32_t j) {
  return std::to_string(i) + "-" + std::to_string(j);
}

// (listener, neighbour) -> slot of the listener.
std::unordered_map<std::uint64_t, std::size_t> slots_of(const Topology& topology) {
  std::unordered_map<std::uint64_t, std::size_t> slots;
  for (std::uint64_t p = 0; p < topology.pbits(); ++p) {
    const std::vector<std::uint32_t>& list = topology.wiring[p].slots;
    for (std::size_t s = 0; s < list.size(); ++s) {
      if (list[s] != Topology::kNoPbit) slots.emplace(p << 32 | list[s], s);
    }
  }
  return slots;
}

std::size_t spins_of(const Quadratic& q, const Topology& topology) {
  const std::size_t copies = topology.options.copies;
  const std::size_t spins = q.size() / copies;
  if (q.size() == 0 || q.size() != spins * copies || spins > topology.options.logical) {
    throw InputError("model has " + std::to_string(q.size()) + " p-bits; topology " +
                     topology.name + " takes 1 to " + std::to_string(topology.options.logical) +
                     " spins of " + std::to_string(copies) + " copies");
  }
  return spins;
}

}  // namespace

OwnConstraint own_constraint(const Quadratic& g, const Topology& topology) {
  const std::size_t spins = spins_of(g, topology);
  const std::string expected =
      "; topology " + topology.name + " has links of one weight between consecutive copies";
  OwnConstraint result{g, 1.0};
  Quadratic& own = result.own;
  own.couplings.clear();
  bool first = true;
  for (const Coupling& c : g.couplings) {
    if (c.i % spins != c.j % spins) {
      own.couplings.push_back(c);
    } else if (c.j == c.i + spins && first && c.value > 0.0) {
      result.link_weight = c.value;
      first = false;
    } else if (c.j != c.i + spins || c.value != result.link_weight) {
      throw InputError("constraint has the term " + pair_name(c.i, c.j) + " of weight " +
                       std::to_string(c.value) + " beside links of weight " +
                       std::to_string(result.link_weight) + expected);
    }
  }
  const std::size_t found = g.couplings.size() - own.couplings.size();
  const std::size_t links = spins * (topology.options.copies - 1);
  if (found != links) {
    throw InputError("constraint has " + std::to_string(found) + " chain links, expected " +
                     std::to_string(links) + expected);
  }
  own.offset -= result.link_weight * static_cast<double>(links);
  return result;
}

PlacedModel place_model(const Quadratic& energy, const Topology& topology) {
  const std::size_t spins = spins_of(energy, topology);

  PlacedModel placed;
  placed.place.resize(energy.size());
  placed.used.assign(topology.pbits(), false);
  placed.terms.resize(topology.pbits());
  placed.fields.assign(topology.pbits(), 0.0);
  placed.offset = energy.offset;
  for (std::size_t q = 0; q < energy.size(); ++q) {
    const std::size_t p = topology.pbit(q % spins, q / spins);
    placed.place[q] = static_cast<std::uint32_t>(p);
    placed.used[p] = true;
    placed.fields[p] = energy.fields[q];
    if (energy.fields[q] != 0.0 && !topology.wiring[p].carries_field) {
      throw InputError("p-bit " + std::to_string(q) + " has a field, which topology " +
                       topology.name + " expects on another copy; embed with the topology");
    }
  }
  if (topology.options.dense()) {
    // All to all; the slot is the other spin.
    for (const Coupling& c : energy.couplings) {
      placed.terms[c.i].push_back({c.j, c.value});
      placed.terms[c.j].push_back({c.i, c.value});
    }
    return placed;
  }
  const auto slots = slots_of(topology);
  for (const Coupling& c : energy.couplings) {
    const std::uint64_t a = placed.place[c.i], b = placed.place[c.j];
    const auto at_a = slots.find(a << 32 | b), at_b = slots.find(b << 32 | a);
    if (at_a == slots.end() || at_b == slots.end()) {
      throw InputError("p-bits " + pair_name(c.i, c.j) + " are coupled, but not in topology " +
                       topology.name + "; embed with the topology");
    }
    placed.terms[a].push_back({at_a->second, c.value});
    placed.terms[b].push_back({at_b->second, c.value});
  }
  return placed;
}

}  // namespace chainmail

// Finds every coupling of a model in the topology's wiring. A smaller problem sits on the first n
// logical spins: its p-bit k*n + i is the topology's k*N + i.
#include <unordered_map>

#include "device/kernel/loader.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::string pair_name(std::uint32_t i, std::uint32_t j) {
  return std::to_string(i) + "-" + std::to_string(j);
}

// The topology's own g: one link of weight 1 between consecutive copies, nothing else.
void check_constraint(const Model& model, std::size_t spins, const Topology& topology) {
  const std::string only = "; topology " + topology.name +
                           " has chain links of weight 1 between consecutive copies and no other "
                           "constraint";
  for (std::size_t p = 0; p < model.g.size(); ++p) {
    if (model.g.fields[p] != 0.0) {
      throw InputError("constraint has a field on p-bit " + std::to_string(p) + only);
    }
  }
  for (const Coupling& c : model.g.couplings) {
    if (c.j != c.i + spins || c.value != 1.0) {
      throw InputError("constraint has the term " + pair_name(c.i, c.j) + " of weight " +
                       std::to_string(c.value) + only);
    }
  }
  const std::size_t links = spins * (topology.options.copies - 1);
  if (model.g.couplings.size() != links || model.g.offset != static_cast<double>(links)) {
    throw InputError("constraint has " + std::to_string(model.g.couplings.size()) +
                     " links, expected " + std::to_string(links) + only);
  }
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

}  // namespace

PlacedModel place_model(const Model& model, const Topology& topology) {
  const std::size_t copies = topology.options.copies;
  const std::size_t spins = model.f.size() / copies;
  if (model.f.size() == 0 || model.f.size() != spins * copies || spins > topology.options.logical) {
    throw InputError("model has " + std::to_string(model.f.size()) + " p-bits; topology " +
                     topology.name + " takes 1 to " + std::to_string(topology.options.logical) +
                     " spins of " + std::to_string(copies) + " copies");
  }
  check_constraint(model, spins, topology);

  PlacedModel placed;
  placed.place.resize(model.f.size());
  placed.used.assign(topology.pbits(), false);
  placed.terms.resize(topology.pbits());
  placed.fields.assign(topology.pbits(), 0.0);
  placed.offset = model.f.offset;
  for (std::size_t q = 0; q < model.f.size(); ++q) {
    const std::size_t p = topology.pbit(q % spins, q / spins);
    placed.place[q] = static_cast<std::uint32_t>(p);
    placed.used[p] = true;
    placed.fields[p] = model.f.fields[q];
    if (model.f.fields[q] != 0.0 && !topology.wiring[p].carries_field) {
      throw InputError("p-bit " + std::to_string(q) + " has a field, which topology " +
                       topology.name + " expects on another copy; embed with the topology");
    }
  }
  const auto slots = slots_of(topology);
  for (const Coupling& c : model.f.couplings) {
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

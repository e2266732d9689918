#include "embedding/embedding.hpp"

#include <algorithm>
#include <cmath>

#include "embedding/placements.hpp"
#include "problem/precision.hpp"
#include "support/error.hpp"

namespace chainmail {

Placement placement_from_name(const std::string& name) {
  for (Placement placement : {Placement::alt, Placement::balanced, Placement::packed}) {
    if (name == name_of(placement)) return placement;
  }
  throw UsageError("unknown placement '" + name + "'; expected alt, balanced or packed");
}

std::string name_of(Placement placement) {
  switch (placement) {
    case Placement::alt:
      return "alt";
    case Placement::balanced:
      return "balanced";
    case Placement::packed:
      return "packed";
  }
  return {};
}

std::vector<Meeting> place(std::span<const Coupling> graph, std::size_t spins, std::size_t copies,
                           Placement placement, std::uint64_t seed) {
  if (copies < 1 || copies > 64) {
    throw UsageError("copies must be between 1 and 64, not " + std::to_string(copies));
  }
  if (copies == 1) {
    std::vector<Meeting> meetings;
    meetings.reserve(graph.size());
    for (const Coupling& c : graph) meetings.push_back({c.i, c.j, 0, 0});
    return meetings;
  }
  switch (placement) {
    case Placement::alt:
      return place_alt(graph, spins, copies);
    case Placement::balanced:
      return place_balanced(graph, spins, copies, seed);
    case Placement::packed:
      return place_packed(graph, spins, copies);
  }
  return {};
}

namespace {

// Couplings of f and of g between the same two spins meet on the same copies.
std::vector<Coupling> union_graph(const Problem& problem) {
  Quadratic all(problem.size());
  const auto add = [&](const Quadratic& q) {
    for (const Coupling& c : q.couplings) all.couplings.push_back({c.i, c.j, 1.0});
  };
  add(problem.objective);
  if (problem.constraint) add(*problem.constraint);
  all.normalise();
  return std::move(all.couplings);
}

// The copy that carries a spin's field. Placement "alt" puts it on colour 1, where the hardware
// reads the energy off.
std::uint32_t field_copy_of(std::size_t spin, std::size_t copies, Placement placement) {
  return placement == Placement::alt && copies > 1 ? 1 - alt_colour(spin, 0) : 0;
}

// Puts a logical function on the copies. Meetings are sorted by (i, j) as the couplings are.
Quadratic lift(const Quadratic& logical, const Embedding& embedding,
               std::span<const Meeting> meetings) {
  Quadratic physical(embedding.pbits());
  physical.offset = logical.offset;
  auto meeting = meetings.begin();
  for (const Coupling& c : logical.couplings) {
    while (meeting != meetings.end() && (meeting->i != c.i || meeting->j != c.j)) ++meeting;
    if (meeting == meetings.end()) {
      throw InputError("spins " + std::to_string(c.i) + " and " + std::to_string(c.j) +
                       " are coupled, but not wired to each other");
    }
    physical.couplings.push_back({static_cast<std::uint32_t>(embedding.pbit(c.i, meeting->a)),
                                  static_cast<std::uint32_t>(embedding.pbit(c.j, meeting->b)),
                                  c.value});
  }
  for (std::size_t spin = 0; spin < logical.size(); ++spin) {
    physical.fields[embedding.pbit(spin, embedding.field_copy[spin])] = logical.fields[spin];
  }
  physical.normalise();
  return physical;
}

// Without a constraint of the user's a link weighs 1. With one, it weighs more than breaking the
// chain could gain, so that g stays positive wherever a chain is broken.
std::vector<double> link_weights(const Problem& problem) {
  std::vector<double> weight(problem.size(), 1.0);
  if (!problem.constraint) return weight;
  for (const Coupling& c : problem.constraint->couplings) {
    weight[c.i] += std::abs(c.value);
    weight[c.j] += std::abs(c.value);
  }
  for (std::size_t i = 0; i < problem.size(); ++i) {
    weight[i] += std::abs(problem.constraint->fields[i]);
  }
  return weight;
}

// g of the chains: sum over links of w (1 - S S').
void add_chains(Quadratic& g, const Embedding& embedding, const std::vector<double>& weight) {
  for (std::size_t spin = 0; spin < embedding.logical; ++spin) {
    for (std::size_t copy = 0; copy + 1 < embedding.copies; ++copy) {
      g.couplings.push_back({static_cast<std::uint32_t>(embedding.pbit(spin, copy)),
                             static_cast<std::uint32_t>(embedding.pbit(spin, copy + 1)),
                             weight[spin]});
      g.offset += weight[spin];
    }
  }
  g.normalise();
}

// The p-bits of each spin in the order of their links; none where no spin has copies.
std::vector<std::vector<std::uint32_t>> chains_of(const Embedding& embedding) {
  if (embedding.copies == 1) return {};
  std::vector<std::vector<std::uint32_t>> chains(embedding.logical);
  for (std::size_t spin = 0; spin < embedding.logical; ++spin) {
    for (std::size_t copy = 0; copy < embedding.copies; ++copy) {
      chains[spin].push_back(static_cast<std::uint32_t>(embedding.pbit(spin, copy)));
    }
  }
  return chains;
}

// Everything but the colours.
void lay_out(const Problem& problem, std::span<const Meeting> meetings,
             const std::vector<double>& link_weight, Embedding& embedding) {
  PhysicalModel& model = embedding.model;
  model.feasible = feasible_up_to(problem);
  model.f = lift(problem.objective, embedding, meetings);
  model.g = problem.constraint ? lift(*problem.constraint, embedding, meetings)
                               : Quadratic(embedding.pbits());
  add_chains(model.g, embedding, link_weight);
  model.chains = chains_of(embedding);
}

}  // namespace

Embedding embed(const Problem& problem, std::size_t copies, Placement placement, std::uint64_t seed,
                Colours colours) {
  Embedding embedding{problem.size(), copies, {}};
  for (std::size_t spin = 0; spin < problem.size(); ++spin) {
    embedding.field_copy.push_back(field_copy_of(spin, copies, placement));
  }
  if (copies == 1 && !problem.constraint) {
    embedding.model.f = problem.objective;
    embedding.model.g = Quadratic(embedding.pbits());
    if (colours == Colours::found) embedding.model.colour = colour_graph(embedding.model);
    return embedding;
  }
  const std::vector<Coupling> graph = union_graph(problem);
  lay_out(problem, place(graph, problem.size(), copies, placement, seed), link_weights(problem),
          embedding);
  if (colours == Colours::found) embedding.model.colour = colour_graph(embedding.model);
  return embedding;
}

Embedding embed(const Problem& problem, const Wiring& wiring) {
  if (problem.size() > wiring.spins) {
    throw InputError("problem has " + std::to_string(problem.size()) + " spins; topology " +
                     wiring.name + " holds " + std::to_string(wiring.spins) +
                     "; the CPU takes it (--device cpu)");
  }
  Embedding embedding{problem.size(), wiring.copies, {}};
  embedding.field_copy.assign(
      wiring.field_copy.begin(),
      wiring.field_copy.begin() + static_cast<std::ptrdiff_t>(problem.size()));
  // A kernel's links all weigh the same.
  std::vector<double> weights = link_weights(problem);
  std::fill(weights.begin(), weights.end(), *std::max_element(weights.begin(), weights.end()));
  try {
    lay_out(problem, wiring.meetings, weights, embedding);
  } catch (const InputError& error) {
    throw InputError("topology " + wiring.name + ": " + error.what());
  }
  embedding.model.colour.reserve(embedding.pbits());
  for (std::size_t copy = 0; copy < wiring.copies; ++copy) {
    for (std::size_t spin = 0; spin < problem.size(); ++spin) {
      embedding.model.colour.push_back(wiring.colour[copy * wiring.spins + spin]);
    }
  }
  return embedding;
}

Embedding with_residuals(Embedding embedding, std::vector<Residual> residuals) {
  embedding.residuals = std::move(residuals);
  for (Residual& residual : embedding.residuals) {
    for (Neighbour& term : residual.terms) {
      const std::size_t pbit = embedding.pbit(term.spin, embedding.field_copy[term.spin]);
      term.spin = static_cast<std::uint32_t>(pbit);
    }
  }
  return embedding;
}

Embedding with_multipliers(Embedding embedding, const std::vector<double>& multipliers) {
  if (multipliers.empty()) return embedding;
  if (multipliers.size() != embedding.residuals.size()) {
    throw InputError("the ladder has " + std::to_string(multipliers.size()) +
                     " multipliers, the model " + std::to_string(embedding.residuals.size()) +
                     " equations");
  }
  embedding.multipliers = multipliers;
  Quadratic& f = embedding.model.f;
  for (std::size_t c = 0; c < multipliers.size(); ++c) {
    f.offset += multipliers[c] * embedding.residuals[c].offset;
    for (const Neighbour& t : embedding.residuals[c].terms) {
      f.fields[t.spin] -= multipliers[c] * t.value;
    }
  }
  return embedding;
}

EmbeddingStatistics statistics(const Embedding& embedding) {
  const PhysicalModel& model = embedding.model;
  EmbeddingStatistics result{embedding.pbits(),
                             model.f.couplings.size(),
                             embedding.logical * (embedding.copies - 1),
                             0,
                             {}};
  if (!model.colour.empty()) {
    result.colours = *std::max_element(model.colour.begin(), model.colour.end()) + 1;
  }
  std::vector<std::size_t> fan_in(embedding.pbits(), 0);
  for (const Coupling& c : model.f.couplings) {
    ++fan_in[c.i];
    ++fan_in[c.j];
  }
  for (std::size_t count : fan_in) ++result.fan_in[count];
  return result;
}

std::vector<Spin> spread(const Embedding& embedding, std::span<const Spin> logical) {
  std::vector<Spin> physical(embedding.pbits());
  for (std::size_t p = 0; p < physical.size(); ++p) physical[p] = logical[p % embedding.logical];
  return physical;
}

namespace {

Decoded decode(const Embedding& embedding, std::span<const Spin> physical, bool majority) {
  Decoded decoded{std::vector<Spin>(embedding.logical), 0};
  const auto copies = static_cast<int>(embedding.copies);
  for (std::size_t spin = 0; spin < embedding.logical; ++spin) {
    int sum = 0;
    for (std::size_t copy = 0; copy < embedding.copies; ++copy) {
      sum += physical[embedding.pbit(spin, copy)];
    }
    const Spin first = physical[embedding.pbit(spin, 0)];
    decoded.spins[spin] = !majority || sum == 0 ? first : static_cast<Spin>(sum > 0 ? 1 : -1);
    if (std::abs(sum) != copies) ++decoded.broken_chains;
  }
  return decoded;
}

}  // namespace

Decoded decode_strict(const Embedding& embedding, std::span<const Spin> physical) {
  return decode(embedding, physical, false);
}
Decoded decode_majority(const Embedding& embedding, std::span<const Spin> physical) {
  return decode(embedding, physical, true);
}

}  // namespace chainmail

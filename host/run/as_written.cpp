#include "run/as_written.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problem/precision.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

// Shares of moves, measured (docs/lab/models.md): chains pay if free bits are in several forms or
// in equations, less in a single knapsack, hardly if clashes, or groups and their swaps, do the
// work.
constexpr double kManyChains = 0.3, kSomeChains = 0.1, kFewChains = 0.05;

// Bit updates in the grid of a run of default length: about a minute on one core if moves are
// expensive, as on knapsacks. It may end after an eighth of that, when nothing better came up in
// nine tenths of it, and visits at most this many times the number of states.
constexpr double kUpdates = 8e8, kLeastSweeps = 500, kLeastShare = 0.125, kVisits = 64.0;
constexpr double kNearBound = 0.01;  // of what f can span

// One or several separated by commas: replicas run on the threads of the process either way.
bool only_cpus(std::string names) {
  for (; names.rfind("cpu,", 0) == 0; names.erase(0, 4)) {
  }
  return names == "cpu";
}

bool has_fractions(const Expression& e) {
  const auto fraction = [](const auto& term) { return !term.coefficient.whole(); };
  return !e.constant.whole() || std::any_of(e.linear.begin(), e.linear.end(), fraction) ||
         std::any_of(e.products.begin(), e.products.end(), fraction) ||
         std::any_of(e.monomials.begin(), e.monomials.end(), fraction);
}

// A bit by the variable it belongs to.
std::vector<std::string> bit_names(const ConstrainedModel& model, const CompiledForms& forms) {
  std::vector<std::string> names(forms.model.bits);
  for (std::size_t v = 0; v < forms.variables.size(); ++v) {
    const auto& bits = forms.variables[v].bits;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const std::string name =
          v < forms.given ? model.variables[v].name : fmt::format("nonzero({})", v - forms.given);
      names[bits[k].bit] = bits.size() == 1 ? name : fmt::format("{}({})", name, k);
    }
  }
  for (std::size_t group = 0; group < forms.none_bits.size(); ++group) {
    if (forms.none_bits[group] != kNone) {
      names[forms.none_bits[group]] = fmt::format("none({})", group);
    }
  }
  return names;
}

}  // namespace

bool wants_forms(const Source& source, const PlanOptions& options, const Device& device) {
  if (!source.model) return false;
  if (!source.model->model.constrained() && source.model->model.objective.monomials.empty() &&
      source.model->purpose != FormsFor::sampling &&
      precision_of(source.problem().objective).exact() &&
      !(options.target && has_fractions(source.model->model.objective))) {
    return false;  // in spins, unless doubles could not tell its values, or the target, apart
  }
  const bool rows = device.topology() != nullptr && device.topology()->options.dense();
  if (!rows && (device.topology() != nullptr || !only_cpus(options.device.name))) return false;
  // Multipliers belong to the squared form.
  const bool squared_ladder = options.given_ladder && !options.given_ladder->multipliers.empty();
  const bool spins = options.copies > 1 || options.ladder || squared_ladder || options.literal ||
                     options.plain_penalty || options.penalty || options.placement ||
                     options.device.precision != "auto" || options.device.moves != "single" ||
                     options.method.value_or(Method::two_dimensional) != Method::two_dimensional;
  return !spins;
}

Embedding embed_forms(const ModelSource& source) {
  Embedding embedding;
  embedding.model.forms = source.form_model();
  embedding.logical = embedding.model.pbits();
  return embedding;
}

Problem words_of(const ModelSource& source) {
  Problem words;
  words.name = source.model.name;
  words.names = bit_names(source.model, source.forms());
  words.user = {source.model.objective_name, source.model.sense == Sense::maximise ? -1.0 : 1.0,
                0.0};
  return words;
}

FormMoves moves_for(const FormModel& model) {
  FormMoves moves;
  moves.chains = kFewChains;
  for (std::uint32_t bit : model.free_bits) {
    const auto forms = model.at_bit[bit];
    if (forms.empty()) continue;
    const FormLimits& limits = model.limits[forms.front().index];
    const bool entangled = forms.size() > 1 || limits.lower == limits.upper;
    moves.chains = std::max(moves.chains, entangled ? kManyChains : kSomeChains);
  }
  return moves;
}

RunLength length_for(const CompiledForms& forms, const Ladder& ladder) {
  const FormModel& model = forms.model;
  const auto replicas = static_cast<double>(ladder.rows() * ladder.columns());
  const auto bits = static_cast<double>(model.bits);
  double most = kUpdates / std::max(1.0, bits * replicas);
  if (model.bits < 40) most = std::min(most, kVisits * std::exp2(bits) / replicas);
  const auto sweeps = [](double count) {
    return static_cast<std::uint64_t>(std::max(kLeastSweeps, count));
  };
  RunLength length{sweeps(most), {}};
  length.patience.least = sweeps(most * kLeastShare);
  length.patience.before = ladder.replica_sweeps / kAnnealed;
  if (forms.bound) {
    double span = 0.0;
    for (double value : model.linear) span += std::abs(value);
    for (const Neighbour& n : model.pairs.items) span += 0.5 * std::abs(n.value);
    for (const auto& [value, spins] : model.monomial_values) {
      span += (spins != 0 ? 2.0 : 1.0) * std::abs(value);
    }
    length.patience.never_below = forms.objective.threshold(*forms.bound) + kNearBound * span;
  }
  return length;
}

}  // namespace chainmail

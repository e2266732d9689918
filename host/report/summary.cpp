#include "report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/digest.hpp"
#include "report/format.hpp"
#include "report/members.hpp"
#include "support/printable.hpp"

namespace chainmail {
namespace {

// Collects "label  value" lines; the label column is as wide as the widest label.
class Lines {
 public:
  void add(std::string label, std::string value) {
    width_ = std::max(width_, label.size());
    lines_.emplace_back(std::move(label), std::move(value));
  }
  std::string text() const {
    std::string all;
    for (const auto& [label, value] : lines_)
      all += fmt::format("  {:<{}}  {}\n", label, width_, value);
    return all;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
  std::size_t width_ = 0;
};

// Whether a state can be infeasible at all: by a constraint, or by chains that break.
bool may_be_infeasible(const Result& r) {
  return r.constrained || r.copies > 1;
}

std::string size_text(const Result& r) {
  std::string text = counted(r.spins, r.bits ? "variable" : "spin");
  if (!r.answers.empty()) {
    text = counted(r.answers.front().variables.size(), "variable");
    if (r.spins != r.answers.front().variables.size()) text += " in " + counted(r.spins, "bit");
  }
  if (r.copies > 1)
    text += fmt::format(", {} copies each: {} p-bits ({} placement, {} colours)", r.copies,
                        count_text(r.pbits), r.placement, r.colours);
  return text;
}

std::string method_text(const Result& r) {
  if (r.method == "exact") return "exact, without a search";
  std::string text = fmt::format("{}, {}", r.method, counted(r.ladder.rows(), "row"));
  if (r.ladder.columns() > 1) text += fmt::format(" x {} columns", r.ladder.columns());
  if (!swept(r)) return r.method + fmt::format(", ended before its first sweep, seed {}", r.seed);
  text += fmt::format(", {}, swaps every {}", counted(r.sweeps, "sweep"),
                      count_text(r.sweeps_per_swap));
  if (r.trials > 1) text += fmt::format(", {} trials", count_text(r.trials));
  return text + fmt::format(", seed {}", r.seed);
}

void add_acceptance(Lines& lines, const char* label,
                    const std::vector<std::vector<double>>& acceptance, const Result& r) {
  const auto found = digest(acceptance, r.ladder);
  if (!found) return;  // no pairs
  std::string text = fmt::format("mean {:.2f}, min {:.2f} at row {}, column {}", found->mean,
                                 found->min, found->min_row + 1, found->min_column + 1);
  if (found->min < kWeakAcceptance && enough_swaps(r)) text += "  (weak: the ladder is cut there)";
  lines.add(label, text);
}

std::string time_text(const Result& r) {
  const Spent spent = spent_in(r);
  std::string text = duration_text(spent.seconds);
  if (spent.tuning > 0.0) text += " and " + duration_text(spent.tuning) + " of tuning";
  if (!swept(r)) return text;
  return text + fmt::format(", {} updates, {} updates/ns", short_count_text(r.updates),
                            number_text(r.updates_per_ns, 3));
}

// Variables that are not zero: names of those at 1, others with their value.
std::string variables_text(const NamedAnswer& answer) {
  constexpr std::size_t kShown = 24;
  std::string text;
  std::size_t count = 0;
  for (const auto& [name, value] : answer.variables) {
    if (value == 0) continue;
    if (++count > kShown) continue;
    text += (text.empty() ? "" : " ") + printable(name);
    if (value != 1) text += fmt::format("={}", value);
  }
  if (count > kShown) text += fmt::format(" and {} more", count - kShown);
  return count == 0 ? "all zero" : text;
}

void add_solutions(Lines& lines, const Result& r) {
  if (r.answers.empty()) return;
  lines.add("not zero", variables_text(r.answers.front()));
  for (const Violation& v : r.answers.front().violations)
    lines.add("violated", fmt::format("{}: {} {} {} does not hold", printable(v.constraint),
                                      amount_text(v.left), v.relation, amount_text(v.right)));
  const NamedAnswer& answer = r.answers.front();
  if (answer.violated > answer.violations.size())
    lines.add("violated", fmt::format("and {} more", answer.violated - answer.violations.size()));
  for (std::size_t k = 1; k < r.answers.size(); ++k)
    lines.add(fmt::format("solution {}", k + 1),
              fmt::format("{} {}: {}", printable(r.objective_name),
                          amount_text(r.answers[k].objective), variables_text(r.answers[k])));
}

// The state of a problem without a model, if it fits a line.
std::string state_text(const std::vector<Spin>& state, const Result& r) {
  constexpr std::size_t kShown = 64;
  const auto up = static_cast<std::uint64_t>(std::count(state.begin(), state.end(), Spin{1}));
  if (r.objective_name == "cut") {
    return fmt::format("{} on one side, {} on the other", counted(up, "vertex", "vertices"),
                       count_text(r.spins - up));
  }
  if (state.size() > kShown) {
    return fmt::format("{} of {} {}", count_text(up), count_text(r.spins),
                       r.bits ? "variables are 1" : "spins are +1");
  }
  std::string text;
  for (Spin spin : state) text += spin > 0 ? (r.bits ? '1' : '+') : (r.bits ? '0' : '-');
  return text;
}

void add_pool(Lines& lines, const Result& r) {
  constexpr std::size_t kShown = 9;
  if (!r.answers.empty()) return;
  for (std::size_t k = 0; k < std::min(r.pool.size(), kShown); ++k) {
    lines.add(fmt::format("solution {}", k + 2),
              fmt::format("{} {}: {}", printable(r.objective_name),
                          amount_text(in_users_terms(r.pool[k].energy, r)),
                          state_text(r.pool[k].solution, r)));
  }
  if (r.pool.size() > kShown) {
    lines.add("", fmt::format("and {} more, with --json", r.pool.size() - kShown));
  }
}

void add_answer(Lines& lines, const Result& r) {
  if (!r.no_objective) lines.add(printable(r.objective_name), amount_text(r.objective));
  if (r.known_optimum && !r.proved && !r.no_objective) {
    lines.add("known optimum", amount_text(in_users_terms(*r.known_optimum, r)));
  }
  if (r.bound && !r.proved && !r.no_objective && verdict_of(r) != Verdict::optimum) {
    const auto gap = gap_to_bound(r);
    lines.add("bound", fmt::format("{} by {}{}", amount_text(in_users_terms(*r.bound, r)),
                                   r.bound_by, gap ? ", gap " + percent_text(*gap) : ""));
  }
  const bool energy = r.objective_name == "energy";
  if (r.residual_per_spin && energy && !r.proved) {
    lines.add("residual per spin", number_text(*r.residual_per_spin, 4));
  }
  if (r.answers.empty() && !r.best.solution.empty()) {
    lines.add("solution", state_text(r.best.solution, r));
  }
  add_solutions(lines, r);
  add_pool(lines, r);
  lines.add("verdict", printable(verdict_text(r)));
  if (r.per_trial.size() > 1 && may_be_infeasible(r)) {
    const auto feasible = std::count_if(r.per_trial.begin(), r.per_trial.end(),
                                        [](const TrialResult& trial) { return trial.feasible; });
    lines.add("trials",
              fmt::format("{} of {} found a feasible state", feasible, r.per_trial.size()));
  }
  if (swept(r))
    lines.add("best found at", fmt::format("sweep {}", count_text(r.best.found_at_sweep)));
}

}  // namespace

std::string to_summary(const Result& r) {
  Lines lines;
  lines.add("problem", printable(r.problem));
  lines.add("size", size_text(r));
  lines.add("method", method_text(r));
  lines.add("device", printable(r.device));
  add_answer(lines, r);
  add_acceptance(lines, "beta swaps", r.acceptance_beta, r);
  add_acceptance(lines, "penalty swaps", r.acceptance_penalty, r);
  if (moved(r)) lines.add("round trips", count_text(r.round_trips));
  if (r.quenches > 0) {
    lines.add(
        "search",
        fmt::format("Λ = {:.1f} (sum of rejections), {}{}", r.rejections,
                    counted(r.quenches, "quench", "quenches"),
                    r.exchanges > 0 ? ", " + counted(r.exchanges, "component exchange") : ""));
  }
  if (may_be_infeasible(r) && moved(r)) {
    lines.add("answer replica", percent_text(r.answer_feasible_rate) + " of rounds feasible");
  }
  lines.add("time", time_text(r));
  lines.add("peak memory", memory_text(r.peak_memory_kib));
  lines.add("stopped by", printable(ending_of(r)));
  for (const MemberLine& line : member_lines(r)) lines.add(line.label, line.value);
  for (const std::string& note : r.model_notes) lines.add("note", printable(note));
  for (const std::string& note : r.ladder.notes) lines.add("note", printable(note));
  return lines.text();
}

}  // namespace chainmail

#include "report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/digest.hpp"
#include "report/format.hpp"
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

std::string size_text(const Result& r) {
  std::string text = count_text(r.spins) + (r.spins == 1 ? " spin" : " spins");
  if (r.copies > 1)
    text += fmt::format(", {} copies each: {} p-bits ({} placement, {} colours)", r.copies,
                        count_text(r.pbits), r.placement, r.colours);
  return text;
}

std::string method_text(const Result& r) {
  std::string text =
      fmt::format("{}, {} rows x {} columns, {} sweeps, swaps every {}", r.method, r.ladder.rows(),
                  r.ladder.columns(), count_text(r.sweeps), count_text(r.sweeps_per_swap));
  if (r.trials > 1) text += fmt::format(", {} trials", count_text(r.trials));
  return text + fmt::format(", seed {}", r.seed);
}

std::string acceptance_text(const std::vector<std::vector<double>>& acceptance,
                            const Ladder& ladder) {
  const auto found = digest(acceptance, ladder);
  if (!found) return "no pairs";
  std::string text = fmt::format("mean {:.2f}, min {:.2f} at row {}, column {}", found->mean,
                                 found->min, found->min_row + 1, found->min_column + 1);
  if (found->min < kWeakAcceptance) text += "  (weak: the ladder is cut there)";
  return text;
}

std::string time_text(const Result& r) {
  std::string text = duration_text(r.seconds);
  if (r.tune_seconds > 0.0) text += " and " + duration_text(r.tune_seconds) + " of tuning";
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
    lines.add("violated",
              fmt::format("{}: {} {} {} does not hold", printable(v.constraint),
                          number_text(v.left, 10), v.relation, number_text(v.right, 10)));
  const NamedAnswer& answer = r.answers.front();
  if (answer.violated > answer.violations.size())
    lines.add("violated", fmt::format("and {} more", answer.violated - answer.violations.size()));
  for (std::size_t k = 1; k < r.answers.size(); ++k)
    lines.add(fmt::format("solution {}", k + 1),
              fmt::format("{} {}: {}", printable(r.objective_name),
                          number_text(r.answers[k].objective, 10), variables_text(r.answers[k])));
}

void add_answer(Lines& lines, const Result& r) {
  lines.add("energy", number_text(r.best.energy, 10));
  if (r.objective_name != "energy")
    lines.add(printable(r.objective_name), number_text(r.objective, 10));
  if (r.known_optimum) lines.add("known optimum", number_text(*r.known_optimum, 10));
  if (r.residual_per_spin) lines.add("residual per spin", number_text(*r.residual_per_spin, 4));
  add_solutions(lines, r);
  std::string verdict = sentence(verdict_of(r));
  if (!r.infeasible.empty())
    verdict = "no solution exists: " + printable(r.infeasible);
  else if (!r.best.feasible)
    verdict +=
        fmt::format(": g = {} in the closest state; more sweeps or a larger penalty may help",
                    number_text(r.best.g));
  lines.add("verdict", verdict);
  if (r.per_trial.size() > 1) {
    const auto feasible = std::count_if(r.per_trial.begin(), r.per_trial.end(),
                                        [](const TrialResult& trial) { return trial.feasible; });
    lines.add("trials",
              fmt::format("{} of {} found a feasible state", feasible, r.per_trial.size()));
  }
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
  lines.add("beta swaps", acceptance_text(r.acceptance_beta, r.ladder));
  lines.add("penalty swaps", acceptance_text(r.acceptance_penalty, r.ladder));
  lines.add("round trips", count_text(r.round_trips));
  if (r.quenches > 0) {
    lines.add(
        "search",
        fmt::format(
            "Λ = {:.1f} (sum of rejections), {} quenches{}", r.rejections, count_text(r.quenches),
            r.exchanges > 0 ? ", " + count_text(r.exchanges) + " component exchanges" : ""));
  }
  lines.add("answer replica", percent_text(r.answer_feasible_rate) + " of rounds feasible");
  lines.add("time", time_text(r));
  lines.add("peak memory", memory_text(r.peak_memory_kib));
  lines.add("stopped by", printable(r.stopped_by));
  for (const std::string& note : r.model_notes) lines.add("note", printable(note));
  for (const std::string& note : r.ladder.notes) lines.add("note", printable(note));
  return lines.text();
}

}  // namespace chainmail

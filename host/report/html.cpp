#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "report/digest.hpp"
#include "report/format.hpp"
#include "report/html_answer.hpp"
#include "report/html_charts.hpp"
#include "report/html_parts.hpp"
#include "report/html_style.hpp"
#include "report/members.hpp"
#include "report/svg.hpp"

namespace chainmail {
namespace {

using html::element;
using html::escaped;
using html::figure;
using html::figures;

constexpr std::size_t kWalksShown = 4;
constexpr std::size_t kNarrow = 12;  // heat maps with more columns get the page's width

// ---- headline ----------------------------------------------------------------------------------

std::string card(std::string_view name, std::string_view value, std::string_view detail = "") {
  std::string text = fmt::format("<div><span class=\"label\" title=\"{0}\">{0}</span><b>{1}</b>",
                                 escaped(name), escaped(value));
  if (!detail.empty()) text += fmt::format("<small>{}</small>", escaped(detail));
  return text + "</div>\n";
}

std::string acceptance_card(std::string_view name, const std::vector<std::vector<double>>& values,
                            const Ladder& ladder) {
  const auto found = digest(values, ladder);
  if (!found) return "";
  return card(name, fmt::format("{:.2f}", found->mean),
              fmt::format("weakest pair {:.2f}", found->min));
}

std::string badge(const Result& r) {
  const Verdict verdict = verdict_of(r);
  const bool bad = verdict == Verdict::infeasible || verdict == Verdict::impossible;
  const bool amber = verdict == Verdict::above || verdict == Verdict::below;
  const bool good = verdict == Verdict::proved || verdict == Verdict::optimum;
  const char* kind = good ? "good" : bad ? "bad" : amber ? "warn" : "plain";
  return fmt::format("<p><span class=\"badge {}\">{}</span></p>\n", kind, escaped(verdict_text(r)));
}

std::string size_text(const Result& r) {
  const std::size_t count = r.answers.empty() ? r.spins : r.answers.front().variables.size();
  std::string size = counted(count, r.answers.empty() && !r.bits ? "spin" : "variable");
  if (r.copies > 1)
    size += fmt::format(" on {} p-bits ({} copies each)", count_text(r.pbits), r.copies);
  return size;
}

// "cpu, int8 path (...), 2 threads": the table at the end has it whole.
std::string short_device(const std::string& device) {
  return device.substr(0, device.find(','));
}

// A problem without a name, as Python's, is titled by what it is.
std::string name_of(const Result& r) {
  if (!r.problem.empty()) return r.problem;
  if (r.objective_name == "cut") return "Maximum cut, " + counted(r.spins, "vertex", "vertices");
  const std::size_t count = r.answers.empty() ? r.spins : r.answers.front().variables.size();
  if (r.constrained) return "Model, " + counted(count, "variable");
  return r.bits ? "QUBO, " + counted(count, "variable")
                : "Ising problem, " + counted(count, "spin");
}

std::string title(const Result& r) {
  std::string text = fmt::format("<h1>{}</h1>\n", escaped(name_of(r)));
  std::string how = "solved exactly";
  if (r.method != "exact" && !swept(r) && !r.stopped_by.empty()) {
    how = "ended before the first sweep";
  } else if (r.method != "exact") {
    const std::string columns =
        r.ladder.columns() > 1 ? fmt::format(" × {}", r.ladder.columns()) : "";
    how = r.ladder.rows() == 0
              ? "starting"
              : fmt::format("{} on {}{} {}, {}", escaped(r.method), r.ladder.rows(), columns,
                            columns.empty() && r.ladder.rows() == 1 ? "replica" : "replicas",
                            escaped(short_device(r.device)));
  }
  return text + fmt::format("<p class=\"muted\">{}, {}</p>\n", size_text(r), how);
}

std::string value_card(const Result& r, const Running* running) {
  if (r.no_objective) {
    const char* none = running != nullptr ? "nothing feasible yet" : "";
    return card("objective", "none", r.best.feasible ? "a solution was found" : none);
  }
  if (running != nullptr && !r.best.feasible) {
    return card(r.objective_name, "none yet", r.constrained ? "nothing feasible so far" : "");
  }
  if (verdict_of(r) == Verdict::impossible) {
    return card(r.objective_name, "none", "no solution exists");
  }
  return card(r.objective_name, amount_text(r.objective),
              r.best.feasible ? "" : "of a state that is not feasible");
}

std::string bound_cards(const Result& r) {
  if (r.no_objective) return "";
  const Verdict verdict = verdict_of(r);
  const bool optimum = verdict == Verdict::proved || verdict == Verdict::optimum;
  std::string text;
  if (r.known_optimum && !r.proved) {
    text += card("known optimum", amount_text(in_users_terms(*r.known_optimum, r)));
  }
  if (r.bound && (r.proved || !optimum)) {
    text += card("bound", amount_text(in_users_terms(*r.bound, r)), "by " + r.bound_by);
  }
  // A stated optimum that was reached says what is known; the gap is to the bound, as in JSON.
  const auto gap = gap_to_bound(r);
  if (gap && (r.proved || !optimum)) text += card("gap", percent_text(*gap));
  return text;
}

// Verdict, value, bound, gap, time: where a reader looks first.
std::string headline(const Result& r, const Running* running = nullptr) {
  std::string text = title(r);
  if (running == nullptr) {
    text += badge(r);
  } else {
    text += fmt::format(
        "<p><span class=\"badge plain\">running, {:.0f} %</span> "
        "<button id=\"stop\" type=\"button\">Stop</button></p>\n",
        100.0 * std::min(1.0, running->fraction));
  }
  text += "<div class=\"cards answer\">\n" + value_card(r, running);
  if (r.best.feasible || running != nullptr) text += bound_cards(r);
  if (!r.best.feasible && r.infeasible.empty() && running == nullptr) {
    text += card("constraint violation g", number_text(r.best.g));
  }
  const Spent spent = running == nullptr ? spent_in(r) : Spent{r.seconds, r.tune_seconds};
  text += card("time", duration_text(spent.seconds),
               spent.tuning > 0.0 ? "and " + duration_text(spent.tuning) + " of tuning" : "");
  if (running != nullptr && running->seconds_left) {
    text += card("time left", duration_text(std::ceil(*running->seconds_left)));
  }
  return text + "</div>\n";
}

// ---- course ------------------------------------------------------------------------------------

std::string course(const Result& r) {
  std::string text = element("h2", "Progress of the run");
  if (r.trace.empty()) return text + element("p", "The run ended before its first swap round.");
  if (r.course.empty()) text += element("p", "No feasible state was found.");
  if (r.no_objective && !r.course.empty())
    text +=
        element("p", "A solution was found after " + duration_text(r.course.back().first) + ".");
  else if (!r.course.empty())
    text += figure(svg::render(course_plot(r)), "");
  if (r.per_trial.size() > 1)
    text += figure(svg::render(trials_plot(r)), "Independent runs, each with its own noise.");
  return text;
}

// ---- the machine's inner life ------------------------------------------------------------------

std::string machine_cards(const Result& r) {
  std::string text = "<div class=\"cards\">\n";
  if (!r.per_trial.empty())
    text += card("found at sweep", short_count_text(r.best.found_at_sweep),
                 "of " + short_count_text(r.sweeps));
  else
    text += card("sweeps", short_count_text(r.sweeps));
  text += acceptance_card("β swap acceptance", r.acceptance_beta, r.ladder);
  text += acceptance_card("P swap acceptance", r.acceptance_penalty, r.ladder);
  if (r.rejections > 0.0) text += card("Λ", number_text(r.rejections, 3), "sum of rejections");
  if (moved(r)) {
    text += card("round trips", count_text(r.round_trips));
    if (r.constrained || r.copies > 1)
      text += card("answer is feasible", percent_text(r.answer_feasible_rate), "of rounds");
  }
  if (r.residual_per_spin && r.objective_name == "energy")
    text += card("residual per spin", number_text(*r.residual_per_spin, 3),
                 r.best.feasible ? "" : "of a state that is not feasible");
  text += card("updates per ns", number_text(r.updates_per_ns, 3),
               short_count_text(r.updates) + " updates");
  if (r.peak_memory_kib > 0) text += card("peak memory", memory_text(r.peak_memory_kib));
  return text + "</div>\n";
}

std::string answer_replica(const Result& r) {
  if (r.trace.empty()) return "";
  std::string plots = figure(
      svg::render(energy_plot(r)),
      r.constrained || r.copies > 1
          ? "The answer replica is the coldest row of the last column; the best is over all "
            "replicas. The answer replica may do better than the optimum where g\u00a0>\u00a00."
          : "The answer replica is the coldest row; the best is over all replicas.");
  const bool violated = std::any_of(r.trace.begin(), r.trace.end(),
                                    [](const TracePoint& point) { return point.g != 0.0; });
  if (violated)
    plots += figure(svg::render(violation_plot(r)),
                    r.copies > 1
                        ? "g of the answer replica: 0 is feasible, each broken chain link adds 2."
                        : "g of the answer replica: 0 is feasible.");
  return element("h3", "The answer replica") + figures(plots);
}

std::string acceptances(const Result& r) {
  std::string maps;
  std::string dashed = fmt::format(" A dashed frame marks pairs below {}.", kWeakAcceptance);
  if (r.ladder.answer_beta > 0.0)
    dashed +=
        " The last cell is the answer's, colder than its row: few swaps with it are expected.";
  if (digest(r.acceptance_beta) && r.ladder.columns() < 2)
    maps += figure(svg::render(beta_acceptance_plot(r)),
                   "Share of accepted swaps of two neighbouring temperatures.");
  else if (digest(r.acceptance_beta))
    maps += figure(svg::render(beta_acceptance_map(r)),
                   "Share of accepted swaps of two neighbouring temperatures." + dashed,
                   r.ladder.columns() > kNarrow);
  if (digest(r.acceptance_penalty))
    maps += figure(svg::render(penalty_acceptance_map(r)),
                   "Share of accepted swaps of two neighbouring penalties." + dashed,
                   r.ladder.columns() > kNarrow);
  return maps.empty() ? "" : element("h3", "Swap acceptance") + figures(maps);
}

std::string walks(const Result& r) {
  if (!moved(r)) return "";
  std::string text = element("h3", "Replica round trips");
  text +=
      element("p", fmt::format("{} from the {} to the answer replica "
                               "and back. Each plot follows one replica over the ladder: row 1 is "
                               "the hottest{}.",
                               counted(r.round_trips, "round trip"),
                               r.ladder.columns() > 1 ? "hot, weakly bound corner" : "hot end",
                               r.ladder.columns() > 1 ? ", column 1 has the weakest penalty" : ""));
  if (r.trace.empty() || r.ladder.rows() * r.ladder.columns() < 2) return text;
  std::string plots;
  for (std::size_t k = 0; k < std::min(r.walks.size(), kWalksShown); ++k)
    if (!r.walks[k].empty()) plots += figure(svg::render(walk_plot(r, k)), "");
  return text + figures(plots);
}

std::string ladder(const Result& r) {
  std::string plots;
  if (r.ladder.rows() > 0) plots += figure(svg::render(beta_plot(r)), "The rows, hot to cold.");
  if (digest(r.acceptance_beta))
    plots += figure(svg::render(rejection_plot(r)),
                    "Rejected swaps summed from the hot end on (Λ): steep where replicas find it "
                    "hard to pass.");
  if (const svg::Plot flow = flow_plot(r); flow.series.front().x.size() > 1)
    plots += figure(svg::render(flow),
                    "Of the replicas followed, the share that came last from the hot end: a "
                    "straight fall is an even ladder, a step a bottleneck.");
  if (r.ladder.columns() > 1)
    plots += figure(svg::render(penalty_plot(r)), "The columns, weak to strong.");
  if (!r.ladder.mean_g.empty())
    plots +=
        figure(svg::render(pilot_map(r)),
               "What the pilot measured while it built the ladder; the bottom right should be 0.",
               r.ladder.columns() > kNarrow);
  std::string text = element("h3", "The ladder");
  for (const std::string& note : r.ladder.notes) text += element("p", escaped(note));
  return text + figures(plots);
}

std::string machine(const Result& r) {
  return "<details class=\"machine\"><summary>Inside the machine: replicas, swaps, "
         "ladder</summary>\n" +
         machine_cards(r) + answer_replica(r) + acceptances(r) + walks(r) + ladder(r) +
         member_table(r) + "</details>\n";
}

// ---- how it was run ----------------------------------------------------------------------------

std::string parameters(const Result& r, const std::string& command_line) {
  const std::size_t named = r.answers.empty() ? r.spins : r.answers.front().variables.size();
  std::vector<std::pair<std::string, std::string>> rows = {
      {r.answers.empty() && !r.bits ? "spins" : "variables", count_text(named)},
      {"bits", named == r.spins ? "" : count_text(r.spins)},
      {"method", r.method},
      {"device", r.device},
      {"copies", r.copies > 1 ? count_text(r.copies) : ""},
      {"p-bits", r.copies > 1 ? count_text(r.pbits) : ""},
      {"colours", r.colours > 0 ? count_text(r.colours) : ""},
      {"placement", r.copies > 1 ? r.placement : ""},
      {"seed", std::to_string(r.seed)},
      {"trials", r.trials > 1 ? count_text(r.trials) : ""},
      {"sweeps", !swept(r) ? "" : count_text(r.sweeps)},
      {"sweeps per swap round", !swept(r) ? "" : count_text(r.sweeps_per_swap)},
      {"rows", !swept(r) ? "" : count_text(r.ladder.rows())},
      {"columns", swept(r) && r.ladder.columns() > 1 ? count_text(r.ladder.columns()) : ""},
      {"stopped by", ending_of(r)},
      {"version", "chainmail " CHAINMAIL_VERSION},
  };
  std::string text = element("h2", "How it was run");
  if (!command_line.empty())
    text += "<div class=\"box\"><pre>" + escaped(command_line) + "</pre></div>\n";
  text += "<div class=\"box\"><table>\n";
  for (const auto& [name, value] : rows)
    if (!value.empty())
      text += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(name),
                          escaped(value));
  return text + "</table></div>\n";
}

}  // namespace

std::string html_head(const std::string& title) {
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
  text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  text += element("title", "Chainmail: " + escaped(title));
  // Quotes in the style sheets are CSS's own; they hold no '<' or '&', so XML reads them too.
  return text + "<style>" + std::string(kPageStyle) + svg::style_sheet() + "</style>\n</head>\n";
}

std::string html_body(const Result& r, const std::string& command_line, const Source* source,
                      const Grouping& how) {
  std::string text = "<main>\n" + headline(r) + html_answer(r, source, how);
  const std::string how_run = parameters(r, command_line);
  text += r.method == "exact" ? how_run
                              : figures("<section>\n" + course(r) + "</section>\n<section>\n" +
                                        how_run + "</section>\n");
  if (swept(r)) text += machine(r);
  text += "<footer>Options --json and --trace write the same numbers for programs.</footer>\n";
  return text + "</main>\n";
}

std::string html_body(const Result& so_far, const Running& running) {
  std::string progress = element("h2", "Progress of the run");
  progress += so_far.course.empty()
                  ? element("p", "Nothing to show yet.")
                  : figure(svg::render(course_plot(so_far)),
                           "The report replaces this page at the end. Stop ends the run as Ctrl-C "
                           "does, with the best answer so far.");
  return "<main>\n" + headline(so_far, &running) +
         figures("<section>\n" + progress + "</section>\n<section>\n" +
                 element("h2", "The machine") + machine_cards(so_far) + "</section>\n") +
         "</main>\n";
}

std::string to_html(const Result& r, const std::string& command_line, const Source* source,
                    const Grouping& how) {
  return html_head(name_of(r)) + "<body>" + html_body(r, command_line, source, how) +
         "</body>\n</html>\n";
}

}  // namespace chainmail

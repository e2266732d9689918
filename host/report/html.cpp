#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "report/digest.hpp"
#include "report/format.hpp"
#include "report/html_charts.hpp"
#include "report/html_style.hpp"
#include "report/svg.hpp"

namespace chainmail {
namespace {

constexpr std::size_t kFolded = 400;  // solutions longer than this open on a click
constexpr std::size_t kWalksShown = 4;

std::string escaped(std::string_view text) {
  return xml_escaped(text);
}

std::string element(std::string_view tag, std::string_view content) {
  return fmt::format("<{0}>{1}</{0}>\n", tag, content);
}

std::string figure(const std::string& svg, std::string_view caption) {
  std::string html = "<figure><div class=\"scroll\">\n" + svg + "</div>";
  if (!caption.empty()) html += fmt::format("<figcaption>{}</figcaption>", escaped(caption));
  return html + "</figure>\n";
}

std::string figures(const std::string& content) {
  return content.empty() ? "" : "<div class=\"figures\">\n" + content + "</div>\n";
}

// ---- headline ----------------------------------------------------------------------------------

std::string card(std::string_view name, std::string_view value, std::string_view detail = "") {
  std::string html = fmt::format("<div><dt>{}</dt><dd>{}", escaped(name), escaped(value));
  if (!detail.empty()) html += fmt::format("<small>{}</small>", escaped(detail));
  return html + "</dd></div>\n";
}

std::string acceptance_card(std::string_view name, const std::vector<std::vector<double>>& values,
                            const Ladder& ladder) {
  const auto found = digest(values, ladder);
  if (!found) return card(name, "–", "no pairs");
  return card(name, fmt::format("{:.2f}", found->mean),
              fmt::format("weakest pair {:.2f}", found->min));
}

std::string badge(const Result& r) {
  const Verdict verdict = verdict_of(r);
  const char* kind = verdict == Verdict::optimum      ? "good"
                     : verdict == Verdict::infeasible ? "bad"
                                                      : "plain";
  return fmt::format("<p><span class=\"badge {}\">{}</span></p>\n", kind,
                     escaped(sentence(verdict)));
}

std::string headline(const Result& r) {
  std::string size = count_text(r.spins) + (r.spins == 1 ? " spin" : " spins");
  if (r.copies > 1)
    size += fmt::format(" on {} p-bits ({} copies each)", count_text(r.pbits), r.copies);
  std::string html = fmt::format("<h1>{}</h1>\n", escaped(r.problem.empty() ? "Run" : r.problem));
  html += fmt::format("<p class=\"muted\">{}, {} on {} × {} replicas, {}</p>\n", escaped(size),
                      escaped(r.method), r.ladder.rows(), r.ladder.columns(), escaped(r.device));
  html += badge(r) + "<dl class=\"cards\">\n";
  html += card("energy", number_text(r.best.energy, 9),
               r.known_optimum ? "known optimum " + number_text(*r.known_optimum, 9) : "");
  if (r.objective_name != "energy") html += card(r.objective_name, number_text(r.objective, 9));
  if (r.residual_per_spin)
    html += card("residual per spin", number_text(*r.residual_per_spin, 3),
                 r.best.feasible ? "" : "of a state that is not feasible");
  html += card(
      "constraint violation g", number_text(r.best.g),
      fmt::format("answer replica feasible in {} of rounds", percent_text(r.answer_feasible_rate)));
  html += card("best found at sweep", short_count_text(r.best.found_at_sweep),
               "of " + short_count_text(r.sweeps));
  html += acceptance_card("β swap acceptance", r.acceptance_beta, r.ladder);
  html += acceptance_card("P swap acceptance", r.acceptance_penalty, r.ladder);
  html += card("round trips", count_text(r.round_trips));
  html += card("time", duration_text(r.seconds),
               r.tune_seconds > 0.0 ? "and " + duration_text(r.tune_seconds) + " of tuning" : "");
  html += card("updates per ns", number_text(r.updates_per_ns, 3),
               short_count_text(r.updates) + " updates");
  html += card("peak memory", memory_text(r.peak_memory_kib));
  return html + "</dl>\n";
}

// ---- plots -------------------------------------------------------------------------------------

std::string course(const Result& r) {
  std::string html = element("h2", "Course of the run");
  if (r.trace.empty()) return html + element("p", "The run ended before its first swap round.");
  std::string plots =
      figure(svg::render(energy_plot(r)),
             "The answer replica is the coldest row of the last column; the best is over all "
             "replicas. Energy may lie below the optimum where g > 0.");
  // Plain tempering of a problem without constraints has no g to show.
  const bool constrained = std::any_of(r.trace.begin(), r.trace.end(),
                                       [](const TracePoint& point) { return point.g != 0.0; });
  if (constrained || r.copies > 1 || r.ladder.columns() > 1)
    plots += figure(svg::render(violation_plot(r)),
                    r.copies > 1
                        ? "g of the answer replica: 0 is feasible, each broken chain link adds 2."
                        : "g of the answer replica: 0 is feasible.");
  html += figures(plots);
  return html;
}

std::string trials(const Result& r) {
  if (r.per_trial.size() < 2) return "";
  return element("h2", "Trials") +
         figures(figure(svg::render(trials_plot(r)), "Independent runs, each with its own noise."));
}

std::string acceptances(const Result& r) {
  std::string maps;
  const auto dashed = fmt::format(" A dashed frame marks pairs below {}.", kWeakAcceptance);
  if (digest(r.acceptance_beta))
    maps += figure(svg::render(beta_acceptance_map(r)),
                   "Share of accepted swaps of two neighbouring temperatures." + dashed);
  if (digest(r.acceptance_penalty))
    maps += figure(svg::render(penalty_acceptance_map(r)),
                   "Share of accepted swaps of two neighbouring penalties." + dashed);
  std::string html = element("h2", "Swap acceptance");
  if (maps.empty()) return html + element("p", "No pair of replicas was ever offered a swap.");
  return html + figures(maps);
}

std::string walks(const Result& r) {
  std::string html = element("h2", "Replica round trips");
  html +=
      element("p", fmt::format("{} {} from the hot, weakly bound corner to the answer replica "
                               "and back. Each plot follows one replica over the ladder: row 1 is "
                               "the hottest, column 1 has the weakest penalty.",
                               count_text(r.round_trips),
                               r.round_trips == 1 ? "round trip" : "round trips"));
  if (r.trace.empty() || r.ladder.rows() * r.ladder.columns() < 2) return html;
  std::string plots;
  for (std::size_t k = 0; k < std::min(r.walks.size(), kWalksShown); ++k)
    if (!r.walks[k].empty()) plots += figure(svg::render(walk_plot(r, k)), "");
  return html + figures(plots);
}

std::string ladder(const Result& r) {
  std::string plots;
  if (r.ladder.rows() > 0) plots += figure(svg::render(beta_plot(r)), "The rows, hot to cold.");
  if (r.ladder.columns() > 1)
    plots += figure(svg::render(penalty_plot(r)), "The columns, weak to strong.");
  if (!r.ladder.mean_g.empty())
    plots +=
        figure(svg::render(pilot_map(r)),
               "What the pilot measured while it built the ladder; the bottom right should be 0.");
  std::string html = element("h2", "The ladder");
  for (const std::string& note : r.ladder.notes) html += element("p", escaped(note));
  return html + figures(plots);
}

// ---- solution ----------------------------------------------------------------------------------

std::string spin_text(Spin spin) {
  return spin > 0 ? "+" : "−";
}

std::string named_spins(const Result& r) {
  std::string html = "<ul class=\"names\">\n";
  for (std::size_t k = 0; k < r.best.solution.size(); ++k)
    html += fmt::format("<li><span>{}</span><b>{}1</b></li>\n", escaped(r.names[k]),
                        spin_text(r.best.solution[k]));
  return html + "</ul>\n";
}

std::string plain_spins(const std::vector<Spin>& solution) {
  constexpr std::size_t kGroup = 10;
  const std::size_t width = std::to_string(solution.size()).size();
  std::string html = "<code class=\"spins\">";
  for (std::size_t first = 0; first < solution.size(); first += kGroup) {
    html += fmt::format("<span><i>{:>{}}</i> ", first, width);
    for (std::size_t k = first; k < std::min(first + kGroup, solution.size()); ++k)
      html += spin_text(solution[k]);
    html += "</span>\n";
  }
  return html + "</code>";
}

std::string solution(const Result& r) {
  std::string html = element("h2", "The solution");
  const std::vector<Spin>& spins = r.best.solution;
  if (spins.empty()) return html + element("p", "No state was recorded.");
  if (!r.best.feasible)
    html += element("p", fmt::format("This state is not feasible (g = {}); where copies of a spin "
                                     "disagree the majority is shown.",
                                     number_text(r.best.g)));
  const bool named = r.names.size() == spins.size();
  const std::string body = named ? named_spins(r) : plain_spins(spins);
  if (spins.size() <= kFolded) return html + "<div class=\"box\">" + body + "</div>\n";
  const auto up = std::count(spins.begin(), spins.end(), Spin{1});
  return html + fmt::format(
                    "<details class=\"box\"><summary>{} spins, {} of them up</summary>{}"
                    "</details>\n",
                    count_text(spins.size()), count_text(static_cast<std::uint64_t>(up)), body);
}

// ---- how it was run ----------------------------------------------------------------------------

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (double value : values) text += (text.empty() ? "" : ", ") + number_text(value, 5);
  return text;
}

std::string parameters(const Result& r, const std::string& command_line) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"problem", r.problem},
      {"spins", count_text(r.spins)},
      {"method", r.method},
      {"device", r.device},
      {"copies", count_text(r.copies)},
      {"p-bits", count_text(r.pbits)},
      {"colours", count_text(r.colours)},
      {"placement", r.placement},
      {"seed", std::to_string(r.seed)},
      {"trials", count_text(r.trials)},
      {"sweeps", count_text(r.sweeps)},
      {"sweeps per swap round", count_text(r.sweeps_per_swap)},
      {"rows", count_text(r.ladder.rows())},
      {"columns", count_text(r.ladder.columns())},
      {"β", list_text(r.ladder.beta)},
      {"P", list_text(r.ladder.penalty)},
      {"stopped by", r.stopped_by},
      {"version", "chainmail " CHAINMAIL_VERSION},
  };
  std::string html = element("h2", "How it was run");
  if (!command_line.empty())
    html += "<div class=\"box\"><pre>" + escaped(command_line) + "</pre></div>\n<p></p>\n";
  html += "<div class=\"box\"><table>\n";
  for (const auto& [name, value] : rows)
    if (!value.empty())
      html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(name),
                          escaped(value));
  return html + "</table></div>\n";
}

}  // namespace

std::string to_html(const Result& r, const std::string& command_line) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  html += element("title", "Chainmail: " + escaped(r.problem));
  // Quotes in the style sheets are CSS's own; they hold no '<' or '&', so XML reads them too.
  html += "<style>" + std::string(kPageStyle) + svg::style_sheet() + "</style>\n</head>\n";
  html += "<body><main>\n";
  html += headline(r) + course(r) + trials(r) + acceptances(r) + walks(r) + ladder(r) + solution(r);
  html += parameters(r, command_line);
  html += "<footer>Options --json and --trace write the same numbers for programs.</footer>\n";
  return html + "</main></body>\n</html>\n";
}

}  // namespace chainmail

// The HTML report: well formed, self-contained, safe against hostile text, and whole in every
// corner a run can end in.
#include "report/html.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "report/html_charts.hpp"
#include "sample.hpp"
#include "support/atomic_file.hpp"

using namespace chainmail;
using test::sample_result;

namespace {

// xmllint reads the text as XML, without the network; its complaints come back.
std::string complaints(const std::string& xml) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("chainmail-report-" + std::to_string(::getpid()) + ".xml");
  write_file(path.string(), xml);
  const std::string command = "xmllint --noout --nonet '" + path.string() + "' 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");  // NOLINT(bugprone-command-processor,cert-env33-c)
  REQUIRE(pipe != nullptr);
  std::string output;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
  const int status = ::pclose(pipe);
  std::filesystem::remove(path);
  if (status != 0 && output.empty()) output = "xmllint failed";
  return output;
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

bool holds(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

// What every report must keep, whatever is in it.
void check_page(const std::string& html) {
  CHECK(complaints(html).empty());
  CHECK_FALSE(holds(html, "<script"));
  CHECK_FALSE(holds(html, "http:"));
  CHECK_FALSE(holds(html, "https:"));
  CHECK_FALSE(holds(html, " src="));
  CHECK_FALSE(holds(html, " href="));
  CHECK_FALSE(holds(html, "url("));
  CHECK_FALSE(holds(html, "@import"));
  // Attributes that hold geometry hold only letters of paths and finite decimal numbers.
  for (const char* name : {"d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height"}) {
    const std::string opening = std::string(" ") + name + "=\"";
    for (std::size_t at = 0; (at = html.find(opening, at)) != std::string::npos;) {
      at += opening.size();
      const std::string value = html.substr(at, html.find('"', at) - at);
      if (value.find_first_not_of("MLHVZmlhvz0123456789.- ") != std::string::npos)
        FAIL_CHECK(name << " is " << value);
    }
  }
}

}  // namespace

TEST_CASE("a realistic report is well formed, self-contained and complete", "[report][html]") {
  const Result result = sample_result();
  const std::string html = to_html(result, "chainmail solve w.json --copies 3 --seed 1");
  check_page(html);
  for (const char* section : {"Course of the run", "Swap acceptance", "Replica round trips",
                              "The ladder", "The solution", "How it was run"})
    CHECK(holds(html, std::string("<h2>") + section + "</h2>"));
  CHECK(holds(html, "chainmail solve w.json --copies 3 --seed 1"));
  CHECK(holds(html, "optimum reached"));
  CHECK(holds(html, "known optimum"));
  // energy, g, two acceptances, four walks, two ladders, pilot
  CHECK(count_of(html, "<svg ") == 11);
  // a cell for every pair and every replica, and 12 steps in each of three legends
  const std::size_t cells = 13 * 9 + 14 * 8 + 14 * 9;
  CHECK(count_of(html, "<rect class=\"cell\"") == cells + 3 * 12);
  CHECK(holds(html, "prefers-color-scheme:dark"));
  CHECK(holds(html, "@media print"));
  CHECK(html.size() < 400'000);
}

TEST_CASE("the checker of well-formedness can fail", "[report][html]") {
  CHECK_FALSE(complaints("<html><p></html>").empty());
  CHECK_FALSE(complaints("<html>&nbsp;</html>").empty());
}

TEST_CASE("figures of their own are well-formed XML", "[report][html]") {
  const Result result = sample_result();
  CHECK(complaints(svg::standalone(svg::render(energy_plot(result)))).empty());
  CHECK(complaints(svg::standalone(svg::render(pilot_map(result)))).empty());
}

TEST_CASE("hostile names come out as text", "[report][html]") {
  Result result = sample_result({.spins = 4});
  const std::string hostile = "</title><script>alert('x')</script>&\"\x01\xff\xed\xa0\x80";
  result.problem = result.method = result.device = result.placement = hostile;
  result.stopped_by = result.objective_name = hostile;
  result.names.assign(4, hostile);
  result.ladder.notes = {hostile};
  const std::string html = to_html(result, hostile);
  check_page(html);
  CHECK(holds(html, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;\uFFFD\uFFFD"));
}

TEST_CASE("one-row and one-column grids have only the swaps that exist", "[report][html]") {
  const std::string row = to_html(sample_result({.rows = 1}));
  check_page(row);
  CHECK_FALSE(holds(row, "Between rows"));
  CHECK(holds(row, "Between columns"));
  CHECK_FALSE(holds(row, "row (β)"));
  const std::string column = to_html(sample_result({.columns = 1}));
  check_page(column);
  CHECK(holds(column, "Between rows"));
  CHECK_FALSE(holds(column, "Between columns"));
  CHECK_FALSE(holds(column, "column (P)"));
  const std::string single = to_html(sample_result({.rows = 1, .columns = 1}));
  check_page(single);
  CHECK(holds(single, "No pair of replicas was ever offered a swap."));
}

TEST_CASE("a run without course, optimum or ladder still reports", "[report][html]") {
  check_page(to_html(Result{}));
  Result result = sample_result({.points = 0});
  result.known_optimum.reset();
  result.residual_per_spin.reset();
  const std::string html = to_html(result);
  check_page(html);
  CHECK(holds(html, "The run ended before its first swap round."));
  CHECK(holds(html, "optimum not known"));
  CHECK_FALSE(holds(html, "residual per spin"));
}

TEST_CASE("a run without constraints has no plot of g", "[report][html]") {
  Result result = sample_result({.columns = 1});
  result.copies = 1;
  for (TracePoint& point : result.trace) point.g = 0.0;
  const std::string html = to_html(result);
  check_page(html);
  CHECK_FALSE(holds(html, "Constraint violation"));
  result.trace.back().g = 1.0;
  CHECK(holds(to_html(result), "Constraint violation"));
}

TEST_CASE("a trace of one point shows that point", "[report][html]") {
  const Result result = sample_result({.points = 1});
  const std::string html = to_html(result);
  check_page(html);
  CHECK(holds(svg::render(energy_plot(result)), "<circle"));
}

TEST_CASE("infeasible answers say so", "[report][html]") {
  Result result = sample_result();
  result.best.feasible = false;
  result.best.g = 6.0;
  for (TracePoint& point : result.trace) point.best.reset();
  const std::string html = to_html(result);
  check_page(html);
  CHECK(holds(html, "no feasible state found"));
  CHECK(holds(html, "This state is not feasible (g = 6)"));
  CHECK_FALSE(holds(html, "optimum reached"));
}

TEST_CASE("one spin and ten thousand spins", "[report][html]") {
  check_page(to_html(sample_result({.spins = 1})));
  const std::string large = to_html(sample_result({.spins = 10000, .rows = 20, .columns = 20}));
  check_page(large);
  CHECK(holds(large, "<details class=\"box\"><summary>10,000 spins"));
  CHECK(large.size() < 1'000'000);
}

TEST_CASE("numbers of any size stay inside the plots", "[report][html]") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double scale : {1e-300, 1e-12, 1e9, 1e290, 1.7e308, kInfinity, kNan}) {
    Result result = sample_result({.points = 40});
    for (TracePoint& point : result.trace) {
      point.energy *= scale;
      point.g *= scale;
      if (point.best) *point.best *= scale;
    }
    *result.known_optimum *= scale;
    result.best.energy *= scale;
    for (double& beta : result.ladder.beta) beta *= scale;
    result.ladder.mean_g[0][0] = scale;
    result.acceptance_beta[0][0] = kNan;
    result.trace[3].energy = -scale;
    CAPTURE(scale);
    check_page(to_html(result));
  }
}

TEST_CASE("weak pairs are framed", "[report][html]") {
  Result result = sample_result();
  CHECK(count_of(to_html(result), "class=\"weak\"") == 0);
  result.acceptance_beta[4][2] = 0.01;
  CHECK(count_of(to_html(result), "class=\"weak\"") == 1);
}

TEST_CASE("trials are compared when there are several", "[report][html]") {
  const std::string html = to_html(sample_result({.trials = 20}));
  check_page(html);
  CHECK(holds(html, "<h2>Trials</h2>"));
  CHECK(holds(html, "not feasible"));
}

// For the eye: tests/report [.samples] writes reports into $CHAINMAIL_SAMPLES.
TEST_CASE("write samples to look at", "[.samples]") {
  const char* folder = std::getenv("CHAINMAIL_SAMPLES");
  REQUIRE(folder != nullptr);
  const std::filesystem::path to(folder);
  const std::string command =
      "build/chainmail solve wishart.json --copies 3 --sweeps 102400 --seed 1 --report run.html";
  Result typical = sample_result();
  typical.ladder.notes = {"The coldest row had no spread in g at P = 1.97; its step was floored."};
  write_file(to / "typical.html", to_html(typical, command));
  write_file(
      to / "large.html",
      to_html(sample_result({.spins = 10000, .rows = 20, .columns = 20, .trials = 20}), command));
  Result named = sample_result({.spins = 5, .rows = 1, .columns = 6, .points = 1});
  named.names = {"A", "B", "Cin", "S", "Cout"};
  named.best.feasible = false;
  named.best.g = 2.0;
  named.acceptance_penalty[0][2] = 0.02;
  write_file(to / "named.html", to_html(named, command));
}

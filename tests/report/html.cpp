// The HTML report: well formed, self-contained, safe against hostile text, and complete however a
// run ends.
#include "report/html.hpp"
#include "report/comparison.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "model/answer.hpp"
#include "report/digest.hpp"
#include "report/format.hpp"
#include "report/grouping.hpp"
#include "report/html_charts.hpp"
#include "report/picture.hpp"
#include "sample.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

using namespace chainmail;
using test::sample_result;

namespace {

// What a program says of the text as a file.
std::string complaints(const std::string& text, const std::string& program, const char* extension) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("chainmail-report-" + std::to_string(::getpid()) + extension);
  write_file(path.string(), text);
  const std::string command = program + " '" + path.string() + "' 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");  // NOLINT(bugprone-command-processor,cert-env33-c)
  REQUIRE(pipe != nullptr);
  std::string output;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
  const int status = ::pclose(pipe);
  std::filesystem::remove(path);
  if (status != 0 && output.empty()) output = program + " failed";
  return output;
}

// xmllint reads the text as XML, without the network.
std::string complaints(const std::string& xml) {
  return complaints(xml, "xmllint --noout --nonet", ".xml");
}

// tidy reads it as HTML 5. Empty elements (a table's head over the relations) are intentional.
std::string html_complaints(const std::string& html) {
  return complaints(html, "tidy -quiet -errors --drop-empty-elements no", ".html");
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
  CHECK(html_complaints(html).empty());
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
  // The answer first, then how it came about; the machine's inner life behind one fold.
  const std::vector<std::string> order = {"<h1>",
                                          "class=\"badge",
                                          "<h2>The solution</h2>",
                                          "<h2>Progress",
                                          "<h2>How it was run</h2>",
                                          "<details class=\"machine\">",
                                          "swap acceptance",
                                          "<h3>The answer replica</h3>",
                                          "<h3>Swap acceptance</h3>",
                                          "<h3>Replica round trips</h3>",
                                          "<h3>The ladder</h3>",
                                          "</details>"};
  for (std::size_t k = 0, at = 0; k < order.size(); ++k) {
    CAPTURE(order[k]);
    const std::size_t found = html.find(order[k], at);
    REQUIRE(found != std::string::npos);
    at = found;
  }
  CHECK(holds(html, "chainmail solve w.json --copies 3 --seed 1"));
  CHECK(holds(html, "optimum reached"));
  CHECK(holds(html, "known optimum"));
  // course, energy, g, two acceptances, four walks, Λ, flow, two ladders, pilot
  CHECK(count_of(html, "<svg ") == 14);
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
  CHECK_FALSE(html_complaints("<!DOCTYPE html><title>x</title><div><dt>x</div>").empty());
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
  CHECK(holds(column, "share accepted"));  // a curve along β: there is no P to lay a map over
  CHECK_FALSE(holds(column, "Between columns"));
  CHECK_FALSE(holds(column, "column (P)"));
  const std::string single = to_html(sample_result({.rows = 1, .columns = 1}));
  check_page(single);
  CHECK_FALSE(holds(single, "Swap acceptance"));
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

TEST_CASE("a run that never swept shows its whole time and no machine", "[report][html]") {
  Result result = sample_result();
  result.updates = 0;
  result.seconds = 0.01;
  result.tune_seconds = 0.24;
  result.no_objective = true;
  result.stopped_by = "bound";
  const std::string html = to_html(result);
  check_page(html);
  CHECK(holds(html, "<b>250 ms</b></div>"));
  CHECK(holds(html, "ended before the first sweep"));
  CHECK(holds(html, "<td>a solution</td>"));
  CHECK(!holds(html, "Inside the machine"));
  CHECK(!holds(html, "sweeps per swap round"));
}

TEST_CASE("infeasible answers say so", "[report][html]") {
  Result result = sample_result();
  result.constrained = true;
  result.best.feasible = false;
  result.best.g = 6.0;
  for (TracePoint& point : result.trace) point.best.reset();
  result.course.clear();
  const std::string html = to_html(result);
  check_page(html);
  CHECK(holds(html, "no feasible state found"));
  CHECK(holds(html, "<h2>The closest state</h2>"));
  CHECK(holds(html, "This state is not feasible (g = 6)"));
  result.infeasible = "rows a and b exclude each other";
  const std::string impossible = to_html(result);
  check_page(impossible);
  CHECK(holds(impossible, "no solution exists: rows a and b"));
  CHECK(holds(impossible, "<b>none</b>"));  // no value of a state that is none
  CHECK_FALSE(holds(html, "best feasible so far"));
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

TEST_CASE("only what applies is shown", "[report][html]") {
  Result plain = sample_result({.columns = 1});
  plain.copies = 1;
  plain.acceptance_penalty.clear();
  for (TracePoint& point : plain.trace) point.g = 0.0;
  const std::string html = to_html(plain);
  check_page(html);
  CHECK_FALSE(holds(html, "P swap acceptance"));
  CHECK_FALSE(holds(html, "feasible"));
  CHECK_FALSE(holds(html, "copies"));
  CHECK(holds(html, "badge good"));
  plain.bound = plain.best.energy - 1.0;
  CHECK_FALSE(holds(to_html(plain), ">gap</span>"));  // the known optimum was reached
  plain.best.energy *= 0.95;
  CHECK(holds(to_html(plain), "badge warn\">above the known optimum by 5 %"));
  plain.constrained = true;
  plain.best.feasible = false;
  CHECK(holds(to_html(plain), "badge bad"));
}

TEST_CASE("a large grid keeps to a page and to a megabyte", "[report][html]") {
  const Result wide = sample_result({.spins = 1000, .rows = 40, .columns = 100});
  const std::string html = to_html(wide);
  check_page(html);
  CHECK(html.size() < 1'000'000);
  // Small cells have no text; names stand at every n-th column.
  const std::string map = svg::render(beta_acceptance_map(wide));
  CHECK(count_of(map, "<path class=\"cell\"") <= 12);
  CHECK(count_of(map, "<text ") < 100);
  const std::string most = to_html(sample_result({.spins = 1000, .rows = 20, .columns = 20}));
  check_page(most);
  CHECK(most.size() < 1'000'000);
}

TEST_CASE("a model's answer is told in its own names", "[report][html]") {
  ConstrainedModel model;
  model.name = "two";
  model.sense = Sense::maximise;
  model.objective_name = "profit";
  model.variables = {{"left<&>", 0, 1}, {"right", 0, 3}};
  model.constraints = {{"weight", {{{0, 2.0}, {1, 1.0}}, {}, 0.0}, -kUnbounded, 3.0},
                       {"least", {{{1, 1.0}}, {}, 0.0}, 1.0, kUnbounded}};
  const Source source = source_of(model, "two.lp");
  Result r = sample_result({.spins = 3, .rows = 2, .columns = 2});
  r.copies = 1;
  r.constrained = r.bits = true;
  r.objective_name = "profit";
  r.scale = -1.0;
  r.answers = {named_answer(model, std::vector<std::int64_t>{1, 1}),
               named_answer(model, std::vector<std::int64_t>{0, 1})};
  const std::string html = to_html(r, "", &source);
  check_page(html);
  CHECK(holds(html, "All 2 hold. 2 bind, without slack."));
  r.answers.front() = named_answer(model, std::vector<std::int64_t>{0, 2});
  const std::string slack = to_html(r, "", &source);
  CHECK(holds(slack, "All 2 hold.</p>"));
  CHECK(holds(slack, "<td>≤</td><td>3</td><td>1</td>"));  // so few are not folded
  r.answers.front() = named_answer(model, std::vector<std::int64_t>{1, 1});
  CHECK(holds(html, "title=\"left&lt;&amp;&gt;\""));
  CHECK(holds(html, "<h3>Solutions</h3>"));
  CHECK(holds(html, "1 variables are zero") == false);
  r.answers = {named_answer(model, std::vector<std::int64_t>{1, 3})};
  r.best.feasible = false;
  const std::string broken = to_html(r, "", &source);
  check_page(broken);
  CHECK(holds(broken, "1 of 2 are violated.</p>"));
  CHECK(holds(broken, "<tr class=\"violated\">"));
  CHECK(holds(broken, "violated by 2"));
}

TEST_CASE("the picture fits the problem", "[report][html]") {
  const auto choose = [](std::size_t things, std::size_t options) {
    ConstrainedModel model;
    for (std::size_t a = 1; a <= things; ++a) {
      ModelConstraint once{"thing_" + std::to_string(a), {}, 1.0, 1.0};
      for (std::size_t b = 1; b <= options; ++b) {
        once.left.linear.push_back({static_cast<std::uint32_t>(model.variables.size()), 1.0});
        model.variables.push_back({"x_" + std::to_string(a) + "_" + std::to_string(b)});
      }
      model.constraints.push_back(once);
    }
    return model;
  };
  const auto picture = [](const ConstrainedModel& model, std::vector<std::int64_t> values) {
    Result r = sample_result({.spins = 4, .rows = 2, .columns = 2});
    r.answers = {named_answer(model, values)};
    Picture found = picture_for(r, source_of(model, "m.lp"));
    if (!found.svg.empty()) CHECK(complaints(svg::standalone(found.svg)).empty());
    return found;
  };
  const std::vector<std::int64_t> diagonal = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  ConstrainedModel model = choose(3, 3);
  CHECK(picture(model, diagonal).svg.empty());  // an assignment is a table
  // Neighbouring positions cost: a tour.
  model.objective.products = {{0, 4, 1.0}, {4, 8, 1.0}, {0, 8, 1.0}};
  CHECK(holds(picture(model, diagonal).svg, "aria-label=\"The tour\""));
  // So it is when the file names its variables in another order; legs show what they cost.
  model.objective.products = {{0, 4, 17.0}, {4, 8, 18.0}, {0, 8, 19.0}};
  for (auto [from, to] : {std::pair{0, 8}, std::pair{1, 7}, std::pair{2, 6}, std::pair{3, 5}}) {
    std::swap(model.variables[static_cast<std::size_t>(from)],
              model.variables[static_cast<std::size_t>(to)]);
  }
  const std::string tour = picture(model, diagonal).svg;
  CHECK(holds(tour, "aria-label=\"The tour\""));
  for (const char* cost : {">17<", ">18<", ">19<"}) CHECK(holds(tour, cost));
  // The same option for two things is forbidden: a colouring. An edge within a colour is wrong.
  model = choose(3, 3);
  for (std::uint32_t option = 0; option < 3; ++option) {
    model.constraints.push_back(
        {"e", {{{option, 1.0}, {3 + option, 1.0}}, {}, 0.0}, -kUnbounded, 1.0});
  }
  const Picture fine = picture(model, diagonal);
  CHECK(holds(fine.svg, "aria-label=\"The colouring\""));
  CHECK_FALSE(holds(fine.svg, "wrong"));
  CHECK(holds(picture(model, {1, 0, 0, 1, 0, 0, 0, 0, 1}).svg, "wrong"));
  // Pairs that exclude each other and nothing else: a set of vertices.
  ConstrainedModel set;
  for (const char* name : {"a", "b", "c"}) set.variables.push_back({name});
  set.constraints = {{"ab", {{{0, 1.0}, {1, 1.0}}, {}, 0.0}, -kUnbounded, 1.0}};
  CHECK(holds(picture(set, {1, 0, 1}).svg, "aria-label=\"The set\""));
  set.constraints.front().upper = 2.0;
  CHECK(picture(set, {1, 0, 1}).svg.empty());
  // Too much to draw is not drawn.
  CHECK(picture(choose(50, 50), std::vector<std::int64_t>(2500, 0)).svg.empty());
}

TEST_CASE("a graph whose names are places is drawn there", "[report][html]") {
  Problem problem;
  problem.objective = Quadratic(6);
  Result r = sample_result({.spins = 6, .rows = 2, .columns = 2});
  r.objective_name = problem.user.name = "cut";
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 3; ++column) {
      problem.names.push_back("(" + std::to_string(row) + ", " + std::to_string(column) + ")");
    }
  }
  problem.objective.couplings = {{0, 1, -1.0}, {1, 2, -1.0}, {0, 3, -1.0}};
  const auto height = [&] {
    const std::string svg = picture_for(r, source_of(problem)).svg;
    REQUIRE(holds(svg, "aria-label=\"The cut\""));
    return std::stod(svg.substr(svg.find(" height=\"") + 9));
  };
  const double flat = height();
  problem.names.back() = "elsewhere";  // one without a place: all stand on a circle
  CHECK(height() > 1.5 * flat);
}

TEST_CASE("names that form a grid become a table", "[report][html]") {
  NamedValues variables;
  for (const char* who : {"zoe", "ann"}) {
    for (const char* day : {"mon", "tue", "wed"}) {
      for (const char* shift : {"early", "late"}) {
        const bool on = std::string(who) == "zoe" ? std::string(shift) == "late" : false;
        variables.emplace_back(std::string("x_") + who + "_" + day + "_" + shift, on ? 1 : 0);
      }
    }
  }
  variables.emplace_back("alone", 1);
  const Grouped groups = grouped(variables, {});
  REQUIRE(groups.tables.size() == 1);
  const NameTable& table = groups.tables.front();
  CHECK(table.title == "x");
  CHECK(table.rows == std::vector<std::string>{"zoe", "ann"});  // words: in the model's order
  CHECK(table.columns == std::vector<std::string>{"mon", "tue", "wed"});
  CHECK(table.cells.at({0, 1}).size() == 2);
  CHECK(table.cells.at({0, 1}).back().rest == "late");
  CHECK(groups.others == NamedValues{{"alone", 1}});
  CHECK(grouped(variables, grouping_from("3,1")).tables.front().rows ==
        std::vector<std::string>{"early", "late"});
  CHECK(grouped(variables, grouping_from("2")).tables.front().columns.empty());
  CHECK(grouped(variables, grouping_from("off")).tables.empty());
  for (const char* wrong : {"", "0", "1,", "1,1", "1,2,3", "x", "2;1"}) {
    CHECK_THROWS_AS(grouping_from(wrong), UsageError);
  }
  CHECK(name_parts("x[1,2]") == std::vector<std::string>{"x", "1", "2"});
  CHECK(name_parts("x(1)(2)") == std::vector<std::string>{"x", "1", "2"});
  CHECK(name_parts("(1, 2)") == std::vector<std::string>{"", "1", "2"});
  // Edges of a sparse graph are no grid, unless the user says so.
  NamedValues edges;
  for (int k = 1; k < 8; ++k)
    edges.emplace_back("y_" + std::to_string(k) + "_" + std::to_string(k + 1), 1);
  CHECK(grouped(edges, {}).tables.empty());
  CHECK(grouped(edges, grouping_from("1,2")).tables.size() == 1);
  // Long and narrow lies on its side; ten comes after nine.
  NamedValues narrow;
  for (int k = 30; k > 0; --k)
    for (int colour : {1, 2}) {
      narrow.emplace_back("c(" + std::to_string(k) + ")(" + std::to_string(colour) + ")", 0);
    }
  const Grouped side = grouped(narrow, {});
  CHECK(side.tables.front().rows == std::vector<std::string>{"1", "2"});
  CHECK(side.tables.front().columns[9] == "10");
}

TEST_CASE("tables show what is set, and only rows where they would be too wide", "[report][html]") {
  ConstrainedModel model;
  for (int i = 1; i <= 3; ++i)
    for (int j = 1; j <= 50; ++j)
      model.variables.push_back({"x_" + std::to_string(i) + "_" + std::to_string(j), 0, 9});
  std::vector<std::int64_t> values(150, 0);
  values[49] = 7;
  Result r = sample_result({.spins = 3, .rows = 2, .columns = 2});
  r.answers = {named_answer(model, values)};
  const Source source = source_of(model, "wide.lp");
  const std::string wide = to_html(r, "", &source);
  check_page(wide);
  CHECK_FALSE(holds(wide, "<table class=\"sheet"));
  CHECK(holds(wide, "<td>50: 7</td>"));
  model.variables.resize(80);
  for (std::size_t k = 0; k < 80; ++k)
    model.variables[k].name = fmt::format("ship[{},{}]", k / 8 + 1, k % 8 + 1);
  values.assign(80, 0);
  values[9] = 7;
  r.answers = {named_answer(model, values)};
  const Source grid = source_of(model, "grid.lp");
  const std::string html = to_html(r, "", &grid);
  check_page(html);
  CHECK(holds(html, "<h3>ship</h3>"));
  CHECK(count_of(html, "<td class=\"set\">7</td>") == 1);
  CHECK(count_of(html, "<td>·</td>") == 79);
  CHECK_FALSE(holds(html, "variables are zero"));
  CHECK_FALSE(holds(to_html(r, "", &grid, grouping_from("off")), "<table class=\"sheet"));
}

TEST_CASE("a run in progress has the same page, with what is known", "[report][html]") {
  const auto page = [](const Result& so_far, const Running& running) {
    const std::string html =
        html_head(so_far.problem) + "<body>" + html_body(so_far, running) + "</body>\n</html>\n";
    check_page(html);
    return html;
  };
  Result r;
  r.problem = "roster";
  r.constrained = true;
  const std::string first = page(r, {});
  CHECK(holds(first, "running, 0 %"));
  CHECK(holds(first, "<b>none yet</b>"));
  CHECK_FALSE(holds(first, "<svg"));
  r.ladder.beta = {1.0, 2.0};
  r.ladder.penalty = {1.0};
  r.best.feasible = true;
  r.best.energy = r.objective = 40.0;
  r.bound = 30.0;
  r.bound_by = "a linear program";
  r.seconds = 5.0;
  r.rejections = 3.25;
  r.course = {{0.5, 90.0}, {2.0, 60.0}, {4.0, 40.0}};
  const std::string later = page(r, {0.25, 14.2});
  for (const char* text :
       {"running, 25 %", "<b>15 s</b>", "<b>30</b>", "by a linear program", "<b>25.0 %</b>",
        "<b>3.25</b>", ">90</text>", ">60</text>", ">bound 30</text>", "id=\"stop\""}) {
    CAPTURE(text);
    CHECK(holds(later, text));
  }
  CHECK_FALSE(holds(to_html(r), "id=\"stop\""));
}

TEST_CASE("curves end in a marked point with its value", "[report][html]") {
  Result r = sample_result();
  const std::string svg = svg::render(course_plot(r));
  const std::string value = amount_text(in_users_terms(r.course.back().second, r));
  CHECK(holds(svg, "r=\"4\"/>"));
  CHECK(holds(svg, ">" + value + "</text>"));
  CHECK(holds(svg::render(energy_plot(r)), "r=\"4\"/>"));
  // Nothing to minimise, nothing to plot.
  Result any = r;
  any.no_objective = true;
  CHECK(holds(to_html(any), "A solution was found after"));
  CHECK_FALSE(holds(to_html(any), "aria-label=\"energy, best feasible so far\""));
  CHECK(holds(to_html(r), "aria-label=\"energy, best feasible so far\""));
  // Found in the last instant: the drop still ends in a value outside the frame.
  r.course = {{1.0, -3.0}, {r.seconds + r.tune_seconds, -34.5}};
  CHECK(holds(svg::render(course_plot(r)), ">-34.5</text>"));
}

TEST_CASE("trials are compared when there are several", "[report][html]") {
  const std::string html = to_html(sample_result({.trials = 20}));
  check_page(html);
  CHECK(holds(html, "Best of every trial"));
  CHECK(holds(html, "not feasible"));
}

// To look at: tests/report [.samples] writes reports into $CHAINMAIL_SAMPLES.
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

TEST_CASE("a comparison is a page like a report, with whatever names and values") {
  Comparison c{"<a> & \"b\"", "2 variables", "cost & more", false, {}};
  c.contestants = {{"default", "", 10.0, "feasible", {{0.0, 40.0}, {0.5, 10.0}}, 1.0},
                   {"<other>", "--rows 64", 11.0, "feasible", {{0.2, 11.0}}, 1.0},
                   {"none", "--device hls:rows", {}, "a bit is in <5> forms", {}, 0.0}};
  const std::string page = to_html({c, c}, "chainmail compare <a>");
  check_page(page);
  CHECK(holds(page, "<other>") == false);
  const std::string text = to_text(c);
  CHECK(text.find("default") < text.find("<other>"));
  CHECK(holds(text, "9.1 %"));
  CHECK(holds(text, "37.5 %"));  // 40 and 10 for half of the time each
  CHECK(holds(text, "27.3 %"));  // nothing for a fifth of it, then 11
  c.maximise = true;             // then 11 is best
  CHECK(to_text(c).find("<other>") < to_text(c).find("default"));
  c.contestants[0].objective = c.contestants[1].objective = 0.0;  // no share of nothing
  check_page(to_html({c}, ""));
}

#include "report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "report/format.hpp"
#include "report/grouping.hpp"
#include "report/svg_parts.hpp"

namespace chainmail {
namespace {

constexpr std::size_t kMostVertices = 150, kMostPlaced = 1000, kMostEdges = 2500;
constexpr double kSize = 460.0;
constexpr int kColours = 6;

// ---- graphs ------------------------------------------------------------------------------------

struct Graph {
  std::vector<std::string> names;
  std::vector<int> group;  // of each vertex: its colour, side or whether it is chosen
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  bool broken_inside = false;  // an edge within a group is an error, not just uncut
};

struct Point {
  double x, y;
};

std::optional<double> number_in(const std::string& text) {
  double value = 0.0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool fine = error == std::errc() && rest == text.data() + text.size();
  return fine && std::abs(value) < 1e9 ? std::optional(value) : std::nullopt;
}

Point on_circle(std::size_t place, std::size_t count, double radius) {
  const double angle =
      2.0 * std::numbers::pi * static_cast<double>(place) / static_cast<double>(count);
  return {kSize / 2.0 + radius * std::sin(angle), kSize / 2.0 - radius * std::cos(angle)};
}

// Names with two numbers, (3, 4) or v_3_4, are places: row 3, column 4. Empty where not all are.
std::vector<Point> places_in_names(const std::vector<std::string>& names) {
  std::vector<Point> at;
  std::set<std::pair<double, double>> seen;
  for (const std::string& name : names) {
    const std::vector<std::string> parts = name_parts(name);
    if (parts.size() != 3) return {};
    const auto row = number_in(parts[1]), column = number_in(parts[2]);
    if (!row || !column || !seen.insert({*row, *column}).second) return {};
    at.push_back({*column, *row});
  }
  if (at.empty()) return {};
  const auto [left, right] = std::minmax_element(
      at.begin(), at.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  const auto [top, bottom] = std::minmax_element(
      at.begin(), at.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
  const Point from{left->x, top->y};
  const double extent = std::max(right->x - left->x, bottom->y - top->y);
  constexpr double kMargin = 20.0;
  const double scale = (kSize - 2.0 * kMargin) / extent;
  for (Point& point : at) {
    point = {kMargin + scale * (point.x - from.x), kMargin + scale * (point.y - from.y)};
  }
  return at;
}

// Vertices are on a circle, those of a group together: edges between groups cross it, edges within
// one stay near the rim. Where names are places, they are there.
std::string drawn(const Graph& graph, const std::string& title) {
  const std::size_t count = graph.names.size();
  std::vector<std::size_t> order(count);
  for (std::size_t v = 0; v < count; ++v) order[v] = v;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return graph.group[a] < graph.group[b]; });
  std::vector<Point> at = places_in_names(graph.names);
  const bool placed = !at.empty();
  at.resize(count);
  const double radius = kSize / 2.0 - 34.0;
  for (std::size_t k = 0; !placed && k < count; ++k) at[order[k]] = on_circle(k, count, radius);
  double height = kSize;
  if (placed) {
    height = 20.0;
    for (const Point& point : at) height = std::max(height, point.y + 20.0);
  }
  std::string svg = svg::opening(kSize, height, title);
  for (const auto& [a, b] : graph.edges) {
    const bool inside = graph.group[a] == graph.group[b];
    const char* kind = !inside ? "edge" : graph.broken_inside ? "edge wrong" : "edge weakly";
    svg += svg::line_between(at[a].x, at[a].y, at[b].x, at[b].y, kind);
  }
  const double dot = count > 60 ? 4.0 : 7.0;
  for (std::size_t v = 0; v < count; ++v) {
    svg += fmt::format(
        "<g><title>{}</title><circle class=\"vertex f{}\" cx=\"{}\" cy=\"{}\" "
        "r=\"{}\"/></g>\n",
        xml_escaped(graph.names[v]), graph.group[v] % kColours, svg::coordinate(at[v].x),
        svg::coordinate(at[v].y), svg::coordinate(dot));
  }
  for (std::size_t k = 0; !placed && count <= 60 && k < count; ++k) {
    const Point place = on_circle(k, count, radius + 20.0);
    const std::string& name = graph.names[order[k]];
    if (svg::characters(name) > 4) continue;  // the tooltip has it
    svg += svg::text_at(place.x, place.y + 4.0, name, "middle", "t m", 11.0);
  }
  return svg + "</svg>\n";
}

bool small(const Graph& graph) {
  const bool placed = !places_in_names(graph.names).empty();
  return graph.names.size() >= 3 && graph.names.size() <= (placed ? kMostPlaced : kMostVertices) &&
         graph.edges.size() <= kMostEdges;
}

Picture cut_picture(const Result& r, const Problem& problem) {
  Graph graph;
  for (std::size_t v = 0; v < problem.size(); ++v) {
    graph.names.push_back(problem.names.empty() ? std::to_string(v) : problem.names[v]);
    graph.group.push_back(r.best.solution[v] > 0 ? 0 : 1);
  }
  std::size_t cut = 0;
  for (const auto& coupling : problem.objective.couplings) {
    graph.edges.emplace_back(coupling.i, coupling.j);
    cut += graph.group[coupling.i] != graph.group[coupling.j] ? 1 : 0;
  }
  if (!small(graph)) return {};
  return {drawn(graph, "The cut"),
          fmt::format("The two sides{}. {} of {} edges are cut; the others are dotted.",
                      places_in_names(graph.names).empty() ? ", one after the other" : "", cut,
                      graph.edges.size())};
}

// ---- models ------------------------------------------------------------------------------------

// "x_3_2": the choice 2 of thing 3.
struct Choice {
  std::string thing, option;
};
std::optional<Choice> choice_of(const std::string& name) {
  const std::vector<std::string> parts = name_parts(name);
  if (parts.size() < 3) return {};
  return Choice{parts[parts.size() - 2], parts.back()};
}

struct Choices {
  std::vector<std::string> things, options;  // in natural order
  std::map<std::pair<std::string, std::string>, std::int64_t> value;
  std::map<std::pair<std::string, std::string>, std::uint32_t> variable;  // its number in the model
  bool options_once = true;  // every option, too, is taken by exactly one
};

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// All variables are choices, and every thing has exactly one of its own.
std::optional<Choices> choices_of(const ConstrainedModel& model, const NamedAnswer& answer) {
  Choices choices;
  std::set<std::string> things, options;
  std::map<std::string, int> taken;
  for (const auto& [name, value] : answer.variables) {
    const auto choice = choice_of(name);
    if (!choice) return {};
    if (things.insert(choice->thing).second) choices.things.push_back(choice->thing);
    if (options.insert(choice->option).second) choices.options.push_back(choice->option);
    choices.variable[{choice->thing, choice->option}] =
        static_cast<std::uint32_t>(choices.value.size());
    choices.value[{choice->thing, choice->option}] = value;
    if (value != 0) ++taken[choice->option];
  }
  std::set<std::string> exactly_one;
  for (const ModelConstraint& constraint : model.constraints) {
    if (constraint.lower != 1.0 || constraint.upper != 1.0) continue;
    std::set<std::string> of;
    for (const LinearTerm& term : constraint.left.linear) {
      of.insert(choice_of(model.variables[term.variable].name)->thing);
    }
    if (of.size() == 1) exactly_one.insert(*of.begin());
  }
  if (exactly_one != things || things.size() < 2) return {};
  for (const std::string& option : choices.options) {
    choices.options_once = choices.options_once && taken[option] == 1;
  }
  // Files name variables as their terms come; a table and a tour need them in order.
  std::sort(choices.things.begin(), choices.things.end(), natural_less);
  std::sort(choices.options.begin(), choices.options.end(), natural_less);
  return choices;
}

// Pairs of variables that a constraint keeps apart: x + y <= 1, or a product that must be zero.
std::vector<std::pair<std::uint32_t, std::uint32_t>> exclusions(const ConstrainedModel& model) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const ModelConstraint& constraint : model.constraints) {
    const auto& left = constraint.left;
    if (!is_linear(constraint) && !excludes(constraint)) continue;
    for (const ProductTerm& product : left.products) {
      if (product.i != product.j) pairs.emplace_back(product.i, product.j);
    }
    const bool pair = left.products.empty() && left.linear.size() == 2 && constraint.upper == 1.0 &&
                      constraint.lower < 1.0 && left.linear[0].coefficient == 1.0 &&
                      left.linear[1].coefficient == 1.0;
    if (pair) pairs.emplace_back(left.linear[0].variable, left.linear[1].variable);
  }
  return pairs;
}

Picture colouring_picture(const ConstrainedModel& model, const Choices& choices) {
  Graph graph;
  graph.names = choices.things;
  graph.broken_inside = true;
  for (const std::string& thing : choices.things) {
    int group = 0;
    for (std::size_t k = 0; k < choices.options.size(); ++k) {
      const auto found = choices.value.find({thing, choices.options[k]});
      if (found != choices.value.end() && found->second != 0) group = static_cast<int>(k);
    }
    graph.group.push_back(group);
  }
  std::set<std::pair<std::size_t, std::size_t>> edges;
  for (const auto& [i, j] : exclusions(model)) {
    const auto a = choice_of(model.variables[i].name), b = choice_of(model.variables[j].name);
    if (!a || !b || a->thing == b->thing || a->option != b->option) continue;
    edges.emplace(place_of(graph.names, a->thing), place_of(graph.names, b->thing));
  }
  graph.edges.assign(edges.begin(), edges.end());
  if (graph.edges.empty() || !small(graph)) return {};
  return {drawn(graph, "The colouring"),
          fmt::format("{} vertices, those of a colour together; edges within a colour would be "
                      "red along the rim.",
                      graph.names.size())};
}

struct Stop {
  std::string name;
  std::optional<std::uint32_t> variable;  // none: the place is fixed
};

// What the objective charges for going from one stop to the next.
std::optional<double> leg(const ConstrainedModel& model, const Stop& from, const Stop& to) {
  double cost = 0.0;
  bool found = false;
  const auto add = [&](const Decimal& coefficient) {
    cost += static_cast<double>(coefficient);
    found = true;
  };
  if (from.variable && to.variable) {
    for (const ProductTerm& product : model.objective.products) {
      if ((product.i == *from.variable && product.j == *to.variable) ||
          (product.j == *from.variable && product.i == *to.variable)) {
        add(product.coefficient);
      }
    }
  } else if (from.variable || to.variable) {
    for (const LinearTerm& term : model.objective.linear) {
      if (term.variable == (from.variable ? *from.variable : *to.variable)) add(term.coefficient);
    }
  }
  return found ? std::optional(cost) : std::nullopt;
}

// The round trip in its order; the first place is not a variable where it is fixed.
Picture tour_picture(const ConstrainedModel& model, const Choices& choices) {
  const std::size_t count = choices.things.size();
  if (!choices.options_once || count != choices.options.size() || count > 60) return {};
  if (model.objective.products.empty() || !model.objective.monomials.empty()) return {};
  // Costs must couple neighbouring positions only.
  for (const ProductTerm& product : model.objective.products) {
    const auto a = place_of(choices.options, choice_of(model.variables[product.i].name)->option);
    const auto b = place_of(choices.options, choice_of(model.variables[product.j].name)->option);
    const std::size_t apart = a > b ? a - b : b - a;
    if (apart != 1 && apart != count - 1) return {};
  }
  std::vector<Stop> stops;
  if (std::find(choices.things.begin(), choices.things.end(), "1") == choices.things.end() &&
      choices.things.front() == "2") {
    stops.push_back({"1", {}});
  }
  for (const std::string& option : choices.options) {
    for (const std::string& thing : choices.things) {
      const auto found = choices.value.find({thing, option});
      if (found == choices.value.end() || found->second == 0) continue;
      stops.push_back({thing, choices.variable.at({thing, option})});
    }
  }
  std::string svg = svg::opening(kSize, kSize, "The tour");
  const double radius = kSize / 2.0 - 40.0;
  const double half_angle = std::cos(std::numbers::pi / static_cast<double>(stops.size()));
  for (std::size_t k = 0; k < stops.size(); ++k) {
    const Point a = on_circle(k, stops.size(), radius);
    const Point b = on_circle((k + 1) % stops.size(), stops.size(), radius);
    svg += svg::line_between(a.x, a.y, b.x, b.y, "edge path");
    const auto length = leg(model, stops[k], stops[(k + 1) % stops.size()]);
    if (!length || stops.size() > 24) continue;
    const Point middle = on_circle(2 * k + 1, 2 * stops.size(), 0.86 * radius * half_angle);
    svg += svg::text_at(middle.x, middle.y + 4.0, number_text(*length, 4), "middle", "t m", 11.0);
  }
  for (std::size_t k = 0; k < stops.size(); ++k) {
    const Point a = on_circle(k, stops.size(), radius);
    const Point label = on_circle(k, stops.size(), radius + 22.0);
    svg += fmt::format("<circle class=\"vertex f{}\" cx=\"{}\" cy=\"{}\" r=\"7.0\"/>\n",
                       k == 0 ? 1 : 0, svg::coordinate(a.x), svg::coordinate(a.y));
    svg += svg::text_at(label.x, label.y + 4.0, stops[k].name, "middle", k == 0 ? "t b" : "t");
  }
  return {svg + "</svg>\n",
          "The places in the order of the tour, clockwise from the top, and what each leg costs."};
}

// Variables that mostly exclude each other in pairs: a set of vertices, none of them neighbours.
Picture set_picture(const ConstrainedModel& model, const NamedAnswer& answer) {
  Graph graph;
  graph.broken_inside = false;
  for (const auto& [i, j] : exclusions(model)) graph.edges.emplace_back(i, j);
  if (graph.edges.size() != model.constraints.size() || graph.edges.empty()) return {};
  for (const auto& [name, value] : answer.variables) {
    graph.names.push_back(name);
    graph.group.push_back(value != 0 ? 1 : 0);
  }
  if (!small(graph)) return {};
  return {drawn(graph, "The set"),
          "Vertices that were chosen stand together in the second colour; no edge joins two of "
          "them. Edges between two that were not chosen are dotted."};
}

Picture model_picture(const ConstrainedModel& model, const NamedAnswer& answer) {
  if (answer.variables.size() != model.variables.size()) return {};
  const auto choices = choices_of(model, answer);
  if (!choices) return set_picture(model, answer);
  Picture colouring = colouring_picture(model, *choices);
  return colouring.svg.empty() ? tour_picture(model, *choices) : colouring;
}

}  // namespace

Picture picture_for(const Result& result, const Source& source) {
  if (result.best.solution.empty()) return {};
  if (!source.model && result.objective_name == "cut") {
    return cut_picture(result, source.given());
  }
  if (source.model && !result.answers.empty()) {
    return model_picture(source.model->model, result.answers.front());
  }
  return {};
}

}  // namespace chainmail

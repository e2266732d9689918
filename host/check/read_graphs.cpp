// Second, independent readers of graphs: colourings (DIMACS), and tours (TSPLIB) by positions, the
// first place first. Square roots are taken in whole numbers.
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>

#include "check/readers.hpp"

namespace chainmail::checker {

namespace {

std::string name_of(const std::string& kind, std::size_t a) {
  return kind + "_" + std::to_string(a);
}
std::string name_of(const std::string& kind, std::size_t a, std::size_t b) {
  return name_of(name_of(kind, a), b);
}

Rational number(std::istream& in) {
  std::string word;
  std::size_t length = 0;
  in >> word;
  Rational value = decimal(word, length);
  if (length == 0 || length != word.size()) throw std::invalid_argument("'" + word + "'");
  return value;
}

// A square of binaries, one in each row, x_a_b.
struct Grid {
  std::size_t columns;
  std::size_t operator()(std::size_t row, std::size_t column) const {
    return row * columns + column;
  }
};

Row exactly_one(std::string name) {
  Row row;
  row.name = std::move(name);
  row.lower = row.upper = 1;
  return row;
}

Integer root(const Rational& square) {  // rounded down
  return sqrt(Integer(numerator(square) / denominator(square)));
}
Integer nearest_root(const Rational& square) {
  return (root(4 * square) + 1) / 2;
}
Integer root_up(const Rational& square) {
  const Integer down = root(square);
  return Rational(down * down) == square ? down : Integer(down + 1);
}

// Degrees and minutes, DDD.MM, with TSPLIB's pi and radius.
long double radians(const Rational& x) {
  const Rational degrees(Integer(numerator(x) / denominator(x)));
  const Rational angle = degrees + (x - degrees) * 5 / 3;
  return 3.141592L * angle.convert_to<long double>() / 180.0L;
}
Integer on_earth(const std::pair<Rational, Rational>& a, const std::pair<Rational, Rational>& b) {
  const long double turn = std::cos(radians(a.second) - radians(b.second));
  const long double apart = std::cos(radians(a.first) - radians(b.first));
  const long double both = std::cos(radians(a.first) + radians(b.first));
  const long double arc = std::acos(((1.0L + turn) * apart - (1.0L - turn) * both) / 2.0L);
  return Integer(static_cast<std::int64_t>(6378.388L * arc + 1.0L));
}

using Distances = std::map<std::pair<std::size_t, std::size_t>, Rational>;

class Tours {
 public:
  explicit Tours(std::string_view text) : in_(std::string(text)) {}

  Model read() {
    for (std::string line; std::getline(in_, line);) {
      std::string key = line.substr(0, line.find(':'));
      const std::size_t begin = key.find_first_not_of(" \t\r");
      key = begin == std::string::npos ? "" : key.substr(begin, key.find_first_of(" \t\r", begin));
      if (key == "EOF") break;
      if (key == "NODE_COORD_SECTION") {
        places();
      } else if (key == "EDGE_WEIGHT_SECTION") {
        weights();
      } else if (const std::size_t colon = line.find(':'); colon != std::string::npos) {
        std::istringstream(line.substr(colon + 1)) >> header_[key];
      }
    }
    return model();
  }

 private:
  std::size_t size() const { return std::stoull(header_.at("DIMENSION")); }

  void places() {
    std::map<std::size_t, std::pair<Rational, Rational>> at;
    for (std::size_t k = 0; k < size(); ++k) {
      std::size_t place = 0;
      in_ >> place;
      const Rational x = number(in_), y = number(in_);
      at[place] = {x, y};
    }
    const std::string kind = header_.at("EDGE_WEIGHT_TYPE");
    if (kind == "EXPLICIT") return;
    for (const auto& [a, from] : at) {
      for (const auto& [b, to] : at) {
        const Rational dx = from.first - to.first, dy = from.second - to.second;
        const Rational square = dx * dx + dy * dy;
        distance_[{a, b}] = kind == "EUC_2D"    ? nearest_root(square)
                            : kind == "CEIL_2D" ? root_up(square)
                            : kind == "ATT"     ? root_up(square / 10)
                                                : on_earth(from, to);
      }
    }
  }

  void weights() {
    const std::string shape = header_.at("EDGE_WEIGHT_FORMAT");
    const bool diagonal = shape == "FULL_MATRIX" || shape.find("DIAG") != std::string::npos;
    for (std::size_t a = 1; a <= size(); ++a) {
      for (std::size_t b = 1; b <= size(); ++b) {
        if (a == b && !diagonal) continue;
        if (shape.starts_with("UPPER") ? b < a : shape.starts_with("LOWER") && b > a) continue;
        const Rational length = number(in_);
        distance_[{a, b}] = length;
        if (shape != "FULL_MATRIX") distance_[{b, a}] = length;
      }
    }
  }

  // x_p_k: place p is the k-th of the tour.
  Model model() const {
    const std::size_t n = size();
    const Grid x{n - 1};
    Model model;
    model.objective_name = "length";
    for (std::size_t p = 2; p <= n; ++p) {
      for (std::size_t k = 2; k <= n; ++k) {
        model.variables.push_back({name_of("x", p, k), Rational(0), Rational(1)});
      }
    }
    for (const bool by_place : {true, false}) {
      for (std::size_t a = 2; a <= n; ++a) {
        Row row = exactly_one(name_of(by_place ? "place" : "position", a));
        for (std::size_t b = 2; b <= n; ++b) {
          row.terms[by_place ? x(a - 2, b - 2) : x(b - 2, a - 2)] = Rational(1);
        }
        model.rows.push_back(std::move(row));
      }
    }
    for (std::size_t p = 2; p <= n; ++p) {
      model.objective[x(p - 2, 0)] += distance_.at({1, p});
      model.objective[x(p - 2, n - 2)] += distance_.at({p, 1});
      for (std::size_t q = 2; q <= n; ++q) {
        for (std::size_t k = 0; k + 2 < n && p != q; ++k) {
          const std::size_t from = x(p - 2, k), to = x(q - 2, k + 1);
          model.products[{std::min(from, to), std::max(from, to)}] += distance_.at({p, q});
        }
      }
    }
    return model;
  }

  std::istringstream in_;
  std::map<std::string, std::string> header_;
  Distances distance_;
};

}  // namespace

Model read_coloring(std::string_view text, const std::string&, std::size_t colors) {
  std::size_t vertices = 0;
  std::set<std::pair<std::size_t, std::size_t>> edges;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream in(line);
    std::string kind, word;
    in >> kind;
    if (kind == "p") in >> word >> vertices;
    if (kind != "e") continue;
    std::size_t u = 0, v = 0;
    if (!(in >> u >> v) || u < 1 || v < 1 || u > vertices || v > vertices) {
      throw std::invalid_argument(line);
    }
    edges.emplace(std::min(u, v), std::max(u, v));
  }
  Model model;
  const Grid x{colors};
  for (std::size_t v = 1; v <= vertices; ++v) {
    Row one = exactly_one(name_of("vertex", v));
    for (std::size_t c = 1; c <= colors; ++c) {
      model.variables.push_back({name_of("x", v, c), Rational(0), Rational(1)});
      one.terms[x(v - 1, c - 1)] = 1;
    }
    model.rows.push_back(std::move(one));
  }
  for (const auto& [u, v] : edges) {
    Row differ;
    differ.name = name_of("edge", u, v);
    differ.lower = differ.upper = 0;
    for (std::size_t c = 0; c < colors; ++c) differ.products[{x(u - 1, c), x(v - 1, c)}] = 1;
    model.rows.push_back(std::move(differ));
  }
  return model;
}

Model read_tour(std::string_view text, const std::string&) {
  return Tours(text).read();
}

}  // namespace chainmail::checker

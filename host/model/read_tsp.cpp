// Tours of TSPLIB 95 (Reinelt): `KEYWORD : VALUE` lines, then sections. TYPE TSP or ATSP; distances
// by EUC_2D, CEIL_2D, ATT, GEO from NODE_COORD_SECTION, or EXPLICIT in EDGE_WEIGHT_SECTION as a
// full matrix or a triangle by rows. All are whole numbers, rounded as TSPLIB says.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "model/model_formats.hpp"
#include "model/tour.hpp"
#include "problem/text_lines.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kMostPlaces = 200;  // products grow as the cube

double euclidean(double dx, double dy) {
  return std::sqrt(dx * dx + dy * dy);
}

// Degrees and minutes, DDD.MM, with TSPLIB's pi.
double radians(double x) {
  const double degrees = std::trunc(x);
  return 3.141592 * (degrees + 5.0 * (x - degrees) / 3.0) / 180.0;
}

double geographical(const std::pair<double, double>& a, const std::pair<double, double>& b) {
  const double latitude_a = radians(a.first), latitude_b = radians(b.first);
  const double q1 = std::cos(radians(a.second) - radians(b.second));
  const double q2 = std::cos(latitude_a - latitude_b), q3 = std::cos(latitude_a + latitude_b);
  return std::trunc(6378.388 * std::acos(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)) + 1.0);
}

double pseudo_euclidean(double dx, double dy) {
  const double exact = std::sqrt((dx * dx + dy * dy) / 10.0), rounded = std::round(exact);
  return rounded < exact ? rounded + 1.0 : rounded;
}

class TspReader {
 public:
  TspReader(std::string_view text, const std::string& path) : lines_(text, path) {}

  ConstrainedModel read() {
    while (lines_.next()) {
      const std::string_view first = lines_.words()[0];
      if (first == "EOF") break;
      if (first == "NODE_COORD_SECTION") {
        read_places();
      } else if (first == "EDGE_WEIGHT_SECTION") {
        read_weights();
      } else if (first == "DISPLAY_DATA_SECTION") {
        for (std::uint64_t k = 0; k < dimension(); ++k) expect_line("a place to draw");
      } else {
        read_keyword();
      }
    }
    if (distance_.empty()) {
      lines_.fail("expected NODE_COORD_SECTION or EDGE_WEIGHT_SECTION, found neither");
    }
    ConstrainedModel model = tour_model(distance_);
    if (is_label(values_["NAME"])) model.name = values_["NAME"];
    return model;
  }

 private:
  void expect_line(const char* what) {
    if (!lines_.next())
      lines_.fail(std::string("expected ") + what + ", found the end of the file");
  }

  void read_keyword() {
    const std::string line(lines_.line());
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) lines_.fail_expected("`KEYWORD : VALUE` or a section");
    const auto trimmed = [](const std::string& text) {
      const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
      return begin == std::string::npos ? std::string() : text.substr(begin, end + 1 - begin);
    };
    const std::string key = trimmed(line.substr(0, colon)), value = trimmed(line.substr(colon + 1));
    if (key == "COMMENT") return;
    if (!values_.emplace(key, value).second) lines_.fail(key + " was given before");
    const auto one_of = [&](std::initializer_list<std::string_view> known) {
      for (std::string_view word : known) {
        if (value == word) return;
      }
      std::string all;
      for (std::string_view word : known) all += (all.empty() ? "" : ", ") + std::string(word);
      lines_.fail("expected " + key + " to be one of " + all + ", found " + in_quotes(value));
    };
    if (key == "DIMENSION") {
      if (value.find_first_of(" \t") != std::string::npos || lines_.words().back() != value) {
        lines_.fail_expected("`DIMENSION : NUMBER`");
      }
      dimension_ = lines_.integer(lines_.words().size() - 1, 3, kMostPlaces, "a number of places");
    } else if (key == "TYPE") {
      one_of({"TSP", "ATSP"});
    } else if (key == "EDGE_WEIGHT_TYPE") {
      one_of({"EXPLICIT", "EUC_2D", "CEIL_2D", "ATT", "GEO"});
    } else if (key == "EDGE_WEIGHT_FORMAT") {
      one_of({"FUNCTION", "FULL_MATRIX", "UPPER_ROW", "LOWER_ROW", "UPPER_DIAG_ROW",
              "LOWER_DIAG_ROW"});
    }
  }

  const std::string& value(const std::string& key) {
    const auto found = values_.find(key);
    if (found == values_.end()) lines_.fail("expected " + key + " before this section");
    return found->second;
  }
  std::size_t dimension() {
    value("DIMENSION");
    return dimension_;
  }
  void begin_distances(std::size_t n) {
    if (!distance_.empty()) lines_.fail("distances were given before");
    distance_.assign(n, std::vector<double>(n, 0.0));
  }

  void read_places() {
    const std::size_t n = dimension();
    const std::string kind = value("EDGE_WEIGHT_TYPE");
    std::vector<std::optional<std::pair<double, double>>> places(n);
    for (std::size_t k = 0; k < n; ++k) {
      expect_line("a place `NUMBER X Y`");
      lines_.expect_words(3, "a place `NUMBER X Y`");
      const std::uint64_t number = lines_.integer(0, 1, n, "a place's number");
      if (places[number - 1]) lines_.fail(fmt::format("place {} was given before", number));
      places[number - 1] = {lines_.real(1, "a coordinate"), lines_.real(2, "a coordinate")};
    }
    if (kind == "EXPLICIT") return;  // coordinates to draw
    begin_distances(n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (a == b) continue;
        const double dx = places[a]->first - places[b]->first;
        const double dy = places[a]->second - places[b]->second;
        const double length = kind == "EUC_2D"    ? std::round(euclidean(dx, dy))
                              : kind == "CEIL_2D" ? std::ceil(euclidean(dx, dy))
                              : kind == "ATT"     ? pseudo_euclidean(dx, dy)
                                                  : geographical(*places[a], *places[b]);
        distance_[a][b] = length;
      }
    }
  }

  void read_weights() {
    const std::size_t n = dimension();
    if (value("EDGE_WEIGHT_TYPE") != "EXPLICIT") {
      lines_.fail("EDGE_WEIGHT_SECTION belongs to EDGE_WEIGHT_TYPE : EXPLICIT");
    }
    const std::string shape = value("EDGE_WEIGHT_FORMAT");
    if (shape == "FUNCTION") lines_.fail("EDGE_WEIGHT_FORMAT : FUNCTION has no section of weights");
    begin_distances(n);
    const bool upper = shape.starts_with("UPPER"), full = shape == "FULL_MATRIX";
    const std::size_t diagonal = shape.find("DIAG") != std::string::npos ? 0 : 1;
    std::size_t word = lines_.words().size();
    for (std::size_t a = 0; a < n; ++a) {
      const std::size_t begin = full || !upper ? 0 : a + diagonal;
      const std::size_t end = full || upper ? n : a + 1 - diagonal;
      for (std::size_t b = begin; b < end; ++b) {
        if (word == lines_.words().size()) {
          expect_line("a distance");
          word = 0;
        }
        const double length = lines_.real(word++, "a distance");
        if (length != std::round(length) || std::abs(length) > 1e9) {
          lines_.fail("expected a whole distance below 10^9, found " +
                      in_quotes(lines_.words()[word - 1]));
        }
        distance_[a][b] = length;
        if (!full) distance_[b][a] = length;
      }
    }
    if (word != lines_.words().size()) lines_.fail("more distances than there are pairs");
  }

  TextLines lines_;
  std::map<std::string, std::string> values_;
  std::size_t dimension_ = 0;
  std::vector<std::vector<double>> distance_;
};

}  // namespace

ConstrainedModel read_tsp(std::string_view text, const std::string& path, const ModelOptions&) {
  return TspReader(text, path).read();
}

}  // namespace chainmail

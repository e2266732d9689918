// The costs below were fitted to measurements (docs/lab/performance.md): ns for one p-bit in all
// replicas of a grid. Only ratios matter, and only within a factor of two or so.
#include "device/cpu/choose_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "device/cpu/bit_path.hpp"
#include "device/cpu/cached_path.hpp"
#include "device/cpu/float_path.hpp"
#include "device/cpu/table_path.hpp"
#include "support/error.hpp"

namespace chainmail {
namespace {

struct Shape {
  double pbits, degree, replicas;
};

Shape shape_of(const PhysicalModel& model, const LoadOptions& options) {
  const auto pbits = static_cast<double>(model.f.size());
  return {pbits, 2.0 * static_cast<double>(model.f.couplings.size()) / pbits,
          static_cast<double>(options.replicas)};
}

// Blocks of 512 lanes; a smaller one costs nearly as much.
double bit_cost(const Shape& s) {
  const double pbit = s.degree <= 7.0 ? 62.0 : 62.0 + 3.9 * s.degree;
  return pbit * std::ceil(s.replicas / 512.0);
}

// A lookup for each quad a neighbour lies in, in blocks of 128 lanes; 32 lanes cost 0.4 of that.
double table_cost(const Shape& s, bool wide) {
  const double quads = std::ceil(s.pbits / 4.0);
  const double lookups = quads * (1.0 - std::pow(1.0 - 1.0 / quads, s.degree));
  const double bytes = lookups * (wide ? 32.0 : 16.0);
  const double memory = bytes * s.pbits > 7e5 ? bytes / 11.0 : 0.0;
  const double block = 12.0 + lookups * (wide ? 1.5 : 1.1);
  const double whole = std::floor(s.replicas / 128.0);
  const double rest = s.replicas - 128.0 * whole;
  const double part = rest == 0.0 ? 0.0 : rest <= 32.0 ? 1.0 : rest <= 64.0 ? 1.6 : 2.5;
  return block * (2.5 * whole + part) + memory * std::ceil(s.replicas / 128.0);
}

// A row of couplings for each flip.
double dense_cost(const Shape& s, bool wide) {
  return (95.0 + s.pbits * (wide ? 0.09 : 0.045)) * s.replicas / 32.0;
}
double sparse_cost(const Shape& s) {
  return (50.0 + 1.7 * s.degree) * s.replicas / 32.0;
}
constexpr double kMostDenseBytes = 2.5e8;
constexpr double kProduct = 1e-9;  // relative

std::unique_ptr<Path> cached_path(const PhysicalModel& model, const CachedFit& fit,
                                  const Shape& s) {
  const bool small =
      s.pbits * s.pbits * static_cast<double>(fit.dense_row_bytes) <= kMostDenseBytes;
  const bool dense = small && dense_cost(s, fit.wide) < sparse_cost(s);
  return make_cached_path(make_cached_model(model, fit, dense));
}

// What replicas in lanes offer: bits, tables or floating point.
std::unique_ptr<Path> lanes_path(const PhysicalModel& model, const LoadOptions& options) {
  if (auto bits = make_bit_path(model)) return bits;
  TableFit fit = fit_tables(model, options);
  const std::string harm = fit.model ? rounding_harm(*fit.model, options) : fit.reason;
  if (harm.empty()) return make_table_path(*std::move(fit.model), options.beta_max);
  return make_float_path(model, options, harm);
}

// Whether all couplings are products a_i a_j: f is the square of one sum then, as in number
// partitioning, and good states differ by far less than a p-bit's field.
bool square_of_sum(const Quadratic& f) {
  const std::size_t size = f.size();
  if (size < 4 || 2 * f.couplings.size() != size * (size - 1)) return false;
  const auto at = [&](std::size_t i, std::size_t j) {
    return f.couplings[i * (2 * size - i - 1) / 2 + j - i - 1].value;
  };
  const double first = at(0, 1) * at(0, 2) / at(1, 2);  // a_0 a_0
  for (std::size_t i = 1; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) {
      const double wanted = at(0, i) * at(0, j);
      if (std::abs(at(i, j) * first - wanted) > kProduct * std::abs(wanted)) return false;
    }
  }
  return true;
}

std::unique_ptr<Path> fastest_path(const PhysicalModel& model, const LoadOptions& options) {
  const CachedFit fit = fit_cached(model);
  if (!fit.exact && model.g.is_zero() && square_of_sum(model.f)) {
    return make_float_path(model, options, "f is a square, whose low values rounding would hide");
  }
  if (!fit.possible) return lanes_path(model, options);
  const Shape s = shape_of(model, options);
  const double cached = std::min(dense_cost(s, fit.wide), sparse_cost(s));
  const double tables = fit.exact ? table_cost(s, 4.0 * fit.largest > 127.0)
                                  : std::numeric_limits<double>::infinity();
  if (bit_cost(s) < std::min(cached, tables)) {
    if (auto bits = make_bit_path(model)) return bits;
  }
  if (tables < cached) {
    TableFit found = fit_tables(model, options);
    if (found.model && found.model->exact) {
      return make_table_path(*std::move(found.model), options.beta_max);
    }
  }
  return cached_path(model, fit, s);
}

}  // namespace

std::unique_ptr<Path> choose_path(const PhysicalModel& model, const LoadOptions& options,
                                  const std::string& precision, const std::string& moves) {
  if (moves == "chain") {
    if (precision != "auto" && precision != "float" && precision != "lanes") {
      throw InputError("--moves chain has no " + precision + " arithmetic");
    }
    return make_chain_path(model, options);
  }
  if (precision == "float") return make_float_path(model, options, "couplings not rounded");
  if (precision == "lanes") return lanes_path(model, options);
  if (precision == "cached") {
    const CachedFit fit = fit_cached(model);
    if (!fit.possible) {
      throw InputError(
          "--precision cached cannot hold this model: it has a constraint or copies, or "
          "couplings of too many sizes");
    }
    return cached_path(model, fit, shape_of(model, options));
  }
  if (precision == "int8") {
    TableFit fit = fit_tables(model, options);
    if (!fit.model) throw InputError("--precision int8 cannot hold this model: " + fit.reason);
    return make_table_path(*std::move(fit.model), options.beta_max);
  }
  return fastest_path(model, options);
}

}  // namespace chainmail

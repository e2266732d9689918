// Which step for the couplings? Bytes and 16-bit sums set the limits: a chunk of groups must sum to
// less than 2032 (or 127 in narrow tables), and field plus penalty to less than 32767. Within them
// the step is the smallest that needs no extra chunks, or a divisor of the couplings' own common
// step, which makes the path exact. If rounding is still harmful, more chunks allow a finer step.
#include "device/cpu/table_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "device/cpu/integer_logistic.hpp"
#include "problem/coupling_rows.hpp"

namespace chainmail {
namespace {

constexpr int kGroups = 16;  // in a chunk: 16 low parts in [-8, 7] fit a signed byte
constexpr int kWide = 2032;  // 127 high parts
constexpr int kNarrow = 127;
// A lane is up when 2 beta step I > size / kLogisticUnit, so its scale is this / (beta step).
constexpr double kScaleUnit = 65536.0 / (2.0 * kLogisticUnit);
constexpr double kBetaSteps = 64.0;  // least scale of the coldest lane, so that ladders keep shape
constexpr double kRange = 32000.0;   // of 16-bit sums, with room for rounding

// Rounded couplings row by row, those of a quad side by side.
struct Entry {
  std::uint32_t spin, place;  // place: 4 * quad + bit
  std::int32_t value;
};
struct IntegerRows {
  std::vector<std::size_t> start{0};  // of a p-bit; one more than p-bits
  std::vector<Entry> entries;
  std::vector<std::int32_t> constant;
  std::span<const Entry> row(std::size_t i) const {
    return std::span(entries).subspan(start[i], start[i + 1] - start[i]);
  }
};

IntegerRows to_integers(const Quadratic& q, const CouplingRows& rows, const Quads& quads,
                        double step) {
  IntegerRows out;
  const auto round = [&](double v) { return static_cast<std::int32_t>(std::lround(v / step)); };
  out.start.reserve(q.size() + 1);
  out.entries.reserve(rows.spin.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    for (std::uint32_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      const std::int32_t value = round(rows.value[k]);
      if (value != 0) out.entries.push_back({rows.spin[k], quads.place[rows.spin[k]], value});
    }
    std::sort(out.entries.begin() + static_cast<std::ptrdiff_t>(out.start.back()),
              out.entries.end(), [](const Entry& a, const Entry& b) { return a.place < b.place; });
    out.start.push_back(out.entries.size());
  }
  for (double h : q.fields) out.constant.push_back(round(h));
  return out;
}

// The largest step of which all coefficients are multiples, or 0 when there is none worth having.
double common_step(const Quadratic& q) {
  std::vector<double> values;
  for (double h : q.fields) values.push_back(std::abs(h));
  for (const Coupling& c : q.couplings) values.push_back(std::abs(c.value));
  const double most = values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
  const double tolerance = 1e-7 * most;
  double step = 0.0;
  for (double v : values) {
    while (v > tolerance) {
      double rest = step > 0.0 ? std::fmod(step, v) : 0.0;
      if (v - rest < tolerance) rest = 0.0;
      step = v;
      v = rest;
    }
    if (step > 0.0 && step < most / 40000.0) return 0.0;
  }
  if (step == 0.0) return 0.0;
  step = most / std::round(most / step);
  const bool all = std::all_of(values.begin(), values.end(), [&](double v) {
    return std::abs(v - step * std::round(v / step)) <= 1e-12 * most;
  });
  return all ? step : 0.0;
}

// Sizes of a row that bound the step: the sum of all |J|, the largest sum in one quad, the quads.
struct RowSize {
  double sum = 0.0, largest_quad = 0.0;
  std::size_t quads = 0;
};
std::vector<RowSize> row_sizes(const CouplingRows& rows, const Quads& quads) {
  std::vector<RowSize> sizes(rows.start.size() - 1);
  std::vector<double> sums(quads.count);  // of the row at hand, zero between rows
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    RowSize& size = sizes[i];
    for (std::uint32_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      double& sum = sums[quads.place[rows.spin[k]] / 4];
      const double coupling = std::abs(rows.value[k]);
      if (sum == 0.0 && coupling > 0.0) ++size.quads;
      size.sum += coupling;
      size.largest_quad = std::max(size.largest_quad, sum += coupling);
    }
    for (std::uint32_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      sums[quads.place[rows.spin[k]] / 4] = 0.0;
    }
  }
  return sizes;
}

void append_table(TableRows& out, const std::array<std::int32_t, 4>& weight) {
  std::array<std::uint8_t, 16> low{}, high{};
  for (unsigned n = 0; n < 16; ++n) {
    int sum = 0;
    for (unsigned b = 0; b < 4; ++b) sum += (n >> b & 1U) != 0 ? weight[b] : -weight[b];
    const int part = out.wide ? ((sum + 8) & 15) - 8 : sum;
    low[n] = static_cast<std::uint8_t>(part);
    high[n] = static_cast<std::uint8_t>((sum - part) / 16);
  }
  out.table.insert(out.table.end(), low.begin(), low.end());
  if (out.wide) out.table.insert(out.table.end(), high.begin(), high.end());
}

// Cuts every row into groups and chunks; a quad whose couplings overflow a chunk makes it fail.
bool build_rows(const IntegerRows& integers, bool wide, bool below, TableRows& out) {
  out = TableRows{};
  out.wide = wide;
  const std::size_t pbits = integers.constant.size();
  const std::size_t groups = integers.entries.size() / (below ? 2 : 1) + pbits;  // or fewer
  out.quad.reserve(groups);
  out.table.reserve(groups * (wide ? 32 : 16));
  out.first_chunk.push_back(0);
  out.first_group.push_back(0);
  const int most = wide ? kWide : kNarrow;
  int chunk_sum = 0, chunk_groups = 0;
  const auto append = [&](std::uint32_t quad, const std::array<std::int32_t, 4>& weight) {
    int sum = wide ? 8 : 0;
    for (std::int32_t w : weight) sum += std::abs(w);
    if (sum > most) return false;
    if (chunk_groups > 0 && (chunk_groups == kGroups || chunk_sum + sum > most)) {
      out.first_group.push_back(static_cast<std::uint32_t>(out.quad.size()));
      chunk_sum = chunk_groups = 0;
    }
    chunk_sum += sum;
    ++chunk_groups;
    out.quad.push_back(quad);
    append_table(out, weight);
    return true;
  };
  for (std::uint32_t i = 0; i < pbits; ++i) {
    chunk_sum = chunk_groups = 0;
    std::uint32_t quad = 0;
    std::array<std::int32_t, 4> weight{};
    bool open = false;  // `weight` holds couplings that have no table yet
    for (const Entry& e : integers.row(i)) {
      if (below && e.spin >= i) continue;
      if (open && e.place / 4 != quad) {
        if (!append(quad, weight)) return false;
        weight = {};
      }
      open = true;
      quad = e.place / 4;
      weight[e.place % 4] = e.value;
    }
    if ((open || chunk_groups == 0) && !append(quad, weight)) return false;
    out.first_group.push_back(static_cast<std::uint32_t>(out.quad.size()));
    out.first_chunk.push_back(static_cast<std::uint32_t>(out.first_group.size() - 1));
    out.constant.push_back(static_cast<std::int16_t>(integers.constant[i]));
    out.has_constants = out.has_constants || integers.constant[i] != 0;
  }
  return true;
}

std::int32_t largest_field(const IntegerRows& integers) {
  std::int32_t most = 0;
  for (std::size_t i = 0; i < integers.constant.size(); ++i) {
    std::int32_t sum = std::abs(integers.constant[i]);
    for (const Entry& e : integers.row(i)) sum += std::abs(e.value);
    most = std::max(most, sum);
  }
  return most;
}

void measure_errors(const Quadratic& q, TableModel& m) {
  const auto error = [&](double v) { return v - m.step * std::round(v / m.step); };
  std::vector<double> square(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    square[i] = error(q.fields[i]) * error(q.fields[i]);
    m.coupling_error = std::max(m.coupling_error, std::abs(error(q.fields[i])));
  }
  for (const Coupling& c : q.couplings) {
    const double e = error(c.value);
    square[c.i] += e * e;
    square[c.j] += e * e;
    m.coupling_error = std::max(m.coupling_error, std::abs(e));
  }
  m.field_error = std::sqrt(*std::max_element(square.begin(), square.end()));
}

// g must be represented exactly, or "g = 0" would lose its meaning. Empty when it is.
std::string fit_constraint(const Quadratic& g, TableModel& m, std::int32_t& largest) {
  m.g_offset = g.offset;
  const bool zero = g.couplings.empty() && std::all_of(g.fields.begin(), g.fields.end(),
                                                       [](double h) { return h == 0.0; });
  m.has_g = !zero;
  if (zero) {
    build_rows(to_integers(g, coupling_rows(g), m.quads, 1.0), false, false, m.g);
    m.g_below = m.g;
    return {};
  }
  m.g_step = common_step(g);
  if (m.g_step == 0.0) return "the coefficients of g are not multiples of one step";
  const IntegerRows integers = to_integers(g, coupling_rows(g), m.quads, m.g_step);
  largest = largest_field(integers);
  if (largest > 8191) {
    return "a p-bit's coefficients in g sum to " + std::to_string(largest) +
           " steps, more than 8191";
  }
  const bool narrow = largest <= 3 * kNarrow && build_rows(integers, false, false, m.g) &&
                      build_rows(integers, false, true, m.g_below);
  if (!narrow &&
      !(build_rows(integers, true, false, m.g) && build_rows(integers, true, true, m.g_below))) {
    return "four coefficients of g sum to more than " + std::to_string(kWide - 8) + " steps";
  }
  return {};
}

// Builds f's tables for a step; false when a quad or a sum overflows.
bool build_objective(const Quadratic& f, const CouplingRows& rows, double step,
                     std::int32_t g_largest, double penalty_steps, TableModel& m) {
  const IntegerRows integers = to_integers(f, rows, m.quads, step);
  const std::int32_t largest = largest_field(integers);
  if (largest > 32767) return false;
  m.step = step;
  m.penalty_most = g_largest == 0 ? 0 : std::min(32767, (32767 - largest) / g_largest);
  if (g_largest > 0 && m.penalty_most < std::lround(penalty_steps)) return false;
  const bool narrow = largest <= kNarrow && build_rows(integers, false, false, m.f) &&
                      build_rows(integers, false, true, m.f_below);
  if (!narrow &&
      !(build_rows(integers, true, false, m.f) && build_rows(integers, true, true, m.f_below))) {
    return false;
  }
  m.coupling_error = 0.0;
  measure_errors(f, m);
  return true;
}

// Couplings of a few small integers fit tables of single bytes, half the lookups, if the coarser
// step still leaves beta and P fine enough for a ladder.
std::optional<double> narrow_step(double own, double field, const TableModel& m,
                                  const LoadOptions& options) {
  const double factor = std::floor(kNarrow * own / field);
  if (factor < 1.0 || options.beta_max <= 0.0) return std::nullopt;
  const double step = own / factor;
  const bool fine_beta = kScaleUnit / (options.beta_max * step) >= kBetaSteps;
  const bool fine_penalty = !m.has_g || options.penalty_max * m.g_step / step >= kPenaltySteps;
  return fine_beta && fine_penalty ? std::optional(step) : std::nullopt;
}

}  // namespace

TableFit fit_tables(const PhysicalModel& model, const LoadOptions& options) {
  TableModel m;
  m.pbits = model.f.size();
  m.quads = gather_quads(model);
  m.f_offset = model.f.offset;
  std::int32_t g_largest = 0;
  if (const std::string reason = fit_constraint(model.g, m, g_largest); !reason.empty()) {
    return {std::nullopt, reason};
  }

  double chunk_step = 0.0, quad_step = 0.0, field = 0.0;
  const CouplingRows rows = coupling_rows(model.f);
  const std::vector<RowSize> sizes = row_sizes(rows, m.quads);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double groups = static_cast<double>(sizes[i].quads);
    const double room = std::ceil(groups / kGroups) * kWide - 8.0 * groups;
    if (groups > 0) chunk_step = std::max(chunk_step, sizes[i].sum / room);
    quad_step = std::max(quad_step, sizes[i].largest_quad / (kWide - 12.0));
    field = std::max(field, sizes[i].sum + std::abs(model.f.fields[i]));
  }
  // Without a known largest P, half of the range is kept for it.
  const double penalty_field = options.penalty_max * m.g_step * g_largest;
  const double range = g_largest > 0 && penalty_field == 0.0 ? kRange / 2.0 : kRange;
  const double finest = std::max(quad_step, (field + penalty_field) / range);
  double step = std::max(finest, chunk_step);

  const double own = common_step(model.f);
  m.exact = field == 0.0 || own >= finest;
  if (field == 0.0) {
    step = step > 0.0 ? step : 1.0;
  } else if (m.exact) {
    step = own / std::max(1.0, std::floor(own / step));
    step = narrow_step(own, field, m, options).value_or(step);
  }
  const auto build = [&](double s) {
    return build_objective(model.f, rows, s, g_largest, options.penalty_max * m.g_step / s, m);
  };
  if (!build(step)) return {std::nullopt, "the fields of f overflow 16 bits"};
  for (int finer = 0; !m.exact && finer < 3 && step / 2.0 >= finest; ++finer) {
    if (2.0 * options.beta_max * m.field_error <= kHarmlessShift) break;
    if (!build(step / 2.0)) {
      build(step);
      break;
    }
    step /= 2.0;
  }
  return {std::move(m), {}};
}

std::string rounding_harm(const TableModel& model, const LoadOptions& options) {
  if (model.has_g && options.penalty_max > 0.0) {
    const double steps = options.penalty_max * model.g_step / model.step;
    if (steps < kPenaltySteps) return fmt::format("P would have {:.0f} steps", steps);
  }
  if (model.exact) return {};
  // Without a known coldest beta nothing can be said about rounded couplings.
  if (options.beta_max <= 0.0) return "couplings would be rounded";
  const double shift = 2.0 * options.beta_max * model.field_error;
  if (shift > kHarmlessShift) return fmt::format("int8 would shift log-odds by {:.2g}", shift);
  return {};
}

Quadratic rounded(const Quadratic& q, double step) {
  Quadratic out = q;
  for (double& h : out.fields) h = step * std::round(h / step);
  for (Coupling& c : out.couplings) c.value = step * std::round(c.value / step);
  return out;
}

LaneScale TableModel::scale_of(const Parameters& wanted) const {
  LaneScale lane;
  double beta = wanted.beta, penalty = 0.0;
  if (beta > 0.0) {
    penalty = has_g ? wanted.beta_penalty / beta * g_step / step : 0.0;
  } else if (penalty_most > 0 && wanted.beta_penalty > 0.0) {
    // Only the ratio P = beta P / beta can be represented: take the largest.
    penalty = penalty_most;
    beta = wanted.beta_penalty * g_step / (penalty_most * step);
  }
  lane.penalty = static_cast<std::int16_t>(
      std::lround(std::clamp<double>(penalty, -penalty_most, penalty_most)));
  double scale = beta > 0.0 ? kScaleUnit / (beta * step) : std::ldexp(1.0, 40);
  while (scale >= 65535.5 && lane.shift < 15) {
    scale /= 2.0;
    ++lane.shift;
  }
  lane.free = scale >= 65535.5;
  if (lane.free) return LaneScale{65535, 15, true, 0};
  lane.scale = static_cast<std::uint16_t>(std::max(1L, std::lround(scale)));
  return lane;
}

Parameters TableModel::parameters_of(const LaneScale& lane) const {
  if (lane.free) return {0.0, 0.0};
  const double beta = kScaleUnit / (step * std::ldexp(lane.scale, lane.shift));
  return {beta, beta * lane.penalty * step / g_step};
}

}  // namespace chainmail

// Couplings become integers: exactly where they are multiples of one step, else rounded so finely
// that the energy of a whole state moves by less than a fiftieth of one p-bit's field. The integers
// are then multiplied by a power of two, so that beta has steps fine enough for any ladder.
#include "device/cpu/cached_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "device/cpu/integer_logistic.hpp"

namespace chainmail {
namespace {

constexpr double kNarrowMost = 32000.0;      // 16-bit fields
constexpr double kWideMost = 1.0e9;          // 32-bit fields
constexpr double kNarrowCoupling = 16383.0;  // of 16 bits, twice as large in sparse rows
constexpr double kHarmless = 0.02;           // rms shift of an energy, in fields
constexpr double kFineUnit = 256.0;          // steps an rms field need not exceed
constexpr double kIntegral = 1e-9;           // relative slack of a multiple

// As llround, inline: a model has millions of coefficients.
std::int64_t nearest(double v) {
  return static_cast<std::int64_t>(v < 0.0 ? v - 0.5 : v + 0.5);
}

template <class Use>
void each_coefficient(const Quadratic& f, const Use& use) {
  for (const Coupling& c : f.couplings) use(c.value);
  for (double h : f.fields) {
    if (h != 0.0) use(h);
  }
}

// The largest step all coefficients are whole multiples of; 0 where there is none.
double common_step(const Quadratic& f) {
  constexpr double kMost = 4e9;  // steps in a coefficient
  double least = 0.0, most = 0.0;
  bool whole = true;
  std::uint64_t divisor = 0;
  each_coefficient(f, [&](double v) {
    const double size = std::abs(v);
    least = least == 0.0 ? size : std::min(least, size);
    most = std::max(most, size);
    const auto number = static_cast<std::uint64_t>(std::min(size, kMost));
    whole = whole && static_cast<double>(number) == size;
    if (divisor != 1) divisor = std::gcd(divisor, number);
  });
  if (most == 0.0) return 1.0;
  if (whole) return static_cast<double>(divisor);
  const auto divides = [&](double step) {
    bool all = true;
    each_coefficient(f, [&](double v) {
      const double ratio = v / step;  // at most 4e9
      all = all && std::abs(ratio - static_cast<double>(nearest(ratio))) <=
                       kIntegral * std::max(1.0, std::abs(ratio));
    });
    return all;
  };
  // A power of two that makes all whole, then their greatest divisor; or the least coefficient.
  double step = std::exp2(std::floor(std::log2(least)));
  if (step > 1.0) step = 1.0;
  for (int tries = 0; tries < 12 && most / step < kMost; ++tries, step /= 2.0) {
    if (!divides(step)) continue;
    divisor = 0;
    each_coefficient(f, [&](double v) {
      if (divisor != 1)
        divisor = std::gcd(divisor, static_cast<std::uint64_t>(nearest(std::abs(v) / step)));
    });
    return step * static_cast<double>(divisor);
  }
  for (double part : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 10.0}) {
    if (most / least * part < kMost && divides(least / part)) return least / part;
  }
  return 0.0;
}

struct Sums {
  double bound = 0.0, unit = 0.0, largest = 0.0;
};

Sums sums_of(const Quadratic& f) {
  std::vector<double> absolute(f.size()), square(f.size());
  Sums sums;
  for (std::size_t i = 0; i < f.size(); ++i) {
    absolute[i] = std::abs(f.fields[i]);
    square[i] = f.fields[i] * f.fields[i];
  }
  for (const Coupling& c : f.couplings) {
    const double size = std::abs(c.value);
    sums.largest = std::max(sums.largest, size);
    for (std::uint32_t i : {c.i, c.j}) {
      absolute[i] += size;
      square[i] += size * size;
    }
  }
  double total = 0.0;
  for (double s : square) total += s;
  sums.unit = std::sqrt(total / static_cast<double>(f.size()));
  sums.bound = *std::max_element(absolute.begin(), absolute.end());
  return sums;
}

// Power of two the integers can be multiplied by: up to kFineUnit, within what fields and rows
// hold.
double widening(const CachedFit& fit, double most_field, double most_coupling) {
  double factor = 1.0;
  while (fit.unit * factor * 2.0 <= kFineUnit && fit.bound * factor * 2.0 <= most_field &&
         fit.largest * factor * 2.0 <= most_coupling) {
    factor *= 2.0;
  }
  return factor;
}

double most_in(std::size_t bytes) {
  return bytes == 1 ? 127.0 : bytes == 2 ? kNarrowCoupling : 5.0e8;
}

// Slots such that the p-bits of one vector are rarely coupled: each goes to the first of a few open
// chunks that holds none of its neighbours.
std::vector<std::uint32_t> spread_order(const Quadratic& f, std::size_t padded) {
  constexpr std::size_t kOpen = 16;
  const std::size_t size = f.size();
  std::vector<std::uint32_t> start(size + 1, 0), to(2 * f.couplings.size());
  for (const Coupling& c : f.couplings) ++start[c.i + 1], ++start[c.j + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint32_t> at(start.begin(), start.end() - 1);
  for (const Coupling& c : f.couplings) to[at[c.i]++] = c.j, to[at[c.j]++] = c.i;

  const std::size_t chunks = padded / kChunk;
  std::vector<std::uint32_t> chunk_of(size, 0xffffffffU), filled(chunks, 0), open;
  std::vector<std::uint32_t> seen(chunks, 0xffffffffU);
  std::vector<std::uint32_t> slot_of(size);
  std::size_t next_chunk = 0;
  const auto room = [&](std::size_t chunk) { return std::min(kChunk, size - chunk * kChunk); };
  for (std::uint32_t i = 0; i < size; ++i) {
    for (std::uint32_t k = start[i]; k < start[i + 1]; ++k) {
      if (chunk_of[to[k]] != 0xffffffffU) seen[chunk_of[to[k]]] = i;
    }
    while (open.size() < kOpen && next_chunk < chunks)
      open.push_back(static_cast<std::uint32_t>(next_chunk++));
    std::size_t chosen = 0;
    for (std::size_t o = 0; o < open.size(); ++o) {
      if (seen[open[o]] != i) {
        chosen = o;
        break;
      }
    }
    const std::uint32_t chunk = open[chosen];
    chunk_of[i] = chunk;
    slot_of[i] = static_cast<std::uint32_t>(chunk * kChunk + filled[chunk]++);
    if (filled[chunk] == room(chunk))
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  return slot_of;
}

}  // namespace

CachedFit fit_cached(const PhysicalModel& model) {
  CachedFit fit;
  if (!model.g.is_zero()) return fit;
  const Quadratic& f = model.f;
  const Sums sums = sums_of(f);
  if (sums.bound == 0.0) return fit;
  const double step = common_step(f);
  const auto use_step = [&](double s) {
    fit.step = s;
    fit.bound = sums.bound / s;
    fit.unit = sums.unit / s;
    fit.largest = sums.largest / s;
  };
  fit.possible = true;
  if (step > 0.0 && sums.bound / step <= kWideMost) {
    fit.exact = true;
    use_step(step);
    fit.wide = fit.bound > kNarrowMost || fit.largest > kNarrowCoupling;
    fit.dense_row_bytes = 1;
    while (fit.dense_row_bytes < 4 && fit.largest > most_in(fit.dense_row_bytes)) {
      fit.dense_row_bytes *= 2;
    }
    return fit;
  }
  // Rounded: rms shift of a state's energy is step * sqrt(couplings / 12).
  const double spread = std::sqrt(static_cast<double>(f.couplings.size() + f.size()) / 12.0);
  const double harmless = kHarmless * sums.unit / spread;
  fit.exact = false;
  // If one coupling is most of a field, that coupling has to fit.
  const double narrow = std::max(sums.bound / kNarrowMost, sums.largest / kNarrowCoupling);
  const double wide = std::max(sums.bound / kWideMost, sums.largest / kNarrowCoupling);
  if (narrow <= harmless) {
    use_step(narrow);
    fit.wide = false;
    fit.dense_row_bytes = 2;
  } else if (wide <= harmless) {
    use_step(wide);
    fit.wide = true;
    fit.dense_row_bytes = 2;
  } else {
    use_step(std::max(sums.largest / 5.0e8, sums.bound / kWideMost));
    fit.wide = true;
    fit.dense_row_bytes = 4;
    fit.possible = fit.step <= harmless;
  }
  return fit;
}

CachedModel make_cached_model(const PhysicalModel& model, const CachedFit& fit, bool dense) {
  const Quadratic& f = model.f;
  CachedModel m;
  m.pbits = f.size();
  m.padded = (f.size() + kChunk - 1) / kChunk * kChunk;
  m.offset = f.offset;
  m.g_offset = model.g.offset;
  m.wide = fit.wide;
  m.exact = fit.exact;
  const double most_field = fit.wide ? kWideMost : kNarrowMost;
  const double most_coupling = dense      ? most_in(fit.dense_row_bytes)
                               : fit.wide ? 5.0e8
                                          : kNarrowCoupling;
  const double factor = fit.exact ? widening(fit, most_field, most_coupling) : 1.0;
  m.step = fit.step / factor;
  const auto whole = [&](double v) {
    // Exact coefficients are rounded in their own steps first.
    return static_cast<std::int32_t>(nearest(v / fit.step) * static_cast<std::int64_t>(factor));
  };
  m.slot_of.resize(m.pbits);
  if (dense) {
    std::iota(m.slot_of.begin(), m.slot_of.end(), 0U);
  } else {
    m.slot_of = spread_order(f, m.padded);
  }
  m.pbit_of.assign(m.padded, 0);
  for (std::uint32_t i = 0; i < m.pbits; ++i) m.pbit_of[m.slot_of[i]] = i;
  const auto put_own = [&]<class T>(T* own) {
    std::fill_n(own, m.padded, T{0});
    for (std::size_t i = 0; i < m.pbits; ++i)
      own[m.slot_of[i]] = static_cast<T>(whole(f.fields[i]));
  };
  m.own = hwy::AllocateAligned<std::int8_t>(m.padded * (m.wide ? 4 : 2));
  if (m.wide) {
    put_own(reinterpret_cast<std::int32_t*>(m.own.get()));
  } else {
    put_own(reinterpret_cast<std::int16_t*>(m.own.get()));
  }
  if (!fit.exact) m.coupling_error = 0.5 * fit.step;

  if (dense) {
    m.row_bytes = fit.dense_row_bytes;
    const std::size_t bytes = m.padded * m.padded * m.row_bytes;
    m.rows = hwy::AllocateAligned<std::int8_t>(bytes);
    std::fill_n(m.rows.get(), bytes, std::int8_t{0});
    const auto put = [&]<class T>(T* rows) {
      for (const Coupling& c : f.couplings) {
        const auto value = static_cast<T>(whole(c.value));
        rows[c.i * m.padded + c.j] = value;
        rows[c.j * m.padded + c.i] = value;
      }
    };
    if (m.row_bytes == 1) put(m.rows.get());
    if (m.row_bytes == 2) put(reinterpret_cast<std::int16_t*>(m.rows.get()));
    if (m.row_bytes == 4) put(reinterpret_cast<std::int32_t*>(m.rows.get()));
    return m;
  }
  m.start.assign(m.padded + 1, 0);
  m.near.assign(m.padded, 0);
  for (const Coupling& c : f.couplings) {
    ++m.start[m.slot_of[c.i] + 1];
    ++m.start[m.slot_of[c.j] + 1];
    const std::uint32_t a = std::min(m.slot_of[c.i], m.slot_of[c.j]);
    const std::uint32_t b = std::max(m.slot_of[c.i], m.slot_of[c.j]);
    if (a / kChunk == b / kChunk) m.near[a] = 1;
  }
  std::partial_sum(m.start.begin(), m.start.end(), m.start.begin());
  std::vector<std::uint32_t> at(m.start.begin(), m.start.end() - 1);
  const bool narrow = !fit.wide && m.padded <= 65536;
  if (narrow) {
    m.narrow.resize(2 * f.couplings.size());
  } else {
    m.wide_entries.resize(2 * f.couplings.size());
  }
  for (const Coupling& c : f.couplings) {
    const std::int32_t value = 2 * whole(c.value);
    for (const auto& [from, to] :
         {std::pair(m.slot_of[c.i], m.slot_of[c.j]), std::pair(m.slot_of[c.j], m.slot_of[c.i])}) {
      if (narrow) {
        m.narrow[at[from]++] = {static_cast<std::uint16_t>(to), static_cast<std::int16_t>(value)};
      } else {
        m.wide_entries[at[from]++] = {to, value};
      }
    }
  }
  return m;
}

// threshold = noise / (2 beta step), noise = size / kLogisticUnit.
CachedScale cached_scale(const CachedModel& model, double beta) {
  CachedScale s;
  double scale =
      beta > 0.0 ? 65536.0 / (2.0 * kLogisticUnit * beta * model.step) : std::ldexp(1.0, 60);
  if (model.wide) {
    // A mantissa of 16 bits, whatever the size.
    int exponent = 0;
    const double mantissa = std::frexp(scale, &exponent);
    s.scale = static_cast<std::uint16_t>(std::min(65535L, std::lround(std::ldexp(mantissa, 16))));
    s.shift = exponent - 16;
    s.free = s.shift > 30;
    if (s.shift < -31) s = {1, -31, false};
    return s;
  }
  while (scale >= 65535.5 && s.shift < 15) {
    scale /= 2.0;
    ++s.shift;
  }
  s.free = scale >= 65535.5;
  if (s.free) return {65535, 15, true};
  s.scale = static_cast<std::uint16_t>(std::max(1L, std::lround(scale)));
  return s;
}

double beta_of(const CachedModel& model, const CachedScale& s) {
  if (s.free) return 0.0;
  return 65536.0 / (2.0 * kLogisticUnit * model.step * std::ldexp(s.scale, s.shift));
}

}  // namespace chainmail

#include "device/kernel/loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "device/kernel/quantise.hpp"
#include "device/kernel/row_forms.hpp"
#include "topology/contract.hpp"

namespace chainmail {

namespace {

std::uint64_t saturate(double value, unsigned bits) {
  const double largest = static_cast<double>((std::uint64_t{1} << bits) - 1);
  return static_cast<std::uint64_t>(std::llround(std::clamp(value, 0.0, largest)));
}

}  // namespace

std::string describe(const LoadReport& report) {
  const std::string weights =
      report.weight_change > 0.0
          ? fmt::format(", weights of constraints within {:.2g} %", 100.0 * report.weight_change)
          : "";
  if (report.exact) return "couplings exact" + weights;
  return fmt::format(
      "couplings rounded to 1/{:.4g}: largest change {:.2g} of {:.3g}, energies within {:.2g}{}",
      report.scale, report.coupling_change, report.largest_coupling, report.energy_change, weights);
}

KernelImage::KernelImage(const Quadratic& energy, const Topology& topology,
                         const LoaderOptions& options)
    : topology_(&topology), placed_(place_model(energy, topology)) {
  build(choose_scale(placed_, topology, options));
}

KernelImage::KernelImage(const Quadratic& energy, const Topology& topology, const Scale& scale)
    : topology_(&topology), placed_(place_model(energy, topology)) {
  build(scale);
}

KernelImage::KernelImage(const FormModel& model, const Topology& topology,
                         const LoaderOptions& options)
    : topology_(&topology) {
  const RowForms forms = arrange_forms(model, topology, options.beta_penalty);
  placed_ = place_model(forms.energy, topology);
  build(choose_scale(placed_, topology, options));
  topology.options.flips ? write_flip_constraints(forms) : write_constraints(forms);
  placed_.place = forms.row_of;
  violation_scale_ = std::ldexp(1.0, static_cast<int>(forms.shift));
  report_.weight_change = forms.weight_change;
}

void KernelImage::build(const Scale& scale) {
  report_.scale = scale.value;
  report_.exact = scale.exact;
  measure_change();
  if (topology_->options.flips) {
    write_flips();
  } else if (topology_->options.rows()) {
    write_rows();
  } else {
    expand_tables();
  }
}

void KernelImage::measure_change() {
  const auto note = [&](double wanted, double ends) {
    const double change = std::abs(std::round(wanted * report_.scale) / report_.scale - wanted);
    report_.largest_coupling = std::max(report_.largest_coupling, std::abs(wanted));
    if (report_.exact) return;
    report_.coupling_change = std::max(report_.coupling_change, change);
    report_.energy_change += change / ends;
  };
  for (std::size_t p = 0; p < placed_.terms.size(); ++p) {
    note(placed_.fields[p], 1.0);
    for (const PlacedModel::Term& term : placed_.terms[p]) note(term.value, 2.0);  // at both ends
  }
}

void KernelImage::expand_tables() {
  const std::size_t slots = topology_->address_bits;
  const std::size_t entries = std::size_t{1} << slots;
  tables_.assign(topology_->image_words(), 0);
  for (std::size_t p = 0; p < topology_->pbits(); ++p) {
    std::vector<std::int64_t> weight(topology_->tables * slots, 0);
    for (const PlacedModel::Term& term : placed_.terms[p]) {
      weight[term.slot] = std::llround(term.value * report_.scale);
    }
    const std::int64_t field = std::llround(placed_.fields[p] * report_.scale);
    std::uint64_t* record = tables_.data() + p * topology_->pbit_words();
    for (std::size_t t = 0; t < topology_->tables; ++t) {
      for (std::size_t a = 0; a < entries; ++a) {
        std::int64_t sum = t == 0 ? field : 0;
        for (std::size_t b = 0; b < slots; ++b) {
          sum += (a >> b & 1U) ? weight[t * slots + b] : -weight[t * slots + b];
        }
        record[t * topology_->table_words() + a / 4] |= (static_cast<std::uint64_t>(sum) & 0xffff)
                                                        << 16 * (a % 4);
      }
    }
    record[topology_->pbit_words() - 1] = placed_.used[p] ? 0 : 1;  // clamp
  }
}

// A dense kernel with constraints has beta P in beta's format; elsewhere it is Q8.8 of links that
// count twice.
double KernelImage::penalty_unit() const {
  if (!topology_->options.penalised()) {
    return std::numbers::ln2 / 2.0 / (1U << contract::kPenaltyFraction);
  }
  return std::numbers::ln2 * violation_scale_ /
         std::ldexp(1.0, static_cast<int>(topology_->penalty_bits()) - 1);
}

std::uint64_t KernelImage::encode(const Parameters& wanted) const {
  const unsigned bits = topology_->options.beta_bits;
  const double unit = std::numbers::ln2 * report_.scale / std::ldexp(1.0, static_cast<int>(bits));
  return saturate(wanted.beta / unit, bits) |
         saturate(wanted.beta_penalty / penalty_unit(), topology_->penalty_bits()) << 32;
}

Parameters KernelImage::decode(std::uint64_t word) const {
  const int bits = static_cast<int>(topology_->options.beta_bits);
  const double unit = std::numbers::ln2 * report_.scale / std::ldexp(1.0, bits);
  return {static_cast<double>(word & 0xffff'ffff) * unit,
          static_cast<double>(word >> 32 & ((std::uint64_t{1} << topology_->penalty_bits()) - 1)) *
              penalty_unit()};
}

Parameters KernelImage::largest() const {
  const std::uint64_t beta = (std::uint64_t{1} << topology_->options.beta_bits) - 1;
  const std::uint64_t penalty = (std::uint64_t{1} << topology_->penalty_bits()) - 1;
  return decode(beta | penalty << 32);
}

void KernelImage::pack(std::span<const Spin> spins, std::span<std::uint64_t> state) const {
  std::fill(state.begin(), state.end(), ~std::uint64_t{0});
  for (std::size_t q = 0; q < spins.size(); ++q) {
    const std::uint32_t p = placed_.place[q];
    if (spins[q] < 0) state[p / 64] &= ~(std::uint64_t{1} << p % 64);
  }
}

std::vector<Spin> KernelImage::unpack(std::span<const std::uint64_t> state) const {
  std::vector<Spin> spins(placed_.place.size());
  for (std::size_t q = 0; q < spins.size(); ++q) {
    const std::uint32_t p = placed_.place[q];
    spins[q] = state[p / 64] >> p % 64 & 1U ? 1 : -1;
  }
  return spins;
}

}  // namespace chainmail

#include "device/kernel/row_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "device/kernel/form_banks.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

using namespace rows_contract;

constexpr std::int64_t kMostCoefficient = (std::int64_t{1} << (kCoefficientBits - 1)) - 1;
constexpr std::int64_t kMostResidual = (std::int64_t{1} << (kResidualBits - 1)) - 1;
constexpr std::int64_t kMostPull = (std::int64_t{1} << (kPullBits - 1)) - 1;
constexpr std::int64_t kMostViolation = (std::int64_t{1} << (kViolationBits - 1)) - 1;
constexpr double kFineWeight = 32.0;  // a factor this large is rounded by 1.6 % at most
constexpr double kHeadroom = 4.0;     // leaves room: penalties may grow during a run

// What one residual stands for: an equation, or one side of an inequality or range.
struct Side {
  std::uint32_t form;
  std::int64_t sign, start;  // r = start + sign * sum
  bool equality;
};

class Arrangement {
 public:
  Arrangement(const FormModel& model, const Topology& topology, double beta_penalty)
      : model_(model), topology_(topology) {
    check();
    place_bits();
    write_energy();
    split_forms();
    const FormBanks banks = topology.options.forms == 0
                                ? FormBanks{}
                                : colour_forms(terms_, model.bits, topology.options.forms,
                                               topology.options.form_residuals, topology.name);
    choose_shift(beta_penalty);
    write_forms(banks);
    write_products();
  }
  RowForms take() { return std::move(out_); }

 private:
  void check() const {
    const TopologyOptions& o = topology_.options;
    if (o.forms == 0 && model_.forms.size() > 0) {
      throw InputError(fmt::format("the model has {} linear forms; topology {} takes none",
                                   model_.forms.size(), topology_.name));
    }
    if (!o.products && !model_.clashes.items.empty()) {
      throw InputError(
          fmt::format("the model has {} pairs that exclude each other; topology {} "
                      "has no products (-p)",
                      model_.clashes.items.size() / 2, topology_.name));
    }
    if (!model_.monomial_values.empty()) {
      throw InputError(
          "the model has products of three or more; row and flip kernels hold none, the CPU does");
    }
    if (!o.one_hots && model_.groups.size() > 0) {
      throw InputError(fmt::format("the model has {} one-hot groups; topology {} has none (-g)",
                                   model_.groups.size(), topology_.name));
    }
    for (const FormLimits& limits : model_.limits) {
      if (limits.soft()) {
        throw InputError("the model has soft constraints; row and flip kernels hold hard ones");
      }
    }
    std::vector<std::uint32_t> last(model_.groups.size(), kNone);
    for (std::uint32_t form = 0; form < model_.forms.size(); ++form) {
      for (const FormTerm& term : model_.forms[form]) {
        const std::uint32_t group = model_.group_of[term.index];
        if (group == kNone) continue;
        if (last[group] == form) {
          throw InputError(fmt::format(
              "two members of one-hot group {} are in linear form {}: groups on such a kernel may "
              "share no other constraint",
              group, form));
        }
        last[group] = form;
      }
    }
  }

  void place_bits() {
    out_.row_of.assign(model_.bits, kNone);
    const auto add = [&](std::uint32_t bit, bool member, bool begin) {
      if (bit != kNone) out_.row_of[bit] = static_cast<std::uint32_t>(out_.rows.size());
      RowForms::Row row;
      row.bit = bit;
      row.member = member;
      row.begin = begin;
      out_.rows.push_back(std::move(row));
    };
    for (std::uint32_t bit : model_.free_bits) add(bit, false, false);
    for (std::size_t group = 0; group < model_.groups.size(); ++group) {
      bool begin = true;
      for (std::uint32_t bit : model_.groups[group]) {
        add(bit, true, begin);
        begin = false;
      }
      out_.rows.back().last = true;
      if (topology_.options.rows()) add(kNone, false, false);
    }
    if (out_.rows.empty() || out_.rows.size() > topology_.options.logical) {
      throw InputError(
          fmt::format("the model needs {} rows, {} for bits and {} for groups; "
                      "topology {} takes 1 to {}",
                      out_.rows.size(), model_.bits, out_.rows.size() - model_.bits, topology_.name,
                      topology_.options.logical));
    }
  }

  bool same_group(std::uint32_t i, std::uint32_t j) const {
    return model_.group_of[i] != kNone && model_.group_of[i] == model_.group_of[j];
  }

  // x = (1 + s) / 2. Two members of a group are never both one.
  void write_energy() {
    Quadratic& energy = out_.energy = Quadratic(out_.rows.size());
    energy.offset = model_.constant;
    for (std::uint32_t i = 0; i < model_.bits; ++i) {
      const std::uint32_t row = out_.row_of[i];
      energy.offset += model_.linear[i] / 2.0;
      energy.fields[row] -= model_.linear[i] / 2.0;
      for (const Neighbour& n : model_.pairs[i]) {
        if (same_group(i, n.spin)) continue;
        energy.fields[row] -= n.value / 4.0;
        if (n.spin < i) continue;
        energy.offset += n.value / 4.0;
        energy.couplings.push_back({row, out_.row_of[n.spin], -n.value / 4.0});
      }
    }
    energy.normalise();
  }

  void split_forms() {
    for (std::uint32_t form = 0; form < model_.forms.size(); ++form) {
      const FormLimits& limits = model_.limits[form];
      const bool below = limits.upper<kNoUpper, above = limits.lower> kNoLower;
      if (limits.lower == limits.upper) {
        sides_.push_back({form, 1, -limits.upper, true});
      } else {
        if (below) sides_.push_back({form, 1, -limits.upper, false});
        if (above) sides_.push_back({form, -1, limits.lower, false});
      }
    }
    for (const Side& side : sides_) {
      for (const FormTerm& term : model_.forms[side.form]) {
        terms_.items.push_back({side.sign * term.coefficient, term.index});
      }
      terms_.close();
    }
  }

  std::int64_t factor(const Side& side, unsigned shift) const {
    const double wanted = std::ldexp(model_.limits[side.form].weight, static_cast<int>(shift));
    return std::max<std::int64_t>(1, std::llround(wanted));
  }

  // What does not fit at this scale, or nothing.
  std::string excess(unsigned shift) const {
    std::vector<double> pull(model_.bits, 0.0);
    double violation = 0.0;
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      const auto by = static_cast<double>(factor(sides_[side], shift));
      double sum = std::abs(static_cast<double>(sides_[side].start)), largest = 0.0;
      for (const FormTerm& term : terms_[side]) {
        const double size = std::abs(static_cast<double>(term.coefficient));
        sum += size;
        largest = std::max(largest, size);
        pull[term.index] += by * size;
      }
      if (by * largest > static_cast<double>(kMostCoefficient)) {
        return fmt::format("linear form {} has a coefficient of {:.0f}; a kernel holds at most {}",
                           sides_[side].form, largest, kMostCoefficient);
      }
      if (by * sum > static_cast<double>(kMostResidual)) {
        return fmt::format("linear form {} reaches {:.0f}; a residual holds at most {}",
                           sides_[side].form, sum, kMostResidual);
      }
      violation += by * sum;
    }
    const double weight = std::ldexp(1.0, static_cast<int>(shift));
    for (std::size_t bit = 0; bit < model_.bits; ++bit) {
      const double clashes = weight * static_cast<double>(model_.clashes[bit].size());
      violation += clashes / 2.0;
      if (pull[bit] + clashes > static_cast<double>(kMostPull)) {
        return fmt::format(
            "bit {} changes its forms by {:.0f} and {} excluded pairs by {:.0f}; at most {} in "
            "all fit",
            bit, pull[bit], model_.clashes[bit].size(), clashes, kMostPull);
      }
    }
    if (violation > static_cast<double>(kMostViolation)) {
      return fmt::format("violations reach {:.3g}; at most {} fit", violation, kMostViolation);
    }
    return {};
  }

  // Large enough for fine weights, small enough for beta P and the forms to fit.
  void choose_shift(double beta_penalty) {
    const std::string too_much = excess(0);
    if (!too_much.empty()) throw InputError(too_much + " (" + topology_.name + ")");
    double least = 1.0;
    for (const Side& side : sides_) least = std::min(least, model_.limits[side.form].weight);
    const double needs =
        std::max(kFineWeight / least, kHeadroom * beta_penalty / (2.0 * std::numbers::ln2));
    const unsigned most = (1U << kShiftBits) - 1;
    while (out_.shift < most && std::ldexp(1.0, static_cast<int>(out_.shift)) < needs &&
           excess(out_.shift + 1).empty()) {
      ++out_.shift;
    }
  }

  void write_forms(const FormBanks& banks) {
    const double unit = std::ldexp(1.0, static_cast<int>(out_.shift));
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      const std::int64_t by = factor(sides_[side], out_.shift);
      const double wanted = model_.limits[sides_[side].form].weight;
      out_.weight_change =
          std::max(out_.weight_change, std::abs(static_cast<double>(by) / unit / wanted - 1.0));
      RowForms::Entry entry;
      entry.number = banks.number[side];
      entry.equality = sides_[side].equality;
      entry.start = by * sides_[side].start;
      std::uint32_t first = kNone;
      for (const FormTerm& term : terms_[side]) {
        const std::uint32_t row = out_.row_of[term.index];
        entry.coefficient = by * term.coefficient;
        out_.rows[row].entries[banks.bank[side]] = entry;
        first = std::min(first, row);
      }
      if (first == kNone) continue;  // presolve leaves no form without terms
      out_.rows[first].entries[banks.bank[side]].first = true;
    }
  }

  void write_products() {
    for (std::uint32_t i = 0; i < model_.bits; ++i) {
      for (std::uint32_t j : model_.clashes[i]) {
        if (!same_group(i, j)) out_.rows[out_.row_of[i]].products.push_back(out_.row_of[j]);
      }
    }
  }

  const FormModel& model_;
  const Topology& topology_;
  std::vector<Side> sides_;
  Lists<FormTerm> terms_;  // by side
  RowForms out_;
};

}  // namespace

RowForms arrange_forms(const FormModel& model, const Topology& topology, double beta_penalty) {
  return Arrangement(model, topology, beta_penalty).take();
}

}  // namespace chainmail

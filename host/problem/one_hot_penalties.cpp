// A square leaves three traces: pairs of one value 2A in a clique, as the members of a one-hot are
// rarely coupled otherwise; a linear part lower by A for each one-hot a bit is in; and in spins,
// fields that outweigh the couplings. The last one is cheap to check and rules out nearly every
// other problem at once.
#include "problem/one_hot_penalties.hpp"

#include <algorithm>
#include <utility>

#include "problem/coupling_rows.hpp"
#include "problem/qubo_matrix.hpp"

namespace chainmail {

namespace {

constexpr double kFieldShare = 0.6;  // of all squares; random QUBOs have a half
constexpr std::size_t kValues = 4;   // candidates for 2A, the most frequent ones
constexpr std::size_t kLeastMembers = 3;
constexpr std::uint64_t kMostWork = 5'000'000;  // looks at neighbours
constexpr double kNothing = 1e-9;               // of A

using Clique = std::vector<std::uint32_t>;

struct OneHot {
  Clique bits;
  double strength;  // A
};

bool fields_weigh(const Quadratic& f) {
  double fields = 0.0, couplings = 0.0;
  for (double h : f.fields) fields += h * h;
  for (const Coupling& c : f.couplings) couplings += 2.0 * c.value * c.value;
  return fields > 0.0 && fields >= kFieldShare * (fields + couplings);
}

// Positive products that are frequent enough to hold most bits in cliques, most frequent first.
std::vector<double> frequent_products(const Quadratic& f) {
  std::vector<double> values;
  for (const Coupling& c : f.couplings) {
    const double value = product_in_bits(c.value);
    if (value > 0.0) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  std::vector<std::pair<std::size_t, double>> runs;
  for (std::size_t k = 0; k < values.size();) {
    const std::size_t first = k;
    while (k < values.size() && values[k] == values[first]) ++k;
    if (4 * (k - first) >= f.size()) runs.emplace_back(k - first, values[first]);
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (runs.size() > kValues) runs.resize(kValues);
  std::vector<double> frequent;
  frequent.reserve(runs.size());
  for (const auto& run : runs) frequent.push_back(run.second);
  return frequent;
}

// Cliques that share no pair, over the pairs of one value.
class CliqueCover {
 public:
  CliqueCover(const Quadratic& f, double value) {
    Quadratic equal(f.size());
    for (const Coupling& c : f.couplings) {
      if (product_in_bits(c.value) == value) equal.couplings.push_back(c);
    }
    rows_ = coupling_rows(equal);
    covered_.assign(rows_.spin.size(), 0);
  }

  std::vector<Clique> find(std::uint64_t& work) {
    std::vector<Clique> cliques;
    for (std::uint32_t i = 0; i + 1 < rows_.start.size(); ++i) {
      for (std::uint32_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
        if (covered_[k] != 0 || rows_.spin[k] < i) continue;
        Clique clique = grown(i, rows_.spin[k], work);
        if (work > kMostWork) return {};
        if (clique.size() >= kLeastMembers) cliques.push_back(std::move(clique));
      }
    }
    return cliques;
  }

 private:
  // Where j is among i's neighbours; the end if it is not.
  std::uint32_t place(std::uint32_t i, std::uint32_t j) const {
    const auto first = rows_.spin.begin() + rows_.start[i];
    const auto last = rows_.spin.begin() + rows_.start[i + 1];
    const auto found = std::lower_bound(first, last, j);
    return found != last && *found == j ? static_cast<std::uint32_t>(found - rows_.spin.begin())
                                        : rows_.start[i + 1];
  }
  bool open(std::uint32_t i, std::uint32_t j) const {
    const std::uint32_t k = place(i, j);
    return k != rows_.start[i + 1] && covered_[k] == 0;
  }

  Clique grown(std::uint32_t i, std::uint32_t j, std::uint64_t& work) {
    Clique clique{i, j};
    for (std::uint32_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
      const std::uint32_t next = rows_.spin[k];
      if (next == j || covered_[k] != 0) continue;
      bool all = true;
      for (std::size_t m = clique.size(); all && m-- > 1;) {
        all = open(clique[m], next);
        ++work;
      }
      if (all) clique.push_back(next);
    }
    for (std::uint32_t a : clique) {
      for (std::uint32_t b : clique) {
        if (a != b) covered_[place(a, b)] = 1;
      }
    }
    return clique;
  }

  CouplingRows rows_;
  std::vector<char> covered_;  // by entry of the rows
};

// Large ones first, as long as the linear parts of their bits allow.
std::vector<OneHot> find_one_hots(const Quadratic& f, std::vector<double> linear) {
  std::vector<OneHot> found, taken;
  std::uint64_t work = 0;
  for (double value : frequent_products(f)) {
    for (Clique& clique : CliqueCover(f, value).find(work)) {
      std::sort(clique.begin(), clique.end());
      found.push_back({std::move(clique), value / 2.0});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const OneHot& a, const OneHot& b) { return a.bits.size() > b.bits.size(); });
  for (OneHot& one : found) {
    const bool paid = std::all_of(one.bits.begin(), one.bits.end(), [&](std::uint32_t bit) {
      return -linear[bit] > kNothing * one.strength;
    });
    if (!paid) continue;
    for (std::uint32_t bit : one.bits) linear[bit] += one.strength;
    taken.push_back(std::move(one));
  }
  return taken;
}

}  // namespace

std::optional<FormModel> recover_one_hots(const Quadratic& f) {
  if (!fields_weigh(f)) return std::nullopt;
  FormModel model;
  model.bits = f.size();
  model.linear.assign(f.size(), 0.0);
  Quadratic rest(f.size());  // products; those of the squares are taken off below
  in_bits(
      f, [&](double c) { model.constant += c; },
      [&](std::uint32_t i, double c) { model.linear[i] += c; },
      [&](std::uint32_t i, std::uint32_t j, double c) {
        rest.couplings.push_back({i, j, c});
      });
  const std::vector<OneHot> one_hots = find_one_hots(f, model.linear);
  std::vector<char> reached(f.size(), 0);
  for (const OneHot& one : one_hots) {
    for (std::uint32_t bit : one.bits) reached[bit] = 1;
  }
  const auto count = static_cast<std::size_t>(std::count(reached.begin(), reached.end(), 1));
  if (2 * count < f.size()) return std::nullopt;

  for (const OneHot& one : one_hots) {
    model.constant -= one.strength;
    for (std::size_t a = 0; a < one.bits.size(); ++a) {
      model.linear[one.bits[a]] += one.strength;
      for (std::size_t b = 0; b < a; ++b) {
        rest.couplings.push_back({one.bits[b], one.bits[a], -2.0 * one.strength});
      }
    }
  }
  rest.normalise();
  const CouplingRows rows = coupling_rows(rest);
  std::vector<char> grouped(f.size(), 0);
  for (std::uint32_t i = 0; i < f.size(); ++i) {
    for (std::uint32_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      model.pairs.items.push_back({rows.spin[k], rows.value[k]});
    }
    model.pairs.close();
    model.clashes.close();
  }
  for (const OneHot& one : one_hots) {
    const bool apart = std::none_of(one.bits.begin(), one.bits.end(),
                                    [&](std::uint32_t bit) { return grouped[bit] != 0; });
    for (std::uint32_t bit : one.bits) {
      if (apart) {
        model.groups.items.push_back(bit);
        grouped[bit] = 1;
      } else {
        model.forms.items.push_back({1, bit});
      }
    }
    if (apart) {
      model.groups.close();
    } else {
      model.forms.close();
      model.limits.push_back({1, 1, 1.0});
    }
  }
  model.finish();
  return model;
}

}  // namespace chainmail

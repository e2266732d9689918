#include "device/cpu/float_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "support/error.hpp"

namespace chainmail {

namespace {

template <class T>
SparseRows<T> make_rows(const Quadratic& q, bool below_only) {
  SparseRows<T> rows;
  std::size_t i = 0;
  for (const std::vector<Neighbour>& neighbours : adjacency(q)) {
    for (const Neighbour& n : neighbours) {
      if (below_only && n.spin >= i) continue;
      rows.column.push_back(n.spin);
      rows.value.push_back(static_cast<T>(n.value));
    }
    rows.start.push_back(rows.column.size());
    ++i;
  }
  return rows;
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // ascending

// Moves the links of a function into `links` (zero where it has none).
std::map<Pair, double> take_links(Quadratic& q, std::map<Pair, double> links) {
  std::vector<Coupling> others;
  for (const Coupling& c : q.couplings) {
    if (const auto link = links.find({c.i, c.j}); link != links.end()) {
      link->second = c.value;
    } else {
      others.push_back(c);
    }
  }
  q.couplings = std::move(others);
  return links;
}

void refuse_other_couplings(const Quadratic& q, const std::vector<std::size_t>& chain_of) {
  for (const Coupling& c : q.couplings) {
    if (chain_of[c.i] != chain_of[c.j]) continue;
    throw InputError("--moves chain: p-bits " + std::to_string(c.i) + " and " +
                     std::to_string(c.j) + " are copies of one spin and coupled, but no link of " +
                     "its chain joins them");
  }
}

}  // namespace

template <class T>
FloatModel<T> make_float_model(const PhysicalModel& model) {
  FloatModel<T> m;
  m.pbits = model.f.size();
  m.f = make_rows<T>(model.f, false);
  m.g = make_rows<T>(model.g, false);
  m.f_below = make_rows<double>(model.f, true);
  m.g_below = make_rows<double>(model.g, true);
  m.f_field.assign(model.f.fields.begin(), model.f.fields.end());
  m.g_field.assign(model.g.fields.begin(), model.g.fields.end());
  m.f_field_exact = model.f.fields;
  m.g_field_exact = model.g.fields;
  m.f_offset = model.f.offset;
  m.g_offset = model.g.offset;
  m.has_g = !model.g.is_zero();
  return m;
}

template <class T>
FloatModel<T> make_chain_model(const PhysicalModel& model) {
  std::vector<std::vector<std::uint32_t>> chains = model.chains;
  std::vector<std::size_t> chain_of(model.f.size(), 0);  // from 1; 0: in none yet
  const auto mark = [&](std::size_t c) {
    for (std::uint32_t pbit : chains[c]) chain_of[pbit] = c + 1;
  };
  for (std::size_t c = 0; c < chains.size(); ++c) mark(c);
  for (std::uint32_t i = 0; i < chain_of.size(); ++i) {
    if (chain_of[i] > 0) continue;
    chains.push_back({i});
    mark(chains.size() - 1);
  }
  std::map<Pair, double> none;
  for (const auto& chain : chains) {
    for (std::size_t k = 1; k < chain.size(); ++k) none[std::minmax(chain[k - 1], chain[k])] = 0.0;
  }
  PhysicalModel outside{model.f, model.g, {}};
  const std::map<Pair, double> links_f = take_links(outside.f, none);
  const std::map<Pair, double> links_g = take_links(outside.g, none);
  refuse_other_couplings(outside.f, chain_of);
  refuse_other_couplings(outside.g, chain_of);

  FloatModel<T> m = make_float_model<T>(outside);
  m.f_below = make_rows<double>(model.f, true);  // energies are those of the whole model
  m.g_below = make_rows<double>(model.g, true);
  m.has_g = !model.g.is_zero();
  for (const auto& chain : chains) {
    for (std::size_t k = 0; k < chain.size(); ++k) {
      const Pair link = std::minmax(chain[k == 0 ? 0 : k - 1], chain[k]);
      m.chains.pbit.push_back(chain[k]);
      m.chains.link_f.push_back(k == 0 ? T(0) : static_cast<T>(links_f.at(link)));
      m.chains.link_g.push_back(k == 0 ? T(0) : static_cast<T>(links_g.at(link)));
    }
    m.chains.start.push_back(m.chains.pbit.size());
    m.chains.longest = std::max(m.chains.longest, chain.size());
  }
  return m;
}

double largest_field(const Quadratic& q) {
  std::vector<double> sum(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) sum[i] = std::abs(q.fields[i]);
  for (const Coupling& c : q.couplings) {
    sum[c.i] += std::abs(c.value);
    sum[c.j] += std::abs(c.value);
  }
  return sum.empty() ? 0.0 : *std::max_element(sum.begin(), sum.end());
}

double rms_coefficient(const Quadratic& q) {
  double square = 0.0;
  for (double h : q.fields) square += h * h;
  for (const Coupling& c : q.couplings) square += c.value * c.value;
  const auto count = static_cast<double>(q.fields.size() + q.couplings.size());
  return std::sqrt(square / count);
}

template FloatModel<float> make_float_model<float>(const PhysicalModel&);
template FloatModel<double> make_float_model<double>(const PhysicalModel&);
template FloatModel<float> make_chain_model<float>(const PhysicalModel&);
template FloatModel<double> make_chain_model<double>(const PhysicalModel&);

}  // namespace chainmail

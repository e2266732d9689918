#include "model/bit_polynomial.hpp"

#include <algorithm>

#include "support/error.hpp"

namespace chainmail {

void BitPolynomial::add(double factor, const BitSum& sum) {
  constant_ += factor * sum.constant;
  for (const Neighbour& t : sum.terms) linear_.push_back({t.spin, factor * t.value});
}

// Both sums often have the same bits (a square, or y (y - 1)): a pair then meets twice, and the two
// products are one.
void BitPolynomial::add(double factor, const BitSum& a, const BitSum& b) {
  constant_ += factor * a.constant * b.constant;
  for (const Neighbour& t : a.terms) linear_.push_back({t.spin, factor * b.constant * t.value});
  for (const Neighbour& t : b.terms) linear_.push_back({t.spin, factor * a.constant * t.value});
  const auto same = [](const Neighbour& s, const Neighbour& t) {
    return s.spin == t.spin && s.value == t.value;
  };
  const bool alike =
      std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(), same);
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    const Neighbour& s = a.terms[i];
    for (std::size_t j = alike ? i : 0; j < b.terms.size(); ++j) {
      const Neighbour& t = b.terms[j];
      const double value = factor * s.value * t.value * (alike && i != j ? 2.0 : 1.0);
      if (s.spin == t.spin) {
        linear_.push_back({s.spin, value});  // a bit is its own square
      } else {
        products_.push_back({std::min(s.spin, t.spin), std::max(s.spin, t.spin), value});
      }
    }
  }
  if (products_.size() > kMaxProducts) {
    throw InputError("the model has more than " + std::to_string(kMaxProducts) +
                     " products of two bits");
  }
}

// With x = (1 + S) / 2:  c x = c/2 + c/2 S,  c x y = c/4 (1 + S + S' + S S').
Quadratic BitPolynomial::to_spins(std::size_t bits) const {
  // In long double: partial sums may need more bits than the result.
  long double offset = constant_;
  std::vector<long double> fields(bits, 0.0L);
  Quadratic q(bits);
  for (const Neighbour& t : linear_) {
    offset += t.value / 2;
    fields[t.spin] -= t.value / 2;
  }
  q.couplings.reserve(products_.size());
  for (const Coupling& p : products_) {
    offset += p.value / 4;
    fields[p.i] -= p.value / 4;
    fields[p.j] -= p.value / 4;
    q.couplings.push_back({p.i, p.j, -p.value / 4});
  }
  q.offset = static_cast<double>(offset);
  std::transform(fields.begin(), fields.end(), q.fields.begin(),
                 [](long double field) { return static_cast<double>(field); });
  q.normalise();
  return q;
}

}  // namespace chainmail

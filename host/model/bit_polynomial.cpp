#include "model/bit_polynomial.hpp"

#include <algorithm>

namespace chainmail {

void BitPolynomial::add(double factor, const BitSum& sum) {
  constant_ += factor * sum.constant;
  for (const Neighbour& t : sum.terms) linear_.push_back({t.spin, factor * t.value});
}

void BitPolynomial::add(double factor, const BitSum& a, const BitSum& b) {
  constant_ += factor * a.constant * b.constant;
  for (const Neighbour& t : a.terms) linear_.push_back({t.spin, factor * b.constant * t.value});
  for (const Neighbour& t : b.terms) linear_.push_back({t.spin, factor * a.constant * t.value});
  for (const Neighbour& s : a.terms) {
    for (const Neighbour& t : b.terms) {
      const double value = factor * s.value * t.value;
      if (s.spin == t.spin) {
        linear_.push_back({s.spin, value});  // a bit is its own square
      } else {
        products_.push_back({std::min(s.spin, t.spin), std::max(s.spin, t.spin), value});
      }
    }
  }
}

// With x = (1 + S) / 2:  c x = c/2 + c/2 S,  c x y = c/4 (1 + S + S' + S S').
Quadratic BitPolynomial::to_spins(std::size_t bits) const {
  Quadratic q(bits);
  q.offset = constant_;
  for (const Neighbour& t : linear_) {
    q.offset += t.value / 2;
    q.fields[t.spin] -= t.value / 2;
  }
  q.couplings.reserve(products_.size());
  for (const Coupling& p : products_) {
    q.offset += p.value / 4;
    q.fields[p.i] -= p.value / 4;
    q.fields[p.j] -= p.value / 4;
    q.couplings.push_back({p.i, p.j, -p.value / 4});
  }
  q.normalise();
  return q;
}

}  // namespace chainmail

// Greedy descent from copies of replicas: the minimum below a cold state is often better than any
// state the ladder visits. The replicas themselves do not change.
#pragma once

#include "device/device.hpp"
#include "problem/coupling_rows.hpp"

namespace chainmail {

class Quench {
 public:
  explicit Quench(const Quadratic& f) : f_(&f) {}

  // From a state whose f is given, for devices that do not descend themselves.
  Descent operator()(std::vector<Spin> from, double f);

 private:
  const Quadratic* f_;
  CouplingRows rows_;  // made when first needed
  std::vector<double> field_;
};

}  // namespace chainmail

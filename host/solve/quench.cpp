#include "solve/quench.hpp"

#include <utility>

namespace chainmail {

Descent Quench::operator()(std::vector<Spin> from, double f) {
  if (rows_.start.empty()) rows_ = coupling_rows(*f_);
  Descent state{std::move(from), f};
  std::vector<Spin>& spins = state.spins;
  field_.assign(f_->fields.begin(), f_->fields.end());
  for (std::size_t i = 0; i < spins.size(); ++i) {
    double sum = 0.0;
    for (std::uint32_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
      sum += rows_.value[k] * spins[rows_.spin[k]];
    }
    field_[i] += sum;
  }
  for (bool any = true; any;) {
    any = false;
    for (std::size_t i = 0; i < spins.size(); ++i) {
      const double gain = -field_[i] * spins[i];
      if (!(gain > 0.0)) continue;
      any = true;
      state.f -= 2.0 * gain;
      spins[i] = static_cast<Spin>(-spins[i]);
      for (std::uint32_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
        field_[rows_.spin[k]] += 2.0 * rows_.value[k] * spins[i];
      }
    }
  }
  return state;
}

}  // namespace chainmail

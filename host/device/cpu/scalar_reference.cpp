#include "device/cpu/scalar_reference.hpp"

#include <cmath>

#include "support/random.hpp"

namespace chainmail {

ScalarReference::ScalarReference(const PhysicalModel& model, std::size_t replicas,
                                 std::uint64_t seed)
    : f_field_(model.f.fields.begin(), model.f.fields.end()),
      g_field_(model.g.fields.begin(), model.g.fields.end()),
      spins_(replicas, std::vector<float>(model.f.size(), 1.0F)),
      random_(mix64(seed)) {
  const auto fill = [](const Quadratic& q, auto& start, auto& entries) {
    start.push_back(0);
    for (const auto& row : adjacency(q)) {
      for (const Neighbour& n : row) entries.push_back({n.spin, static_cast<float>(n.value)});
      start.push_back(static_cast<std::uint32_t>(entries.size()));
    }
  };
  fill(model.f, f_start_, f_);
  fill(model.g, g_start_, g_);
}

// xorshift64*, 24 bits.
float ScalarReference::uniform() {
  random_ ^= random_ >> 12U;
  random_ ^= random_ << 25U;
  random_ ^= random_ >> 27U;
  return static_cast<float>((random_ * 0x2545f4914f6cdd1dU) >> 40U) * 0x1.0p-24F;
}

void ScalarReference::sweep(std::vector<float>& spins, float beta2, float penalty2) {
  for (std::size_t i = 0; i < spins.size(); ++i) {
    float f = f_field_[i], g = g_field_[i];
    for (std::uint32_t e = f_start_[i]; e < f_start_[i + 1]; ++e) {
      f += f_[e].value * spins[f_[e].spin];
    }
    for (std::uint32_t e = g_start_[i]; e < g_start_[i + 1]; ++e) {
      g += g_[e].value * spins[g_[e].spin];
    }
    const float x = beta2 * f + penalty2 * g;
    spins[i] = uniform() < 1.0F / (1.0F + std::exp(-x)) ? 1.0F : -1.0F;
  }
}

void ScalarReference::run(std::span<const Parameters> parameters, std::uint64_t sweeps) {
  for (std::size_t r = 0; r < spins_.size(); ++r) {
    const auto beta2 = static_cast<float>(2.0 * parameters[r].beta);
    const auto penalty2 = static_cast<float>(2.0 * parameters[r].beta_penalty);
    for (std::uint64_t s = 0; s < sweeps; ++s) sweep(spins_[r], beta2, penalty2);
  }
}

std::int64_t ScalarReference::magnetisation() const {
  double sum = 0.0;
  for (const auto& spins : spins_) {
    for (float s : spins) sum += static_cast<double>(s);
  }
  return std::llround(sum);
}

}  // namespace chainmail

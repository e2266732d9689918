#include "reference_rows.hpp"

#include "topology/contract.hpp"

namespace reference {

using namespace chainmail::contract;

RowKernel::RowKernel(const std::string& header) : noise_(noise_of(header, "kStreams")) {
  const auto one = [&](const char* name) {
    return static_cast<std::size_t>(numbers(header, name).at(0));
  };
  pbits_ = one("kPbits");
  lanes_ = one("kLanes");
  beta_bits_ = one("kBetaBits");
  state_words_ = one("kStateWords");
  row_words_ = one("kRowWords");
  ring_.assign(one("kMaxReplicas"), Place{std::vector<int>(pbits_, -1), {}});
}

void RowKernel::read_image(const std::vector<std::uint64_t>& image) {
  const std::size_t rows = image[0] & 0xffff'ffff;
  coupling_.assign(rows, std::vector<std::int64_t>(pbits_, 0));
  field_.resize(rows);
  clamp_.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t* record = image.data() + 4 + i * row_words_;
    field_[i] = static_cast<std::int64_t>(record[0] << 46) >> 46;
    clamp_[i] = (record[0] >> 32 & 1) != 0;
    for (std::size_t j = 0; j < pbits_; ++j) {
      const std::size_t byte = 32 * (1 + j / 30) + j % 30;
      coupling_[i][j] = static_cast<std::int8_t>(record[byte / 8] >> 8 * (byte % 8));
    }
  }
}

// Nothing is coupled to rows out of use.
std::int64_t RowKernel::energy(const std::vector<int>& spin) const {
  std::int64_t f = 0;
  for (std::size_t i = 0; i < coupling_.size(); ++i) {
    f -= field_[i] * spin[i];
    for (std::size_t j = i + 1; j < pbits_; ++j) f -= coupling_[i][j] * spin[i] * spin[j];
  }
  return f;
}

void RowKernel::take_best(Place& place) const {
  if (place.found && place.f >= place.best_f) return;
  place.found = true;
  place.best_f = place.f;
  place.best = place.spin;
}

void RowKernel::burst(const Call& call) {
  auto streams = seeded(noise_, call.seed);
  for (std::uint32_t r = 0; r < call.replicas; ++r) {
    Place& place = ring_[call.first + r];
    place.found = false;
    place.f = energy(place.spin);
    if (call.sweeps == 0) take_best(place);
  }
  for (std::uint32_t s = 0; s < call.sweeps; ++s) {
    for (std::size_t i = 0; i < coupling_.size(); ++i) {
      for (std::uint32_t r = 0; r < call.replicas; ++r) {
        Place& place = ring_[call.first + r];
        std::vector<std::uint32_t>& stream = streams[(call.first + r) % lanes_];
        const std::uint32_t word = stream.back();
        step(stream, 0);
        std::int64_t field = field_[i];
        for (std::size_t j = 0; j < pbits_; ++j) field += coupling_[i][j] * place.spin[j];
        const auto beta =
            static_cast<std::int64_t>(call.parameters[r] & ((std::uint64_t{1} << beta_bits_) - 1));
        const std::int64_t magnitude = threshold(noise_, word) << (beta_bits_ - 9);
        const int drawn = beta * field + (word >> 31 != 0 ? ~magnitude : magnitude) >= 0 ? 1 : -1;
        if (!clamp_[i] && drawn != place.spin[i]) {
          place.spin[i] = drawn;
          place.f = energy(place.spin);
        }
        take_best(place);
      }
    }
  }
}

void RowKernel::run(Call& call) {
  const auto bit = [&](std::vector<std::uint64_t>& states, std::uint32_t r, std::size_t p) {
    return std::pair(&states[r * state_words_ + p / 64], std::uint64_t{1} << p % 64);
  };
  for (std::uint32_t r = 0; r < call.replicas && (call.flags & kLoadSpins) != 0; ++r) {
    for (std::size_t p = 0; p < pbits_; ++p) {
      const auto [word, mask] = bit(call.spins, r, p);
      ring_[call.first + r].spin[p] = (*word & mask) != 0 ? 1 : -1;
    }
  }
  if ((call.flags & kNoBurst) == 0) {
    read_image(call.tables);
    burst(call);
    for (std::uint32_t r = 0; r < call.replicas; ++r) {
      const Place& place = ring_[call.first + r];
      const std::uint64_t best = place.found ? static_cast<std::uint32_t>(place.best_f) : kNoBest;
      call.results[2 * r] = static_cast<std::uint32_t>(place.f) | best << 32;
      call.results[2 * r + 1] = 0;
    }
  }
  const auto store = [&](std::vector<std::uint64_t>& states, std::uint32_t r,
                         const std::vector<int>& spin) {
    for (std::size_t w = 0; w < state_words_; ++w) states[r * state_words_ + w] = 0;
    for (std::size_t p = 0; p < spin.size(); ++p) {
      const auto [word, mask] = bit(states, r, p);
      if (spin[p] > 0) *word |= mask;
    }
  };
  for (std::uint32_t r = 0; r < call.replicas; ++r) {
    const Place& place = ring_[call.first + r];
    if ((call.flags & kStoreSpins) != 0) store(call.spins, r, place.spin);
    if ((call.flags & kStoreBest) != 0) {
      store(call.best, r, place.found ? place.best : std::vector<int>{});
    }
  }
}

}  // namespace reference

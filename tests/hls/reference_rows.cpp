#include "reference_rows.hpp"

#include <algorithm>

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
  forms_a_row_ = one("kForms");
  product_beats_ = one("kProductBeats");
  head_beats_ = one("kHeadBeats");
  one_hots_ = one("kOneHots") != 0;
  gumbel_ = numbers(header, "kGumbel");
  ring_.assign(one("kMaxReplicas"), Place{std::vector<int>(pbits_, -1), {}});
}

void RowKernel::read_image(const std::vector<std::uint64_t>& image) {
  const std::size_t rows = image[0] & 0xffff'ffff;
  coupling_.assign(rows, std::vector<std::int64_t>(pbits_, 0));
  product_.assign(rows, std::vector<bool>(pbits_, false));
  forms_.clear();
  field_.resize(rows);
  clamp_.resize(rows);
  head_.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t* record = image.data() + 4 + i * row_words_;
    head_[i] = record[0];
    field_[i] = static_cast<std::int64_t>(record[0] << 46) >> 46;
    clamp_[i] = (record[0] >> 32 & 1) != 0;
    read_forms(i, record);
    if (product_beats_ > 0) product_weight_ = std::int64_t{1} << (record[1] >> 32 & 15);
    for (std::size_t j = 0; j < pbits_; ++j) {
      const std::size_t byte = 32 * (head_beats_ + j / 30) + j % 30;
      coupling_[i][j] = static_cast<std::int64_t>(record[byte / 8] << (56 - 8 * (byte % 8))) >> 56;
      const std::uint64_t* plane = record + 4 * (head_beats_ - product_beats_);
      if (product_beats_ > 0) product_[i][j] = (plane[j / 64] >> j % 64 & 1) != 0;
    }
  }
}

void RowKernel::read_forms(std::size_t i, const std::uint64_t* record) {
  for (std::size_t k = 0; k < forms_a_row_; ++k) {
    const std::uint64_t entry = record[4 + k];
    const auto a = static_cast<std::int16_t>(entry);
    if (a == 0) continue;
    Form& form = forms_[{k, entry >> 16 & 0xfff}];
    form.terms.push_back({i, a});
    form.equality = (entry >> 28 & 1) != 0;
    if ((entry >> 29 & 1) != 0) form.start = static_cast<std::int64_t>(entry << 8) >> 40;
  }
}

std::int64_t RowKernel::Form::violation(const std::vector<int>& spin) const {
  std::int64_t r = start;
  for (const auto& [row, a] : terms) r += spin[row] > 0 ? a : 0;
  return r > 0 ? r : equality ? -r : 0;
}

// What spin i, up instead of down, adds to g.
std::int64_t RowKernel::pull(std::vector<int> spin, std::size_t i) const {
  std::int64_t sum = 0;
  for (const int side : {1, -1}) {
    spin[i] = side;
    for (const auto& [place, form] : forms_) {
      const bool touched = std::any_of(form.terms.begin(), form.terms.end(),
                                       [&](const auto& term) { return term.first == i; });
      if (touched) sum += side * form.violation(spin);
    }
  }
  for (std::size_t j = 0; j < pbits_; ++j) {
    if (product_[i][j] && spin[j] > 0) sum += product_weight_;
  }
  return sum;
}

std::int64_t RowKernel::violation(const std::vector<int>& spin) const {
  std::int64_t g = 0;
  for (const auto& [place, form] : forms_) g += form.violation(spin);
  for (std::size_t i = 0; i < product_.size(); ++i) {
    for (std::size_t j = i + 1; j < pbits_ && spin[i] > 0; ++j) {
      if (product_[i][j] && spin[j] > 0) g += product_weight_;
    }
  }
  return g;
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
  if (place.g != 0 || (place.found && place.f >= place.best_f)) return;
  place.found = true;
  place.best_f = place.f;
  place.best = place.spin;
}

void RowKernel::update(Place& place, std::size_t i, std::uint64_t parameters, std::uint32_t word) {
  const auto limit = (std::uint64_t{1} << beta_bits_) - 1;
  const auto beta = static_cast<std::int64_t>(parameters & limit);
  const auto beta_penalty = static_cast<std::int64_t>(parameters >> 32 & limit);
  const bool member = one_hots_ && (head_[i] >> 33 & 1) != 0;
  const bool settle = one_hots_ && (head_[i] >> 35 & 1) != 0;
  std::int64_t field = field_[i];
  for (std::size_t j = 0; j < pbits_; ++j) field += coupling_[i][j] * place.spin[j];
  const std::int64_t y = beta * field - beta_penalty * pull(place.spin, i);
  const std::vector<int> before = place.spin;
  if (member) {
    place.spin[i] = -1;
    const std::int64_t key = y + gumbel(gumbel_, word) * (std::int64_t{1} << (beta_bits_ - 9));
    if ((head_[i] >> 34 & 1) != 0 || key > place.key) {
      place.key = key;
      place.winner = i;
    }
  } else if (settle) {
    place.spin[place.winner] = 1;
  } else if (!clamp_[i]) {
    const std::int64_t magnitude = threshold(noise_, word) << (beta_bits_ - 9);
    place.spin[i] = y + (word >> 31 != 0 ? ~magnitude : magnitude) >= 0 ? 1 : -1;
  }
  if (place.spin != before) {
    place.f = energy(place.spin);
    place.g = violation(place.spin);
  }
  if (!member) take_best(place);
}

void RowKernel::burst(const Call& call) {
  auto streams = seeded(noise_, call.seed);
  for (std::uint32_t r = 0; r < call.replicas; ++r) {
    Place& place = ring_[call.first + r];
    place.found = false;
    place.f = energy(place.spin);
    place.g = violation(place.spin);
    if (call.sweeps == 0) take_best(place);
  }
  for (std::uint32_t s = 0; s < call.sweeps; ++s) {
    for (std::size_t i = 0; i < coupling_.size(); ++i) {
      for (std::uint32_t r = 0; r < call.replicas; ++r) {
        std::vector<std::uint32_t>& stream = streams[(call.first + r) % lanes_];
        const std::uint32_t word = stream.back();
        step(stream, 0);
        update(ring_[call.first + r], i, call.parameters[r], word);
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
      call.results[2 * r + 1] = static_cast<std::uint64_t>(place.g);
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

#include "reference_flips.hpp"

#include <algorithm>
#include <cstdlib>

#include "topology/contract.hpp"

namespace reference {

using namespace chainmail::contract;

FlipKernel::FlipKernel(const std::string& header) : noise_(noise_of(header, "kStreams")) {
  const auto one = [&](const char* name) {
    return static_cast<std::size_t>(numbers(header, name).at(0));
  };
  pbits_ = one("kPbits");
  lanes_ = one("kLanes");
  beta_bits_ = one("kBetaBits");
  state_words_ = one("kStateWords");
  products_ = one("kProducts") != 0;
  one_hots_ = one("kOneHots") != 0;
  gumbel_ = numbers(header, "kGumbel");
  forms_ = one("kForms");
  residuals_ = one("kFormResiduals");
  ring_.assign(one("kMaxReplicas"), Place{std::vector<int>(pbits_, -1), {}});
}

namespace {

std::int64_t signed_of(std::uint64_t word, unsigned bits) {
  return static_cast<std::int64_t>(word << (64 - bits)) >> (64 - bits);
}

}  // namespace

void FlipKernel::read_forms(const std::uint64_t* words, std::size_t row) {
  for (std::size_t k = 0; k < forms_; ++k) {
    const std::int64_t a = signed_of(words[k], 16);
    const std::size_t number = words[k] >> 16 & (residuals_ - 1);
    if (a == 0) continue;
    if ((words[k] >> 29 & 1) != 0) {
      form_.push_back({k, number, (words[k] >> 28 & 1) != 0, signed_of(words[k] >> 32, 24), {}});
    }
    for (Form& form : form_) {
      if (form.bank == k && form.number == number) form.terms.push_back({row, a});
    }
  }
}

void FlipKernel::read_image(const std::vector<std::uint64_t>& image) {
  form_.clear();
  rows_ = image[0] & 0xffff'ffff;
  all_down_ = signed_of(image[1], 32);
  product_weight_ = std::int64_t{1} << (image[1] >> 32 & 15);
  coupling_.assign(pbits_, std::vector<std::int64_t>(pbits_));
  product_.assign(pbits_, std::vector<bool>(pbits_, false));
  base_.resize(pbits_);
  clamp_.resize(pbits_);
  head_.resize(pbits_);
  for (std::size_t i = 0; i < pbits_; ++i) {
    const std::size_t words = 1 + forms_ + pbits_ / 8 + (products_ ? (pbits_ + 63) / 64 : 0);
    const std::uint64_t* record = image.data() + 2 + i * words;
    head_[i] = record[0];
    base_[i] = signed_of(record[0], 18);
    clamp_[i] = (record[0] >> 32 & 1) != 0;
    read_forms(record + 1, i);
    const std::uint64_t* next = record + 1 + forms_;
    for (std::size_t j = 0; j < pbits_; ++j) {
      if (products_ && j % 64 == 0) {
        for (std::size_t b = 0; b < 64 && j + b < pbits_; ++b) {
          product_[i][j + b] = (*next >> b & 1) != 0;
        }
        ++next;
      }
      coupling_[i][j] = signed_of(*next >> 8 * (j % 8), 8);
      if (j % 8 == 7) ++next;
    }
  }
}

std::int64_t FlipKernel::field(const Place& place, std::size_t i) const {
  std::int64_t sum = base_[i];
  for (std::size_t j = 0; j < pbits_; ++j) sum += place.spin[j] > 0 ? 2 * coupling_[i][j] : 0;
  return sum;
}

// From all spins down: h is base + the sum of J.
std::int64_t FlipKernel::energy(const Place& place) const {
  std::int64_t f = all_down_;
  for (std::size_t i = 0; i < pbits_; ++i) {
    if (place.spin[i] < 0) continue;
    f -= 2 * base_[i];
    for (std::size_t j = 0; j < i; ++j) f -= place.spin[j] > 0 ? 4 * coupling_[i][j] : 0;
  }
  return f;
}

// What spin i, up instead of down, adds to g.
std::int64_t FlipKernel::pull(const Place& place, std::size_t i) const {
  std::int64_t sum = 0;
  for (std::size_t j = 0; j < pbits_; ++j) {
    sum += product_[i][j] && place.spin[j] > 0 ? product_weight_ : 0;
  }
  if (forms_ > 0) {
    Place up, down;
    up.spin = down.spin = place.spin;
    up.spin[i] = 1;
    down.spin[i] = -1;
    sum += broken(up) - broken(down);
  }
  return sum;
}

// Sum of what forms are violated by.
std::int64_t FlipKernel::broken(const Place& place) const {
  std::int64_t sum = 0;
  for (const Form& form : form_) {
    std::int64_t r = form.start;
    for (const auto& [row, a] : form.terms) r += place.spin[row] > 0 ? a : 0;
    sum += r > 0 || form.equality ? std::abs(r) : 0;
  }
  return sum;
}

std::int64_t FlipKernel::violation(const Place& place) const {
  std::int64_t g = broken(place);
  for (std::size_t i = 0; i < pbits_; ++i) {
    for (std::size_t j = 0; j < i && place.spin[i] > 0; ++j) {
      g += product_[i][j] && place.spin[j] > 0 ? product_weight_ : 0;
    }
  }
  return g;
}

void FlipKernel::take_best(Place& place) {
  if (place.g != 0 || (place.found && place.f >= place.best_f)) return;
  place.found = true;
  place.best_f = place.f;
  place.best = place.spin;
}

void FlipKernel::flip(Place& place, std::size_t i) {
  ++turns;
  place.spin[i] *= -1;
  place.f = energy(place);
  place.g = violation(place);
}

// Whether the pass ends at this row.
bool FlipKernel::draw(Place& place, std::size_t i, std::uint64_t parameters, std::uint32_t word) {
  const std::uint64_t limit = (std::uint64_t{1} << beta_bits_) - 1;
  const auto beta = static_cast<std::int64_t>(parameters & limit);
  const auto beta_penalty = static_cast<std::int64_t>(parameters >> 32 & limit);
  const std::int64_t y = beta * field(place, i) - beta_penalty * pull(place, i);
  const std::int64_t unit = std::int64_t{1} << (beta_bits_ - 9);
  if (member(i)) {
    const std::int64_t key = y + gumbel(gumbel_, word) * unit;
    if ((head_[i] >> 34 & 1) != 0 || key > place.key) {
      place.key = key;
      place.winner = i;
    }
    place.settles = (head_[i] >> 35 & 1) != 0;
    if (place.spin[i] > 0) flip(place, i);
    return true;
  }
  const std::int64_t magnitude = threshold(noise_, word) << (beta_bits_ - 9);
  const int drawn = y + (word >> 31 != 0 ? ~magnitude : magnitude) >= 0 ? 1 : -1;
  if (clamp_[i] || drawn == place.spin[i]) return false;
  flip(place, i);
  return true;
}

// Where the pass ends: a lane, or past the last. Best is left alone between members.
std::size_t FlipKernel::draw_chunk(Place& place, std::uint64_t parameters) {
  std::size_t end = lanes_;
  for (std::size_t l = 0; l < lanes_; ++l) {
    const std::uint32_t word = streams_[l].back();
    step(streams_[l], 0);
    const std::size_t i = place.chunk * lanes_ + l;
    if (end == lanes_ && l >= place.lane && draw(place, i, parameters, word)) end = l;
  }
  if (end == lanes_ || !member(place.chunk * lanes_ + end)) take_best(place);
  return end;
}

void FlipKernel::pass(Place& place, std::uint64_t parameters) {
  ++passes;
  if (place.settles) {
    place.settles = false;
    flip(place, place.winner);
    take_best(place);
  } else {
    place.lane = draw_chunk(place, parameters);
    if (place.settles) return;
  }
  if (++place.lane >= lanes_) {
    place.lane = 0;
    ++place.chunk;
  }
  if (place.chunk * lanes_ >= rows_) {
    place.chunk = 0;
    --place.left;
  }
}

void FlipKernel::burst(const Call& call) {
  streams_ = seeded(noise_, call.seed);
  bool any = true;
  for (std::uint32_t r = 0; r < call.replicas; ++r) {
    Place& place = ring_[call.first + r];
    const auto out =
        static_cast<std::uint32_t>(call.parameters[r] >> (products_ || forms_ > 0 ? 56 : 48));
    place.left = call.sweeps - std::min(call.sweeps, out);
    place.chunk = place.lane = 0;
    place.f = energy(place);
    place.g = violation(place);
    place.found = place.settles = false;
    if (place.left == 0) take_best(place);
  }
  while (any) {
    any = false;
    for (std::uint32_t r = 0; r < call.replicas; ++r) {
      Place& place = ring_[call.first + r];
      if (place.left == 0) continue;
      any = true;
      pass(place, call.parameters[r]);
    }
  }
}

void FlipKernel::run(Call& call) {
  if ((call.flags & kLoadTables) != 0) read_image(call.tables);
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

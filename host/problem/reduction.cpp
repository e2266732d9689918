#include "problem/reduction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

namespace chainmail {

namespace {

constexpr std::uint32_t kMostNeighbours = 3;
// Couplings looked at for one that outweighs the rest; enough for any sparse problem.
constexpr std::size_t kMostLooks = 50'000'000;

std::uint32_t other(const Coupling& c, std::uint32_t i) {
  return c.i == i ? c.j : c.i;
}

// What a spin feels: its couplings and field by size.
struct Pull {
  double sum = 0.0, most = 0.0;
  void add(double value) {
    sum += std::abs(value);
    most = std::max(most, std::abs(value));
  }
  // One of them alone decides the spin.
  bool one_decides() const { return 2.0 * most >= sum; }
};

bool few_neighbours(std::uint32_t degree, double field) {
  return degree < kMostNeighbours || (degree == kMostNeighbours && field == 0.0);
}

bool any_removable(const Quadratic& f) {
  if (f.size() < 2) return false;
  struct Seen {
    Pull pull;
    std::uint32_t degree = 0;
  };
  std::vector<Seen> seen(f.size());
  for (const Coupling& c : f.couplings) {
    for (std::uint32_t i : {c.i, c.j}) ++seen[i].degree, seen[i].pull.add(c.value);
  }
  for (std::size_t i = 0; i < f.size(); ++i) {
    seen[i].pull.add(f.fields[i]);
    if (few_neighbours(seen[i].degree, f.fields[i]) || seen[i].pull.one_decides()) return true;
  }
  return false;
}

}  // namespace

namespace {

// Couplings by spin, one array for all: a million vectors would take twice the memory.
class Lists {
 public:
  Lists(const Quadratic& f, const std::vector<std::uint32_t>& degree) : spins_(f.size()) {
    std::uint32_t start = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      spins_[i] = {start, 0, degree[i]};
      start += degree[i];
    }
    numbers_.reserve(start + start / 16);
    numbers_.resize(start);
    for (std::uint32_t k = 0; k < f.couplings.size(); ++k) {
      push(f.couplings[k].i, k);
      push(f.couplings[k].j, k);
    }
  }

  std::span<const std::uint32_t> of(std::uint32_t i) const {
    return {numbers_.data() + spins_[i].start, spins_[i].size};
  }
  void push(std::uint32_t i, std::uint32_t coupling) {
    Place& place = spins_[i];
    if (place.size == place.room) {
      const auto end = static_cast<std::uint32_t>(numbers_.size());
      numbers_.resize(numbers_.size() + 2 * place.room + 2);
      std::copy_n(numbers_.begin() + place.start, place.size, numbers_.begin() + end);
      place = {end, place.size, 2 * place.room + 2};
    }
    numbers_[place.start + place.size++] = coupling;
  }
  template <class Gone>
  void erase_if(std::uint32_t i, const Gone& gone) {
    const auto first = numbers_.begin() + spins_[i].start;
    const auto last = std::remove_if(first, first + spins_[i].size, gone);
    spins_[i].size = static_cast<std::uint32_t>(last - first);
  }
  void clear(std::uint32_t i) { spins_[i].size = 0; }

 private:
  struct Place {
    std::uint32_t start, size, room;
  };
  std::vector<Place> spins_;
  std::vector<std::uint32_t> numbers_;
};

std::vector<std::uint32_t> degrees(const Quadratic& f) {
  std::vector<std::uint32_t> degree(f.size(), 0);
  for (const Coupling& c : f.couplings) ++degree[c.i], ++degree[c.j];
  return degree;
}

}  // namespace

// The graph during removal: each coupling is stored once and listed at both its spins. Removed ones
// are skipped when a list is next read.
class Eliminator {
 public:
  explicit Eliminator(const Quadratic& f)
      : f_(with_room(f)),
        gone_(f.size(), 0),
        degree_(degrees(f)),
        lists_(f, degree_),
        queued_(kMostNeighbours + 2) {
    // The last spins first: with a stack the first come first.
    for (auto i = static_cast<std::uint32_t>(f_.size()); i-- > 0;) queue(i);
  }

  Reduction run(const Problem& problem) {
    for (std::size_t left = f_.size(); left > 1; --left) {
      const std::optional<std::uint32_t> spin = next();
      if (!spin) break;
      take_out(*spin);
    }
    return finish(problem);
  }

 private:
  // A copy that need not move when some couplings are added.
  static Quadratic with_room(const Quadratic& f) {
    Quadratic copy;
    copy.fields = f.fields;
    copy.offset = f.offset;
    copy.couplings.reserve(f.couplings.size() + f.couplings.size() / 16);
    copy.couplings = f.couplings;
    return copy;
  }
  std::uint32_t rank(std::uint32_t i) const { return std::min(degree_[i], kMostNeighbours + 1); }
  void queue(std::uint32_t i) { queued_[rank(i)].push_back(i); }
  bool removable(std::uint32_t i) {
    if (few_neighbours(degree_[i], f_.fields[i])) return true;
    if (looks_ > kMostLooks) return false;
    Pull pull;
    pull.add(f_.fields[i]);
    looks_ += lists_.of(i).size();
    for (std::uint32_t k : lists_.of(i)) {
      if (alive(i, k)) pull.add(f_.couplings[k].value);
    }
    return pull.one_decides();
  }
  // Spins with fewest neighbours first: they leave the fewest new couplings behind.
  std::optional<std::uint32_t> next() {
    for (std::uint32_t rank_now = 0; rank_now < queued_.size(); ++rank_now) {
      while (!queued_[rank_now].empty()) {
        const std::uint32_t i = queued_[rank_now].back();
        queued_[rank_now].pop_back();
        if (gone_[i] == 0 && rank(i) == rank_now && removable(i)) return i;
      }
    }
    return std::nullopt;
  }

  bool alive(std::uint32_t i, std::uint32_t k) const {
    const Coupling& c = f_.couplings[k];
    return c.value != 0.0 && gone_[other(c, i)] == 0;
  }
  std::span<const std::uint32_t> list_of(std::uint32_t i) {
    if (lists_.of(i).size() > 2 * std::size_t{degree_[i]}) {
      lists_.erase_if(i, [&](std::uint32_t k) { return !alive(i, k); });
    }
    return lists_.of(i);
  }

  void add(std::uint32_t a, std::uint32_t b, double value) {
    if (value == 0.0) return;
    if (degree_[a] > degree_[b]) std::swap(a, b);
    for (std::uint32_t k : list_of(a)) {
      if (!alive(a, k) || other(f_.couplings[k], a) != b) continue;
      f_.couplings[k].value += value;
      if (f_.couplings[k].value == 0.0) --degree_[a], --degree_[b];
      return;
    }
    const auto k = static_cast<std::uint32_t>(f_.couplings.size());
    f_.couplings.push_back({std::min(a, b), std::max(a, b), value});
    lists_.push(a, k);
    lists_.push(b, k);
    ++degree_[a], ++degree_[b];
  }

  void take_out(std::uint32_t spin) {
    Reduction::Step step{spin, f_.fields[spin], {}};
    for (std::uint32_t k : lists_.of(spin)) {
      if (alive(spin, k))
        step.terms.push_back({other(f_.couplings[k], spin), f_.couplings[k].value});
    }
    gone_[spin] = 1;
    lists_.clear(spin);
    for (const Neighbour& n : step.terms) --degree_[n.spin];
    if (!few_neighbours(static_cast<std::uint32_t>(step.terms.size()), step.field)) {
      follow(step);
    } else {
      average(step);
    }
    for (const Neighbour& n : step.terms) queue(n.spin);
    reduction_.steps_.push_back(std::move(step));
  }

  // The spin adds -|h + sum J x| at best. Over the signs of its neighbours that is a sum of
  // products; those of odd order vanish with the field, so three neighbours leave pairs only.
  void average(const Reduction::Step& step) {
    const std::size_t degree = step.terms.size();
    const std::uint32_t states = 1U << degree;
    std::array<double, 1U << kMostNeighbours> size{};
    for (std::uint32_t s = 0; s < states; ++s) {
      double field = step.field;
      for (std::size_t n = 0; n < degree; ++n) {
        field += (s >> n & 1U) != 0 ? -step.terms[n].value : step.terms[n].value;
      }
      size[s] = std::abs(field);
    }
    const auto mean_with = [&](std::uint32_t signs) {
      double sum = 0.0;
      for (std::uint32_t s = 0; s < states; ++s) {
        sum += std::popcount(s & signs) % 2 != 0 ? -size[s] : size[s];
      }
      return sum / states;
    };
    f_.offset -= mean_with(0);
    for (std::size_t a = 0; a < degree; ++a) {
      if (step.field != 0.0) f_.fields[step.terms[a].spin] += mean_with(1U << a);
      for (std::size_t b = a + 1; b < degree; ++b) {
        add(step.terms[a].spin, step.terms[b].spin, mean_with(1U << a | 1U << b));
      }
    }
  }

  // One term decides the spin: it follows its field, or that neighbour.
  void follow(const Reduction::Step& step) {
    const auto larger = [](const Neighbour& a, const Neighbour& b) {
      return std::abs(a.value) < std::abs(b.value);
    };
    const Neighbour most = *std::max_element(step.terms.begin(), step.terms.end(), larger);
    if (std::abs(step.field) >= std::abs(most.value)) {
      f_.offset -= std::abs(step.field);
      const double sign = step.field < 0.0 ? -1.0 : 1.0;
      for (const Neighbour& n : step.terms) f_.fields[n.spin] += sign * n.value;
      return;
    }
    f_.offset -= std::abs(most.value);
    const double sign = most.value < 0.0 ? -1.0 : 1.0;
    f_.fields[most.spin] += sign * step.field;
    for (const Neighbour& n : step.terms) {
      if (n.spin != most.spin) add(most.spin, n.spin, sign * n.value);
    }
  }

  Reduction finish(const Problem& problem) {
    Reduction& r = reduction_;
    r.spins_ = f_.size();
    std::vector<std::uint32_t> number(f_.size());
    for (std::uint32_t i = 0; i < f_.size(); ++i) {
      if (gone_[i] != 0) continue;
      number[i] = static_cast<std::uint32_t>(r.kept_.size());
      r.kept_.push_back(i);
    }
    lists_ = Lists({}, {});
    Quadratic left(r.kept_.size());
    left.offset = f_.offset;
    for (std::size_t k = 0; k < r.kept_.size(); ++k) left.fields[k] = f_.fields[r.kept_[k]];
    left.couplings = std::move(f_.couplings);
    std::erase_if(left.couplings, [&](const Coupling& c) {
      return c.value == 0.0 || gone_[c.i] != 0 || gone_[c.j] != 0;
    });
    for (Coupling& c : left.couplings) c = {number[c.i], number[c.j], c.value};
    left.normalise();
    r.problem_.name = problem.name;
    r.problem_.objective = std::move(left);
    r.problem_.user = problem.user;
    r.problem_.known_optimum = problem.known_optimum;
    const Quadratic& f = r.problem_.objective;
    if (f.size() == 1) r.problem_.known_optimum = f.offset - std::abs(f.fields[0]);
    return std::move(r);
  }

  Quadratic f_;
  std::vector<std::uint8_t> gone_;
  std::vector<std::uint32_t> degree_;
  Lists lists_;
  std::vector<std::vector<std::uint32_t>> queued_;  // spins by degree, maybe out of date
  std::size_t looks_ = 0;
  Reduction reduction_;
};

std::optional<Reduction> Reduction::of(const Problem& problem) {
  if (problem.constraint || !any_removable(problem.objective)) return std::nullopt;
  return Eliminator(problem.objective).run(problem);
}

Reduction Reduction::none(const Problem& problem) {
  Reduction r;
  r.spins_ = problem.size();
  r.kept_.resize(problem.size());
  std::iota(r.kept_.begin(), r.kept_.end(), std::uint32_t{0});
  r.problem_.name = problem.name;
  r.problem_.objective = problem.objective;
  r.problem_.user = problem.user;
  r.problem_.known_optimum = problem.known_optimum;
  return r;
}

Quadratic with_held(const Quadratic& q, std::span<const Spin> values) {
  std::vector<std::uint32_t> number(q.size());
  Quadratic left;
  left.offset = q.offset;
  for (std::uint32_t i = 0; i < q.size(); ++i) {
    number[i] = static_cast<std::uint32_t>(left.fields.size());
    if (values[i] != 0) {
      left.offset -= q.fields[i] * values[i];
    } else {
      left.fields.push_back(q.fields[i]);
    }
  }
  for (const auto& [i, j, value] : q.couplings) {
    if (values[i] != 0 && values[j] != 0) {
      left.offset -= value * values[i] * values[j];
    } else if (values[i] != 0) {
      left.fields[number[j]] += value * values[i];
    } else if (values[j] != 0) {
      left.fields[number[i]] += value * values[j];
    } else {
      left.couplings.push_back({number[i], number[j], value});
    }
  }
  return left;
}

void Reduction::settle(std::span<const Spin> values) {
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) {
      kept.push_back(kept_[i]);
    } else {
      // As its own field would set it.
      steps_.push_back({kept_[i], static_cast<double>(values[i]), {}});
    }
  }
  kept_ = std::move(kept);
  problem_.objective = with_held(problem_.objective, values);
}

std::vector<Spin> Reduction::lift(std::span<const Spin> kept) const {
  std::vector<Spin> full(spins_, 1);
  for (std::size_t k = 0; k < kept_.size(); ++k) full[kept_[k]] = kept[k];
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    double field = step->field;
    for (const Neighbour& n : step->terms) field += n.value * full[n.spin];
    full[step->spin] = field < 0.0 ? Spin{-1} : Spin{1};
  }
  return full;
}

std::vector<Spin> Reduction::restrict(std::span<const Spin> full) const {
  std::vector<Spin> spins;
  spins.reserve(kept_.size());
  for (std::uint32_t i : kept_) spins.push_back(full[i]);
  return spins;
}

}  // namespace chainmail

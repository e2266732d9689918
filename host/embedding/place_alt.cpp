// Placement "alt": copies alternate between two colours along every chain (even spins 0,1,0,…, odd
// ones 1,0,1,…) and couplings join opposite colours only, so the physical graph is bipartite by
// construction and a sweep has two steps.
//
// What is left to choose is, for every logical coupling, which end lands on a colour-0 copy. Seen
// as an arrow from the colour-0 end to the colour-1 end, even fan-in is an orientation of the
// logical graph with bounded out-degrees: start greedily, then reverse paths that lead from spins
// with too many outgoing arrows to spins with room (Hakimi's argument: if no path is left, the
// bounds cannot be met, and the cap is raised by one).
#include "embedding/placements.hpp"

#include <algorithm>
#include <optional>

namespace chainmail {

namespace {

struct Arrow {
  std::uint32_t tail, head;
};

struct Bounds {
  std::int64_t low, high;  // of a spin's out-degree
};

class Orientation {
 public:
  Orientation(std::span<const Coupling> graph, std::vector<Bounds> bounds)
      : bounds_(std::move(bounds)), out_(bounds_.size(), 0), arrows_at_(bounds_.size()) {
    arrows_.reserve(graph.size());
    for (const Coupling& c : graph) {
      const bool forward = room(c.i) >= room(c.j);
      arrows_.push_back(forward ? Arrow{c.i, c.j} : Arrow{c.j, c.i});
      ++out_[arrows_.back().tail];
      arrows_at_[c.i].push_back(static_cast<std::uint32_t>(arrows_.size() - 1));
      arrows_at_[c.j].push_back(static_cast<std::uint32_t>(arrows_.size() - 1));
    }
  }

  bool meet_bounds() {
    for (std::uint32_t spin = 0; spin < out_.size(); ++spin) {
      while (out_[spin] > bounds_[spin].high) {
        if (!turn_path(spin, true)) return false;
      }
      while (out_[spin] < bounds_[spin].low) {
        if (!turn_path(spin, false)) return false;
      }
    }
    return true;
  }

  const std::vector<Arrow>& arrows() const { return arrows_; }

 private:
  std::int64_t room(std::uint32_t spin) const { return bounds_[spin].high - out_[spin]; }

  // Moves one unit of out-degree from `start` to a spin that can take it (or vice versa), by
  // reversing every arrow of a shortest path.
  bool turn_path(std::uint32_t start, bool give_away) {
    constexpr std::uint32_t kUnseen = UINT32_MAX;
    std::vector<std::uint32_t> came_by(out_.size(), kUnseen);
    std::vector<std::uint32_t> queue{start};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint32_t spin = queue[next];
      const bool can_end =
          give_away ? out_[spin] < bounds_[spin].high : out_[spin] > bounds_[spin].low;
      if (spin != start && can_end) {
        turn_back(start, spin, came_by, give_away);
        return true;
      }
      for (std::uint32_t index : arrows_at_[spin]) {
        const Arrow& arrow = arrows_[index];
        const bool usable = give_away ? arrow.tail == spin : arrow.head == spin;
        const std::uint32_t other = give_away ? arrow.head : arrow.tail;
        if (!usable || other == start || came_by[other] != kUnseen) continue;
        came_by[other] = index;
        queue.push_back(other);
      }
    }
    return false;
  }

  void turn_back(std::uint32_t start, std::uint32_t end, const std::vector<std::uint32_t>& came_by,
                 bool give_away) {
    for (std::uint32_t spin = end; spin != start;) {
      Arrow& arrow = arrows_[came_by[spin]];
      const std::uint32_t previous = give_away ? arrow.tail : arrow.head;
      std::swap(arrow.tail, arrow.head);
      spin = previous;
    }
    out_[start] += give_away ? -1 : 1;
    out_[end] += give_away ? 1 : -1;
  }

  std::vector<Bounds> bounds_;
  std::vector<std::int64_t> out_;
  std::vector<Arrow> arrows_;
  std::vector<std::vector<std::uint32_t>> arrows_at_;
};

std::vector<Bounds> bounds_for(const std::vector<std::int64_t>& degree, std::int64_t copies,
                               std::int64_t slack) {
  std::vector<Bounds> bounds(degree.size());
  for (std::size_t spin = 0; spin < degree.size(); ++spin) {
    const std::int64_t cap = (degree[spin] + copies - 1) / copies + slack;
    const std::int64_t zeros = copies_of_colour(spin, copies, 0);
    const std::int64_t ones = copies - zeros;
    bounds[spin] = {std::max<std::int64_t>(0, degree[spin] - cap * ones),
                    std::min(degree[spin], cap * zeros)};
  }
  return bounds;
}

// Distributes the ends of one spin and colour over its copies in equal runs: neighbours stay
// consecutive.
class CopyDealer {
 public:
  CopyDealer(std::size_t spins, std::size_t copies)
      : copies_(copies), total_(2 * spins, 0), dealt_(2 * spins, 0) {}
  void count(std::uint32_t spin, std::uint32_t colour) { ++total_[2 * spin + colour]; }
  std::uint8_t deal(std::uint32_t spin, std::uint32_t colour) {
    const std::size_t slot = 2 * spin + colour;
    const auto available = static_cast<std::size_t>(
        copies_of_colour(spin, static_cast<std::int64_t>(copies_), colour));
    const std::size_t run = dealt_[slot]++ * available / total_[slot];
    const std::size_t first = alt_colour(spin, 0) == colour ? 0 : 1;
    return static_cast<std::uint8_t>(first + 2 * run);
  }

 private:
  std::size_t copies_;
  std::vector<std::size_t> total_, dealt_;
};

}  // namespace

std::vector<Meeting> place_alt(std::span<const Coupling> graph, std::size_t spins,
                               std::size_t copies) {
  std::vector<std::int64_t> degree(spins, 0);
  for (const Coupling& c : graph) {
    ++degree[c.i];
    ++degree[c.j];
  }
  std::optional<Orientation> orientation;
  for (std::int64_t slack = 0;; ++slack) {
    orientation.emplace(graph, bounds_for(degree, static_cast<std::int64_t>(copies), slack));
    if (orientation->meet_bounds()) break;
  }

  CopyDealer dealer(spins, copies);
  for (const Arrow& arrow : orientation->arrows()) {
    dealer.count(arrow.tail, 0);
    dealer.count(arrow.head, 1);
  }
  std::vector<Meeting> meetings;
  meetings.reserve(graph.size());
  for (std::size_t e = 0; e < graph.size(); ++e) {
    const Arrow arrow = orientation->arrows()[e];
    const std::uint8_t tail_copy = dealer.deal(arrow.tail, 0);
    const std::uint8_t head_copy = dealer.deal(arrow.head, 1);
    const bool forward = arrow.tail == graph[e].i;
    meetings.push_back(
        {graph[e].i, graph[e].j, forward ? tail_copy : head_copy, forward ? head_copy : tail_copy});
  }
  return meetings;
}

}  // namespace chainmail

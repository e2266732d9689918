#include "device/group/group_device.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "device/group/mirror_clock.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

namespace chainmail {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Burst {
  std::vector<Parameters> parameters;
  std::vector<std::size_t> descend;  // replicas of the tile
  std::uint64_t sweeps = 0, number = 0;
};
struct Written {
  std::size_t replica = 0;
  std::vector<Spin> spins;
};

struct Weighed {
  std::vector<double> weights;
};

struct Tile {
  std::size_t grid = 0, first = 0, replicas = 0;  // every cut_-th of the grid's, from `first` on
  std::vector<std::vector<Spin>> kept;            // by replica; empty: all up, as loaded
  std::vector<double> weights = {};               // then; empty: the model's
  std::vector<std::variant<Burst, Written, Weighed>> since;
  bool in_flight = false;
  MirrorClock mirror = {};
};

struct Member {
  std::unique_ptr<Device> device;
  std::size_t first = 0, tiles = 0;  // tiles first ... first + tiles - 1
  bool alive = true;
  std::size_t in_flight = 0;
  Clock::time_point busy_since = {};
  MemberUse use = {};
};

// One member failed; the message is its own.
struct Lost {
  Member* member;
  std::string what;
};

class GroupDevice final : public Device {
 public:
  GroupDevice(std::vector<std::unique_ptr<Device>> members, const GroupOptions& options)
      : options_(options) {
    for (auto& device : members) {
      Member& member = members_.emplace_back();
      member.use.name = device->describe();
      member.device = std::move(device);
    }
    check_alike();
  }

  // members() says how many there are.
  std::string describe() const override { return with_tiles(members_.front().device->describe()); }
  // Members are not part of it: a run may continue with others.
  std::string sampler() const override {
    std::string text = members_.front().device->sampler();
    for (const Member& member : members_) {
      if (member.device->sampler() != text) return mixed_sampler();
    }
    return with_tiles(text);
  }
  const Topology* topology() const override {
    for (const Member& member : members_) {
      if (const Topology* topology = member.device->topology()) return topology;
    }
    return nullptr;
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> all = losses_;
    const Member* first = first_alive();
    if (first == nullptr) return all;
    const std::vector<std::string> own = first->device->notes();
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }
  std::vector<MemberUse> members() const override {
    std::vector<MemberUse> all;
    for (const Member& member : members_) {
      all.push_back(member.use);
      all.back().lost = !member.alive;
    }
    return all;
  }

  void load(const PhysicalModel& model, const LoadOptions& options) override;
  Parameters quantise(const Parameters& wanted) const override;
  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override;
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override;
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t burst_number) override;
  const BurstResult& wait(std::size_t grid) override;
  void descend_after(std::size_t grid, std::span<const std::size_t> replicas) override;
  void reweigh(std::size_t grid, std::span<const double> weights) override;

 private:
  void check_alike() const;
  std::string mixed_sampler() const;
  std::string with_tiles(const std::string& text) const {
    return options_.tiles == 1 ? text : text + ", " + std::to_string(options_.tiles) + " tiles";
  }
  const Member* first_alive() const {
    const auto found =
        std::find_if(members_.begin(), members_.end(), [](const Member& m) { return m.alive; });
    return found == members_.end() ? nullptr : &*found;
  }
  std::size_t alive() const {
    return static_cast<std::size_t>(
        std::count_if(members_.begin(), members_.end(), [](const Member& m) { return m.alive; }));
  }
  Member& member_of(std::size_t tile) {
    return *std::find_if(members_.begin(), members_.end(), [&](const Member& m) {
      return m.alive && tile >= m.first && tile < m.first + m.tiles;
    });
  }
  std::size_t tile_of(std::size_t grid, std::size_t replica) const {
    if (grid >= loaded_.grids || replica >= loaded_.replicas) {
      throw DeviceError("no replica " + std::to_string(replica) + " in grid " +
                        std::to_string(grid));
    }
    return grid * cut_ + replica % cut_;
  }
  std::size_t within_tile(std::size_t replica) const { return replica / cut_; }

  // Calls run(member's device, its number of the tile); a member that fails there is replaced and
  // the call made again.
  template <class Run>
  auto on_member(std::size_t tile, const Run& run) {
    for (;;) {
      try {
        return once(tile, run);
      } catch (const Lost& lost) {
        replace(lost);
      }
    }
  }
  template <class Run>
  auto once(std::size_t tile, const Run& run) {
    Member& member = member_of(tile);
    try {
      return run(*member.device, tile - member.first);
    } catch (const DeviceError& error) {
      throw Lost{&member, error.what()};
    }
  }

  void deal();
  void lose(const Lost& lost);
  void bring_up();
  void replace(const Lost& lost) {
    lose(lost);
    bring_up();
  }
  void restore_all();
  void restore(std::size_t tile);
  void start(std::size_t tile, const Burst& burst);
  BurstResult finish(std::size_t tile);
  void keep_states(std::size_t tile);
  std::vector<Descent> in_order(const std::vector<std::size_t>& replicas,
                                std::vector<std::vector<Descent>>& of_tiles) const;

  GroupOptions options_;
  std::vector<Member> members_;
  std::vector<std::string> losses_;
  PhysicalModel model_;  // to be loaded again
  LoadOptions loaded_;
  std::size_t cut_ = 1;                            // tiles of a grid
  bool own_noise_ = false;                         // of replicas, not of tiles
  std::size_t tile_replicas_ = 1;                  // of the largest; the others are filled up
  std::vector<Tile> tiles_;                        // those of grid 0 first
  std::vector<std::vector<std::size_t>> descend_;  // after a grid's next burst
  std::vector<BurstResult> results_;
};

void GroupDevice::check_alike() const {
  const Topology* wiring = topology();
  for (const Member& member : members_) {
    const Topology* own = member.device->topology();
    if (own != nullptr && own->name != wiring->name) {
      throw UsageError("--device: members have topologies " + wiring->name + " and " + own->name +
                       "; a run needs one");
    }
    if (options_.mixed || member.device->sampler() == members_.front().device->sampler()) continue;
    throw UsageError("--device: arithmetic differs (" + members_.front().device->sampler() + "; " +
                     member.device->sampler() +
                     "), so the result would depend on which member runs what; --mixed allows it");
  }
}

std::string GroupDevice::mixed_sampler() const {
  std::string text = "mixed";
  for (const Member& member : members_) text += ", " + member.device->sampler();
  return with_tiles(text);
}

// In order, as evenly as possible. The first always has one: it speaks for all.
void GroupDevice::deal() {
  const std::size_t alive = this->alive();
  if (alive == 0) return;
  std::size_t turn = 0;
  for (Member& member : members_) {
    member.in_flight = 0;
    if (!member.alive) continue;
    member.first = (tiles_.size() * turn + alive - 1) / alive;
    member.tiles = (tiles_.size() * (turn + 1) + alive - 1) / alive - member.first;
    ++turn;
  }
}

void GroupDevice::load(const PhysicalModel& model, const LoadOptions& options) {
  loaded_ = options;
  model_ = model;
  // Rows are in order, hot to cold: tiles take them in turn, so that each has as much to flip and
  // as many cold rows to descend from. If each replica has its own noise, splitting changes
  // nothing: every member gets a tile.
  own_noise_ = model.forms && topology() == nullptr;
  cut_ = std::min(own_noise_ ? alive() : options_.tiles, options.replicas);
  tile_replicas_ = (options.replicas + cut_ - 1) / cut_;
  tiles_.clear();
  for (std::size_t grid = 0; grid < options.grids; ++grid) {
    for (std::size_t first = 0; first < cut_; ++first) {
      Tile& tile = tiles_.emplace_back();
      tile.grid = grid;
      tile.first = first;
      tile.replicas = (options.replicas - first + cut_ - 1) / cut_;
    }
  }
  descend_.assign(options.grids, {});
  results_.assign(options.grids, {});
  bring_up();
}

Parameters GroupDevice::quantise(const Parameters& wanted) const {
  const Member* first = first_alive();
  if (first == nullptr) throw DeviceError("no member is left");
  if (!options_.mixed) return first->device->quantise(wanted);
  // What all members accept unchanged.
  Parameters pair = wanted;
  for (int pass = 0; pass < 4; ++pass) {
    const Parameters before = pair;
    for (const Member& member : members_) {
      if (member.alive && member.tiles > 0) pair = member.device->quantise(pair);
    }
    if (pair == before) return pair;
  }
  throw InputError("the members round beta and P in different ways: no common ladder");
}

void GroupDevice::write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) {
  const std::size_t tile = tile_of(grid, replica), local = within_tile(replica);
  on_member(tile,
            [&](Device& device, std::size_t number) { device.write_spins(number, local, spins); });
  tiles_[tile].since.emplace_back(Written{local, {spins.begin(), spins.end()}});
}

std::vector<Spin> GroupDevice::read_spins(std::size_t grid, std::size_t replica, Which which) {
  const std::size_t tile = tile_of(grid, replica), local = within_tile(replica);
  return on_member(tile, [&](Device& device, std::size_t number) {
    return device.read_spins(number, local, which);
  });
}

void GroupDevice::descend_after(std::size_t grid, std::span<const std::size_t> replicas) {
  for (const std::size_t replica : replicas) tile_of(grid, replica);  // or there is none
  descend_.at(grid).assign(replicas.begin(), replicas.end());
}

void GroupDevice::reweigh(std::size_t grid, std::span<const double> weights) {
  for (std::size_t tile = grid * cut_; tile < (grid + 1) * cut_; ++tile) {
    on_member(tile, [&](Device& device, std::size_t number) { device.reweigh(number, weights); });
    tiles_[tile].since.emplace_back(Weighed{{weights.begin(), weights.end()}});
  }
}

void GroupDevice::start(std::size_t tile, const Burst& burst) {
  Member& member = member_of(tile);
  if (member.in_flight++ == 0) member.busy_since = Clock::now();
  ++member.use.bursts;
  once(tile, [&](Device& device, std::size_t number) {
    if (!burst.descend.empty()) device.descend_after(number, burst.descend);
    device.submit(number, burst.parameters, burst.sweeps, burst.number);
  });
}

BurstResult GroupDevice::finish(std::size_t tile) {
  const auto from = Clock::now();
  BurstResult result = once(tile, [&](Device& device, std::size_t number) {
    BurstResult found = device.wait(number);
    const auto odd = [](double f) { return std::isnan(f); };
    if (found.f.size() != tile_replicas_ || found.g.size() != tile_replicas_ ||
        found.best_f.size() != tile_replicas_ ||
        found.moments.size() != (loaded_.moments ? tile_replicas_ : 0) ||
        std::any_of(found.f.begin(), found.f.end(), odd)) {
      throw DeviceError("a burst of " + std::to_string(tile_replicas_) + " replicas answered " +
                        std::to_string(found.f.size()) + " energies, or no numbers");
    }
    return found;
  });
  Member& member = member_of(tile);
  member.use.waited_seconds += seconds_since(from);
  if (--member.in_flight == 0) member.use.busy_seconds += seconds_since(member.busy_since);
  return result;
}

// Before a burst begins, so that the burst's own best states can be recovered too.
void GroupDevice::keep_states(std::size_t tile) {
  Tile& t = tiles_[tile];
  if (members_.size() == 1) {
    t.since.clear();  // nobody could continue from them
    return;
  }
  const auto from = Clock::now();
  std::vector<std::vector<Spin>> states;
  for (std::size_t replica = 0; replica < t.replicas; ++replica) {
    states.push_back(read_spins(t.grid, t.first + replica * cut_, Which::current));
  }
  t.kept = std::move(states);
  for (auto& event : t.since) {
    if (auto* weighed = std::get_if<Weighed>(&event)) t.weights = std::move(weighed->weights);
  }
  t.since.clear();
  t.mirror.done(from);
}

void GroupDevice::submit(std::size_t grid, std::span<const Parameters> parameters,
                         std::uint64_t sweeps, std::uint64_t burst_number) {
  if (parameters.size() != loaded_.replicas) {
    throw DeviceError(std::to_string(parameters.size()) + " parameter pairs for " +
                      std::to_string(loaded_.replicas) + " replicas");
  }
  for (std::size_t tile = grid * cut_; tile < (grid + 1) * cut_; ++tile) {
    Tile& t = tiles_[tile];
    if (t.in_flight) throw DeviceError("grid " + std::to_string(grid) + " is in flight already");
    if (t.mirror.due(t.since.size())) keep_states(tile);
  }
  // The last members first: a device of this process, the first, may run its burst at once.
  for (std::size_t tile = (grid + 1) * cut_; tile-- > grid * cut_;) {
    Tile& t = tiles_[tile];
    Burst burst{{}, {}, sweeps, burst_number};
    for (std::size_t r = t.first; r < parameters.size(); r += cut_) {
      burst.parameters.push_back(parameters[r]);
    }
    burst.parameters.resize(tile_replicas_, burst.parameters.back());
    for (const std::size_t r : descend_[grid]) {
      if (tile_of(grid, r) == tile) burst.descend.push_back(within_tile(r));
    }
    try {
      start(tile, burst);
      t.since.emplace_back(std::move(burst));
      t.in_flight = true;
    } catch (const Lost& lost) {
      t.since.emplace_back(std::move(burst));
      t.in_flight = true;
      replace(lost);  // starts it as well
    }
  }
}

const BurstResult& GroupDevice::wait(std::size_t grid) {
  BurstResult& all = results_.at(grid);
  all.f.resize(loaded_.replicas);
  all.g.resize(loaded_.replicas);
  all.best_f.resize(loaded_.replicas);
  all.moments.resize(loaded_.moments ? loaded_.replicas : 0);
  all.skipped = 0;
  std::vector<std::vector<Descent>> descents(cut_);
  for (std::size_t tile = grid * cut_; tile < (grid + 1) * cut_; ++tile) {
    Tile& t = tiles_[tile];
    if (!t.in_flight) throw DeviceError("grid " + std::to_string(grid) + " has no burst to end");
    std::optional<BurstResult> result;
    while (!result) {
      try {
        result = finish(tile);
      } catch (const Lost& lost) {
        replace(lost);
      }
    }
    t.in_flight = false;
    const auto place = [&](const std::vector<double>& from, std::vector<double>& to) {
      for (std::size_t k = 0; k < t.replicas; ++k) to[t.first + k * cut_] = from[k];
    };
    place(result->f, all.f);
    place(result->g, all.g);
    place(result->best_f, all.best_f);
    all.skipped += result->skipped;
    for (std::size_t k = 0; k < t.replicas && loaded_.moments; ++k) {
      all.moments[t.first + k * cut_] = result->moments[k];
    }
    descents[t.first] = std::move(result->descents);
  }
  all.descents = in_order(std::exchange(descend_[grid], {}), descents);
  return all;
}

// Of all tiles, as requested; none if a member cannot.
std::vector<Descent> GroupDevice::in_order(const std::vector<std::size_t>& replicas,
                                           std::vector<std::vector<Descent>>& of_tiles) const {
  std::vector<Descent> all;
  std::vector<std::size_t> taken(cut_, 0);
  for (const std::size_t replica : replicas) {
    std::vector<Descent>& own = of_tiles[replica % cut_];
    if (own.empty()) return {};
    all.push_back(std::move(own.at(taken[replica % cut_]++)));
  }
  return all;
}

void GroupDevice::lose(const Lost& lost) {
  lost.member->alive = false;
  if (first_alive() == nullptr) {
    throw DeviceError((members_.size() == 1 ? "" : "no member is left; the last: ") + lost.what);
  }
  losses_.push_back(lost.member->use.name + " was lost: " + lost.what);
}

void GroupDevice::bring_up() {
  for (;;) {
    try {
      restore_all();
      return;
    } catch (const Lost& lost) {
      lose(lost);
    }
  }
}

// Deals all tiles among the remaining members and restores each to where it was.
void GroupDevice::restore_all() {
  deal();
  for (Member& member : members_) {
    if (!member.alive || member.tiles == 0) continue;
    LoadOptions own = loaded_;
    own.grids = member.tiles;
    own.replicas = tile_replicas_;
    own.one_driver = true;
    if (own_noise_) {
      own.first = member.first;
      own.stride = cut_;
    } else {
      own.seed = loaded_.seed * cut_ + member.first;
    }
    try {
      member.device->load(model_, own);
    } catch (const DeviceError& error) {
      throw Lost{&member, error.what()};
    }
  }
  for (std::size_t tile = 0; tile < tiles_.size(); ++tile) restore(tile);
}

void GroupDevice::restore(std::size_t tile) {
  const Tile& t = tiles_[tile];
  const auto write = [&](std::size_t replica, const std::vector<Spin>& spins) {
    once(tile,
         [&](Device& device, std::size_t number) { device.write_spins(number, replica, spins); });
  };
  const auto weigh = [&](const std::vector<double>& weights) {
    once(tile, [&](Device& device, std::size_t number) { device.reweigh(number, weights); });
  };
  for (std::size_t replica = 0; replica < t.kept.size(); ++replica) write(replica, t.kept[replica]);
  if (!t.weights.empty()) weigh(t.weights);
  for (std::size_t k = 0; k < t.since.size(); ++k) {
    if (const auto* written = std::get_if<Written>(&t.since[k])) {
      write(written->replica, written->spins);
      continue;
    }
    if (const auto* weighed = std::get_if<Weighed>(&t.since[k])) {
      weigh(weighed->weights);
      continue;
    }
    start(tile, std::get<Burst>(t.since[k]));
    if (k + 1 < t.since.size() || !t.in_flight) finish(tile);
  }
}

}  // namespace

std::unique_ptr<Device> make_group_device(std::vector<std::unique_ptr<Device>> members,
                                          const GroupOptions& options) {
  return std::make_unique<GroupDevice>(std::move(members), options);
}

}  // namespace chainmail

// The moves of a jump search: which there are, how they compare, and how they are made.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "jump/jump_state.hpp"
#include "support/random.hpp"

namespace chainmail {

// A step of a variable; of a member of a group: that it becomes the group's state.
struct JumpMove {
  std::uint32_t variable = kNone;
  std::int64_t step = 0;
  double change = 0.0, cost = 0.0, key = std::numeric_limits<double>::infinity();
};

class JumpMoves {
 protected:
  JumpMoves(const FormModel& model, std::uint64_t seed);

  // The best move that lowers f, by what it breaks relative to what it gains.
  JumpMove reducing();
  // The best move that reduces a violation; if all are tabu, the oldest.
  JumpMove mending();
  // After mending() found none that lowers the weighted violation: makes two moves that together
  // do, one of those it looked at and one that repairs what the first breaks. False if none do.
  bool mend_by_pair();
  void apply(const JumpMove& m, std::uint64_t tenure);
  std::uint64_t tenure() { return model_.rows.empty() ? 2 : 3 + below(10, engine_); }
  bool aimed() const { return best_violated_ == 0; }  // a feasible state is to be improved

  std::shared_ptr<const JumpModel> shared_;  // by copies
  const JumpModel& model_;
  JumpState state_;
  Engine engine_;
  bool linear_ = false;  // f is
  double mean_cost_ = 1.0;
  bool priced_ = false;  // a violation counts price_ in f; else moves compare by ratio
  double price_ = 1.0;
  std::vector<std::uint32_t> free_;
  std::vector<signed char> barred_;  // by variable: 1 may not rise, -1 may not fall
  std::vector<std::uint64_t> until_, last_;
  std::uint64_t step_ = 0;
  std::size_t best_violated_ = std::numeric_limits<std::size_t>::max();
  std::vector<std::uint32_t> changed_;  // since the best, once or more

 private:
  static constexpr std::size_t kTried = 8;  // moves of which a pair may begin with one

  template <typename Offer>
  void offer_lower(std::uint32_t v, const Offer& offer);
  template <typename Each>
  void each_member(std::uint32_t g, const Each& each);
  std::int64_t reach(std::uint32_t v, std::int64_t sign) const;
  void offer_mend(std::uint32_t v, std::int64_t step, double change, double cost);
  void offer_off(std::uint32_t v);
  void offer_row(std::uint32_t row);
  void offer_repairs(std::uint32_t v, std::int64_t step);
  void better(const JumpMove& m);
  bool barred(std::uint32_t v, std::int64_t step) const { return barred_[v] * step > 0; }
  void note_changed(std::uint32_t v) {
    if (changed_.size() <= last_.size()) changed_.push_back(v);  // beyond that all is copied
  }

  std::vector<double> per_cost_;  // by bit: 1 / |cost|
  JumpMove best_move_, oldest_;
  std::array<JumpMove, kTried> tried_;  // a sample of the offered
  std::size_t offered_ = 0;
};

}  // namespace chainmail

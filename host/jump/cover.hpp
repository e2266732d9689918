// Iterated greedy (Jacobs, Brusco) with Lagrangian costs (Caprara, Fischetti, Toth), for models in
// which each variable has one value that never hurts a row: covers, and packings and knapsacks,
// where that value is zero. A variable joins, some of those it makes superfluous leave and stay
// out, what is missing is filled with the cheapest, what is superfluous leaves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jump/duals.hpp"
#include "jump/jump_model.hpp"
#include "support/random.hpp"

namespace chainmail {

class CoverSearch {
 public:
  static bool fits(const JumpModel& model);
  CoverSearch(const JumpModel& model, std::uint64_t seed);  // which fits

  // Searches near this state from now on, with these costs, if they are known.
  void set(std::span<const std::int64_t> feasible, const JumpDuals& duals);
  // From nothing.
  bool construct();
  // Changes one place; true if that lowered f.
  bool step();

  std::span<const std::int64_t> values() const { return x_; }
  double f() const { return f_; }
  std::uint64_t work() const { return work_; }  // terms visited so far

 private:
  struct Row {
    std::int64_t missing;  // to its limit; negative: more than enough
    double worth, unit;    // of a unit of it: in f, and beside other rows
  };
  struct Candidate {
    double rest, mends;  // its cost less what it is worth, and what it mends, now
    bool out;            // only if nothing else is left
  };

  void begin();
  void choose_core();
  void put(std::uint32_t v, bool in);
  void flip(std::uint32_t v);
  void offer(std::uint32_t row);
  void fill();
  void drop_superfluous();
  bool finish();
  bool superfluous(std::uint32_t v) const;

  const JumpModel& model_;
  Engine engine_;
  std::vector<std::int64_t> side_;  // by variable: the value that never hurts
  std::vector<double> cost_;        // of that value
  std::vector<Row> rows_;
  std::vector<char> in_;  // by variable: it has that value
  std::vector<std::int64_t> x_;
  double f_ = 0.0, now_ = 0.0, tolerated_ = 0.0;

  // Variables worth adding, and all that are in.
  std::vector<std::uint32_t> core_;
  Lists<FormTerm> core_rows_;    // by row, sizes of coefficients
  std::vector<double> reduced_;  // by variable

  std::vector<std::uint32_t> trail_, moved_;  // in this step, and since the best
  std::vector<std::uint32_t> touched_;        // rows
  std::vector<std::uint32_t> offered_;
  std::vector<std::uint64_t> row_seen_, seen_, looked_, left_;  // the step that did
  std::vector<Candidate> candidates_;                           // by variable
  std::uint64_t step_ = 0, work_ = 0;
};

}  // namespace chainmail

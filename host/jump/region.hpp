// Large neighbourhoods of a feasible state: variables around one place are freed, all others stay,
// and an enumeration with propagation sets the freed ones as well as it can in a given time. It
// makes steps that no single move can: a column for two others, a site for another with all its
// customers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "jump/duals.hpp"
#include "jump/jump_model.hpp"
#include "support/random.hpp"

namespace chainmail {

class RegionSearch {
 public:
  RegionSearch(const JumpModel& model, std::uint64_t seed);  // f must be linear

  void set(std::span<const std::int64_t> feasible);
  // Reduced costs say which variables are worth freeing, and prune.
  void price(const JumpDuals& duals);

  // Frees one region; true if that lowered f.
  bool step();

  // Frees everything that could have another value in a better state, by reduced costs. True if
  // that was searched whole, which needs whole costs; else what was found in so much work is kept.
  bool core(std::uint64_t work, const std::function<bool()>& going);
  // How many variables that would free.
  std::size_t core_size() const;

  std::span<const std::int64_t> values() const { return x_; }
  double f() const { return f_; }
  std::uint64_t work() const { return work_; }  // terms visited so far

 private:
  struct Column {
    std::uint32_t row;
    std::int64_t coefficient;
  };
  struct Cell {
    std::int64_t lower, upper, value;
    double cost, extra;  // in f, and beyond the Lagrangian's bound, a unit
  };
  struct Row {
    std::int64_t lower, upper, least, most, sum, widest;
    std::uint32_t open;  // cells that are not fixed
    bool queued;
  };
  struct Kept {
    std::uint32_t cell;
    std::int64_t lower, upper, value;
  };
  struct Frame {
    std::size_t trail;
    std::uint32_t cell;
    std::int64_t lower, upper;  // the other branch
  };

  // Rows of the model, then groups, then clashes.
  template <typename Each>
  void each_row(std::uint32_t v, const Each& each) const;
  std::size_t length(std::uint32_t row) const;
  FormTerm term(std::uint32_t row, std::size_t k) const;
  std::int64_t lower(std::uint32_t row) const;
  std::int64_t upper(std::uint32_t row) const;
  std::int64_t sum(std::uint32_t row) const;
  double dear(std::uint32_t v) const;  // to move it
  double extra_at(std::uint32_t v, std::int64_t value) const;
  std::int64_t preferred(std::uint32_t v) const;

  void choose();
  void start();
  bool add(std::uint32_t v);
  void add_blockers();
  void add_blockers(std::uint32_t v, std::int64_t step, std::uint32_t row, std::int64_t c);
  void add_fillers();
  std::int64_t free_least(std::uint32_t row) const;
  void build();
  void list_terms();
  double extra_of(const Cell& c, std::int64_t all) const;
  void change(std::uint32_t cell, std::int64_t lower, std::int64_t upper, std::int64_t value);
  double core_gap() const { return f_ - least_gain() - bound_; }
  bool in_core(std::uint32_t v, double gap) const;
  void open();
  bool enumerate(std::uint64_t work, const std::function<bool()>& going = {});
  void close();
  bool fix(std::uint32_t cell, std::int64_t lower, std::int64_t upper);
  bool propagate();
  bool tighten(std::uint32_t row);
  void undo(std::size_t trail);
  bool branch(bool& leaf);
  bool pruned() const { return cost_ > cutoff_ || extra_ > cutoff_; }
  void keep();
  double least_gain() const;

  const JumpModel& model_;
  Engine engine_;
  std::vector<std::int64_t> x_, sums_;
  double f_ = 0.0;
  double grain_ = 0.0;  // f is a multiple of it, where it is not 0
  std::vector<double> reduced_;
  double bound_, extra_total_ = 0.0;
  std::vector<double> costs_;  // within a group beyond the least of it

  double size_ = 0.0;     // of this region
  double wanted_ = 12.0;  // variables of a region, besides what fills it
  std::vector<std::uint32_t> region_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> moved_;  // with their steps
  std::vector<std::uint32_t> cell_of_;                         // by variable, or kNone
  std::vector<std::uint32_t> row_of_;  // by row: its place among the rows of the region, or kNone
  std::vector<std::uint32_t> rows_used_;
  std::vector<Cell> cells_;
  std::vector<Row> rows_;
  Lists<Column> columns_;  // by cell
  Lists<Column> terms_;    // by row: cells
  std::vector<std::uint32_t> queue_;
  std::vector<Kept> trail_;
  std::vector<Frame> frames_;
  double cost_ = 0.0, extra_ = 0.0, cutoff_ = 0.0;
  std::vector<std::int64_t> best_;
  double best_f_ = 0.0;
  std::uint64_t work_ = 0;
};

}  // namespace chainmail

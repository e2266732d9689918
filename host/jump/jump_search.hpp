// A weighted jump search for constrained models: what is violated gains weight until a move that
// repairs it pays, and once everything holds the objective must fall below the best found, whatever
// that breaks. It is the first phase of `solve`; it does not sample.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "problem/form_model.hpp"

namespace chainmail {

struct JumpOptions {
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> work;  // at most this many terms; none: by rule
  std::vector<Bit> start = {};        // empty: as near to zero as groups allow
  std::optional<double> target = {};  // ends at a feasible f this low
};

struct JumpPoint {
  std::vector<Bit> bits;
  double f = std::numeric_limits<double>::infinity();
  std::size_t violated = std::numeric_limits<std::size_t>::max();  // rows and clashes
  bool feasible() const { return violated == 0; }
};

struct JumpFound {
  JumpPoint best;  // the lowest feasible f, or the fewest violated
  std::uint64_t work = 0, best_work = 0, steps = 0;
};

// Called every few milliseconds with the best so far; false ends the search.
using JumpGoing = std::function<bool(const JumpPoint& best, std::uint64_t work)>;

// Deterministic for the same model, options, calls and answers of `going`. The model must outlive
// it. Copies are independent.
class JumpSearch {
 public:
  JumpSearch(const FormModel& model, const JumpOptions& options);
  JumpSearch(const JumpSearch& other);
  JumpSearch& operator=(const JumpSearch&) = delete;
  ~JumpSearch();

  // Continues until the rule, the target or `going` ends it, or this much more work is done.
  void run(const JumpGoing& going);
  void run(std::uint64_t work, const JumpGoing& going);
  // A feasible state that another search found: continues from there if it is better.
  void take(std::span<const Bit> bits);
  // More work gains nothing: the target is reached, or f has products, for which the grid searches
  // better once anything is feasible.
  bool done() const;
  // Nothing better than the best exists: all that multipliers() leave open was enumerated, in
  // doubles.
  bool closed() const;
  const JumpFound& found() const;
  // What a unit of each row's limit is worth in f; empty while rows have no prices.
  const std::vector<double>& multipliers() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

JumpFound jump_search(const FormModel& model, const JumpOptions& options, const JumpGoing& going);

}  // namespace chainmail

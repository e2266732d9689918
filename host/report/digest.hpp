// A Result in a word: how the answer compares with the known optimum, and the mean and the weakest
// swap acceptance. Both the summary and the HTML report use this.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "solve/result.hpp"

namespace chainmail {

enum class Verdict { proved, optimum, above, below, unknown, infeasible, impossible };

// The optimum counts as reached where f is it exactly, or within Result::gap_tolerance.
Verdict verdict_of(const Result& result);
// "optimum reached", "above the known optimum by 0.7 %", ...: mentions feasible states only with
// constraints, chains only with copies.
std::string verdict_text(const Result& result);

// The answer and the optimum as the user counts them.
double in_users_terms(double energy, const Result& result);
// How far the answer is from the known optimum, as a share of its size; nothing where the optimum
// is zero or not known.
std::optional<double> gap_of(const Result& result);
// The same from the bound, as a share of the answer: no feasible state is better by more.
std::optional<double> gap_to_bound(const Result& result);

struct AcceptanceDigest {
  double mean = 0.0, min = 0.0;
  std::size_t min_row = 0, min_column = 0;  // the weakest pair
};
// Nothing when no pair was ever tried (one row, one column, no swap round).
std::optional<AcceptanceDigest> digest(const std::vector<std::vector<double>>& acceptance);
// The same without the pair of the answer's cell where that is colder than its row: it only accepts
// what is better than what it has, and stops swapping once nothing is.
std::optional<AcceptanceDigest> digest(std::vector<std::vector<double>> acceptance,
                                       const Ladder& ladder);

// Pairs that swap more rarely than this cut the ladder in two; the reports mark them.
inline constexpr double kWeakAcceptance = 0.05;
// Whether replicas moved at all: a run may end where it starts.
bool moved(const Result& result);
// Whether anything was swept: presolve, a bound or the search before the grid may end a run
// earlier.
bool swept(const Result& result);
// "2.1 s and 10 ms of tuning", or all of it where nothing was swept.
struct Spent {
  double seconds = 0.0, tuning = 0.0;
};
Spent spent_in(const Result& result);
// Why the run ended, as the reports say it.
std::string ending_of(const Result& result);
// A run that ended after a few rounds says nothing about its ladder.
bool enough_swaps(const Result& result);

}  // namespace chainmail

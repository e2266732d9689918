// Problems made to order: one file per kind, all from a seed, the same on every machine. The table
// of kinds is the one place that says what exists; the command line's help derives from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace chainmail {

// What a user may set. Absent means the kind's own default; one that the kind does not use is a
// usage error.
struct GenerateOptions {
  std::optional<std::size_t> n;  // spins; lattice side for ea3d
  std::uint64_t seed = 1;
  std::optional<double> alpha;  // columns per spin of a Wishart problem
  std::optional<std::size_t> degree;
  std::optional<double> density;      // probability of an edge
  std::optional<double> snr_db;       // signal to noise ratio at a receiver
  std::optional<std::string> graph;   // colouring: mycielski or queens
  std::optional<std::size_t> colors;  // colouring: how many
  bool integer = false;               // whole couplings, so that fixed point is exact
  bool gaussian = false;              // normal couplings instead of +1 and -1
};

struct Kind {
  std::string name;
  std::string help;               // one line
  std::vector<std::string> uses;  // long names of the options it takes besides `seed`
  Problem (*make)(const GenerateOptions& options);
};
std::span<const Kind> generator_kinds();

// Throws UsageError for an unknown kind or an option that does not fit it.
Problem generate(const std::string& kind, const GenerateOptions& options);

}  // namespace chainmail

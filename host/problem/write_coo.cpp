#include <fmt/format.h>

#include <iterator>
#include <span>

#include "problem/files.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::string signs(std::span<const Spin> state) {
  std::string text;
  for (const Spin s : state) text += s > 0 ? '+' : '-';
  return text;
}

}  // namespace

std::string to_coo(const Problem& problem) {
  validate(problem, "cannot write the problem");
  if (problem.constraint) {
    throw InputError("COO text cannot hold the problem's constraint; write JSON instead");
  }
  fmt::memory_buffer buffer;
  auto out = std::back_inserter(buffer);
  fmt::format_to(out, "# E = offset - sum J S S - sum h S; `i j J` a coupling, `i i h` a field\n");
  fmt::format_to(out, "#: chainmail-coo 1\n");
  if (!problem.name.empty()) fmt::format_to(out, "#: name {}\n", problem.name);
  fmt::format_to(out, "#: spins {}\n", problem.size());
  if (problem.objective.offset != 0.0) {
    fmt::format_to(out, "#: offset {}\n", problem.objective.offset);
  }
  if (problem.user != UserObjective{}) {
    fmt::format_to(out, "#: objective {} {} {}\n", problem.user.scale, problem.user.shift,
                   problem.user.name);
  }
  for (std::size_t i = 0; i < problem.names.size(); ++i) {
    fmt::format_to(out, "#: variable {} {}\n", i, problem.names[i]);
  }
  if (problem.known_optimum) fmt::format_to(out, "#: known-optimum {}\n", *problem.known_optimum);
  if (!problem.known_solution.empty()) {
    fmt::format_to(out, "#: known-solution {}\n", signs(problem.known_solution));
  }
  if (!problem.reference_solution.empty()) {
    fmt::format_to(out, "#: reference-solution {}\n", signs(problem.reference_solution));
  }
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (problem.objective.fields[i] != 0.0) {
      fmt::format_to(out, "{} {} {}\n", i, i, problem.objective.fields[i]);
    }
  }
  for (const Coupling& c : problem.objective.couplings) {
    fmt::format_to(out, "{} {} {}\n", c.i, c.j, c.value);
  }
  return fmt::to_string(buffer);
}

}  // namespace chainmail

// Written by hand rather than through a JSON tree: one coupling per line diffs and greps well, and
// a dense problem needs no second copy in memory. Numbers are the shortest that read back the same.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "problem/files.hpp"
#include "problem/validate.hpp"

namespace chainmail {

namespace {

using Buffer = fmt::memory_buffer;

template <typename... Values>
void put(Buffer& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
}

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump();
}

void put_quadratic(Buffer& out, const Quadratic& q, const char* indent) {
  put(out, "{}\"offset\": {}", indent, q.offset);
  if (std::any_of(q.fields.begin(), q.fields.end(), [](double h) { return h != 0.0; })) {
    put(out, ",\n{}\"fields\": [{}]", indent, fmt::join(q.fields, ", "));
  }
  put(out, ",\n{}\"couplings\": [", indent);
  const char* separator = "\n";
  for (const Coupling& c : q.couplings) {
    put(out, "{}{}  [{}, {}, {}]", separator, indent, c.i, c.j, c.value);
    separator = ",\n";
  }
  put(out, "]");
}

void put_state(Buffer& out, const char* name, std::span<const Spin> state) {
  if (!state.empty()) put(out, ",\n  \"{}\": [{}]", name, fmt::join(state, ", "));
}

}  // namespace

std::string to_json(const Problem& problem) {
  validate(problem, "cannot write the problem");
  Buffer out;
  put(out, "{{\n  \"format\": \"chainmail-problem\",\n  \"version\": 1,\n");
  if (!problem.name.empty()) put(out, "  \"name\": {},\n", json_string(problem.name));
  put(out, "  \"spins\": {},\n", problem.size());
  if (problem.user != UserObjective{}) {
    put(out, "  \"objective\": {{\"name\": {}, \"scale\": {}, \"shift\": {}}},\n",
        json_string(problem.user.name), problem.user.scale, problem.user.shift);
  }
  put_quadratic(out, problem.objective, "  ");
  if (problem.constraint) {
    put(out, ",\n  \"constraint\": {{\n");
    put_quadratic(out, *problem.constraint, "    ");
    put(out, "\n  }}");
  }
  if (!problem.names.empty()) {
    put(out, ",\n  \"names\": [");
    const char* separator = "";
    for (const std::string& name : problem.names) {
      put(out, "{}{}", separator, json_string(name));
      separator = ", ";
    }
    put(out, "]");
  }
  if (problem.known_optimum) put(out, ",\n  \"known_optimum\": {}", *problem.known_optimum);
  put_state(out, "known_solution", problem.known_solution);
  put_state(out, "reference_solution", problem.reference_solution);
  put(out, "\n}}\n");
  return fmt::to_string(out);
}

}  // namespace chainmail

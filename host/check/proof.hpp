// A proof in small steps, each of which can be verified on the model: a row and the bounds so far
// leave a variable no value beyond the next bound. It ends when a row or a variable has no value
// left (no solution exists), or no objective below the answer's is left (it is optimal); or every
// remaining state is visited. Names are the model's own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace chainmail::checker {

struct ProofRow {
  std::string name;
  std::string without;  // a variable that takes whatever value its bounds allow; empty: none
};

struct ProofStep {
  std::vector<ProofRow> rows;  // several: the same left side up to a factor, limits of all
  std::string variable;        // whose bound follows; empty: the row cannot hold
  bool upper = false;
  std::string value;
};

struct Proof {
  bool optimal = false;  // else: no solution exists
  std::vector<ProofStep> steps;
  bool enumerated = false;  // every state that the steps leave is visited
  // Of an optimal one:
  std::vector<ProofRow> substitutions;  // equations, added to the objective so that `without` goes
  std::vector<std::string> groups;      // rows of which at most, or exactly, one binary is one
  std::vector<std::pair<std::string, std::string>> solution;  // variable, value
};

std::string to_json(const Proof& proof);
Proof read_proof(std::string_view text, const std::string& path);

struct Model;
// Empty if every step holds on the model, else what does not; kTooMany if more than `most` states
// would have to be visited.
inline constexpr const char* kTooMany = "too many states to visit";
std::string refuted(const Model& model, const Proof& proof, double most = 0x1.0p20);

}  // namespace chainmail::checker

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

// What is added to the objective: `times` (side - left side), with the lower limit where `times`
// is above 0, else with the upper.
struct ProofMultiplier {
  std::vector<ProofRow> rows;       // as in a step; or
  std::vector<std::string> clique;  // binaries of which at most one is one, as rows say in pairs
  std::string times;                // e.g. -3/4
};

struct Proof {
  bool optimal = false;  // else: no solution exists
  std::vector<ProofStep> steps;
  // Every state that the steps leave is visited; of an optimal one only those that the multipliers
  // below leave open. These variables come first.
  bool enumerated = false;
  std::vector<std::string> order;
  // Of an optimal one, its bound (check/bound.hpp):
  std::vector<ProofRow> substitutions;  // equations, added to the objective so that `without` goes
  std::vector<std::vector<ProofRow>> groups;  // rows: at most, or exactly, one binary is one
  std::vector<std::vector<std::string>> cliques;
  std::vector<ProofMultiplier> multipliers;
  // By variable: a row that its products cannot break, for their least while it is one.
  std::vector<std::pair<std::string, ProofMultiplier>> products;
  std::vector<std::pair<std::string, std::string>> solution;  // variable, value
};

std::string to_json(const Proof& proof);
Proof read_proof(std::string_view text, const std::string& path);

struct Model;
// Empty if every step holds on the model, else what does not; kTooMany if visiting the states takes
// more than `most` nodes of a tree (check/tree.hpp).
inline constexpr const char* kTooMany = "too many states to visit";
std::string refuted(const Model& model, const Proof& proof, double most = 0x1.0p24);

}  // namespace chainmail::checker

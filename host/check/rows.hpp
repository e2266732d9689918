// A model as proofs speak of it: rows and variables by name, sets spelled out as rows, and what
// several rows say together.
#pragma once

#include <map>
#include <set>
#include <string>

#include "check/box.hpp"
#include "check/proof.hpp"

namespace chainmail::checker {

class NamedRows {
 public:
  explicit NamedRows(Model model);

  const Model& model() const { return model_; }
  Box box() const;  // as given, whole
  std::optional<std::size_t> variable(const std::string& name) const;
  const Row* row(const std::string& name) const;

  // Rows with the same left side up to a factor as one, in terms of the first; nothing where one is
  // soft, not linear, perhaps switched off, or unlike the others.
  std::optional<Linear> together(const std::vector<ProofRow>& rows, const Box& box) const;
  // Whether the rows have no solution in a box.
  bool impossible(const std::vector<ProofRow>& rows, const Box& box) const;
  // Pairs of binaries that a single row of at most three of them forbids to be both one.
  std::set<std::pair<std::size_t, std::size_t>> clashes(const Box& box) const;

 private:
  void spell_out_sets();
  bool put_away(const std::string& name, Linear& row, const Box& box) const;

  Model model_;
  std::map<std::string, std::size_t> variables_, rows_;
};

}  // namespace chainmail::checker

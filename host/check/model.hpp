// A second opinion on models: its own reader of each format, rational numbers, and nothing shared
// with the solver but the file. What the solver finds feasible, optimal or infeasible is checked
// here again before it is claimed.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace chainmail::checker {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

// A decimal such as -12.5e-3 at the start of `text`; `length` is its length, 0: none.
Rational decimal(std::string_view text, std::size_t& length);
// As a decimal if it is one, else as a fraction.
std::string text_of(const Rational& value);

using Terms = std::map<std::size_t, Rational>;                  // by variable
using Products = std::map<std::vector<std::size_t>, Rational>;  // by two or more, ascending

struct Variable {
  std::string name;
  std::optional<Rational> lower = Rational(0), upper = std::nullopt;  // none: no limit
  bool spin = false;                                                  // not 0
};

struct Row {
  std::string name;
  Terms terms;
  Products products;
  std::optional<Rational> lower, upper;
  std::optional<std::pair<std::size_t, bool>> when;  // counts only while the variable is this
  Rational price = 0;                                // 0: it must hold
};

struct Set {  // at most one is not zero
  std::string name;
  std::vector<std::size_t> members;
};

struct Model {
  bool maximise = false;
  std::string objective_name = "objective";
  Terms objective;
  Products products;
  Rational constant = 0;
  std::vector<Variable> variables;
  std::vector<Row> rows;
  std::vector<Set> sets;
};

// Formats: lp, mps, qplib, col, qkp, cnf, wcnf, opb, wbo, tsp, fzn, terms; `colors` of a graph that
// is to be coloured. Throws InputError for what it cannot parse.
Model read(const std::string& format, std::string_view text, const std::string& path,
           std::size_t colors = 0);

struct Broken {
  std::string name;
  Rational left;
  std::string relation;
  Rational right;
};

struct Judgement {
  Rational objective;  // including the prices of missed soft rows
  std::vector<Broken> broken;
};
Judgement judge(const Model& model, const std::vector<Integer>& values);

}  // namespace chainmail::checker

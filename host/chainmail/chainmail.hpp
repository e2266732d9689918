// SPDX-License-Identifier: Apache-2.0
// Chainmail as a library: constrained binary problems in, the best feasible answer out.
//
//   #include <chainmail/chainmail.hpp>
//   #include <cstdio>
//
//   int main() {
//     chainmail::Model model;                        // maximise 5 a + 4 b + 3 c + 2 a c
//     const auto a = model.add_binary("a");          //   subject to 2 a + 3 b + c <= 4
//     const auto b = model.add_binary("b");
//     const auto c = model.add_binary("c");
//     model.set_sense(chainmail::Model::maximise);
//     model.add_linear(a, 5), model.add_linear(b, 4), model.add_linear(c, 3);
//     model.add_quadratic(a, c, 2);
//     model.add_constraint("capacity", {{a, 2}, {b, 3}, {c, 1}}, -chainmail::kInfinity, 4);
//
//     const chainmail::Solution found = chainmail::solve(model);
//     if (!found.best.feasible) return 1;
//     std::printf("%g:", found.best.objective);      // 10: a c
//     for (std::size_t v = 0; v < model.size(); ++v)
//       if (found.best.values[v]) std::printf(" %s", model.name(v).c_str());
//     std::printf("\n");
//   }
//
//   g++ -std=c++20 example.cpp $(pkg-config --cflags --libs chainmail)
//
// Nothing needs to be tuned. The same options and seed give the same result on any number of
// threads. Every error is thrown as a Failure. Calls do not share state, so threads may solve at
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "chainmail/options.hpp"

namespace chainmail {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

const char* version();

// What a call throws. input: a model or file that cannot be read or is invalid, with file and line;
// usage: options that contradict each other; device: a board or emulator that failed.
struct Failure : std::runtime_error {
  enum Kind { input, usage, device };
  Failure(Kind what_failed, const std::string& message)
      : std::runtime_error(message), kind(what_failed) {}
  Kind kind;
};

// What is to be solved: variables, a polynomial as objective, linear constraints.
class Model {
 public:
  enum Sense { minimise, maximise };
  using Variable = std::size_t;
  struct Term {
    Variable variable;
    double coefficient;
  };

  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(Model);
  ~Model();

  // Any file the command line reads; `format` and `colors` as its options. Nothing can be added to
  // a model that was read.
  static Model read(const std::string& file, const std::string& format = "detect",
                    std::size_t colors = 0);
  // Splits the vertices of a graph into two parts, -1 and 1, so that the edges between them weigh
  // most.
  struct Edge {
    Variable first, second;
    double weight;
  };
  static Model max_cut(std::size_t vertices, const std::vector<Edge>& edges);

  // In a format that read() reads: CPLEX LP (.lp) with constraints or integers, else JSON or by the
  // extension.
  void write(const std::string& file) const;

  // Variables are numbered from 0 in the order they were added. A name may be left out. Spins are
  // -1 or 1; a model of spins has only spins and no constraints.
  void set_name(const std::string& name);  // titles the report
  Variable add_binary(const std::string& name = {});
  Variable add_integer(std::int64_t lower, std::int64_t upper, const std::string& name = {});
  Variable add_spin(const std::string& name = {});

  // The objective. Repeated terms add up; the square of a binary is the binary itself.
  void set_sense(Sense sense);
  void add_constant(double value);
  void add_linear(Variable variable, double coefficient);
  void add_quadratic(Variable first, Variable second, double coefficient);
  void add_product(const std::vector<Variable>& factors, double coefficient);  // of any number
  void clear_objective();
  // For many products: reserve room first, and afterwards build a form that solve() need not copy.
  void reserve(std::size_t products);
  void compact();

  struct Product {
    Variable first, second;
    double coefficient;
  };
  struct Rule {                          // what a constraint may have besides its sum
    std::vector<Product> products = {};  // only where the constraint forces each of them to zero
    double price = 0.0;                  // soft: may be missed, at this price per unit; 0: hard
    struct When {
      Variable variable;  // a binary
      bool value;
    };
    std::optional<When> when = {};  // counts only while the variable has this value
  };
  // lower <= sum of the terms <= upper, either of them possibly infinite.
  void add_constraint(const std::string& name, const std::vector<Term>& terms, double lower,
                      double upper);
  void add_constraint(const std::string& name, const std::vector<Term>& terms, double lower,
                      double upper, const Rule& rule);
  // At most one of these is not zero (SOS1).
  void add_set(const std::string& name, const std::vector<Variable>& variables);

  std::size_t size() const;
  std::string name(Variable variable) const;
  Sense sense() const;
  // Pairs of different variables that the objective couples, each once.
  std::vector<std::pair<Variable, Variable>> edges() const;
  bool spins() const;        // whether the variables are -1 and 1
  bool constrained() const;  // or of integers, or with products of three and more
  // The lowest or highest objective, where the file or its maker knew it.
  std::optional<double> known_optimum() const;

  struct Content;  // the library's own
  const Content& content() const { return *content_; }

 private:
  explicit Model(std::unique_ptr<Content> content);
  Content& changeable();
  std::unique_ptr<Content> content_;
};

// A constraint that does not hold.
struct Violated {
  std::string constraint;
  double left;
  std::string relation;  // "=", "<=" or ">="
  double right;
};

struct Answer {
  std::vector<std::int64_t> values;  // by variable
  double objective = 0.0;
  bool feasible = false;  // judged on the model itself, exactly where its numbers are whole
  std::vector<Violated> violations;
};

// Evaluates given values on a model.
Answer evaluate(const Model& model, std::span<const std::int64_t> values);

// How far a run is.
struct Status {
  double fraction = 0.0;  // an estimate
  std::uint64_t sweeps = 0;
  std::optional<double> best;  // objective of the best feasible answer so far
  double seconds = 0.0;
  double updates_per_ns = 0.0;
  bool tuning = false;  // a ladder is being found: only the fraction counts
};

class Solution {
 public:
  Answer best;
  std::vector<Answer> others;  // further ones, when Options::solutions asks for them
  std::vector<Answer> trials;  // the best of each trial, in their order
  // "proof" (solved exactly), "target", "known optimum", "first feasible state", "bound" (nothing
  // can be better), "sweeps", "time limit", "interrupt" or "device fault"
  std::string stopped_by;
  bool proved = false;          // nothing can be better, and that was proved
  std::optional<double> bound;  // no feasible objective is better
  std::optional<double> gap;    // between that and the best, as a share of the best
  std::uint64_t sweeps = 0;
  double seconds = 0.0;
  // Best feasible objective wherever it improved, and after how many seconds, tuning included.
  std::vector<std::pair<double, double>> course;
  std::vector<std::string> notes;  // what had to be rounded or is impossible, in words

  // As the command line prints them and as --json, --report and --trace write them.
  std::string summary() const;
  std::string json() const;
  std::string html() const;
  std::string trace_csv() const;

 private:
  friend Solution solve(const Model&, const Options&);
  struct Record;
  std::shared_ptr<const Record> record_;
};

Solution solve(const Model& model, const Options& options = {});

// Many problems, small ones above all: the solutions solve() gives, each on one of the threads.
// `give` makes a problem of its number, on any thread; `take` gets its solution or what was thrown,
// on the calling one, in the order they are ready. Each problem has the whole time limit; stop ends
// all of them, and progress is told the share that is done.
using GiveModel = std::function<std::shared_ptr<const Model>(std::size_t)>;
using TakeSolution = std::function<void(std::size_t, Solution, const Failure*)>;
void solve_many(std::size_t count, const GiveModel& give, const Options& options,
                const TakeSolution& take);

// What Options::device may name on this machine, one line each: the name, a colon, a description.
std::vector<std::string> devices();

// Sampling from exp(-beta (f + P g)), where f is the objective to minimise and g the violation of
// the constraints. Replicas at all pairs of beta and P exchange states; each keeps its
// distribution.
struct Sampling {
  std::vector<double> betas = {1.0};      // ascending
  std::vector<double> penalties = {0.0};  // ascending
  std::uint64_t samples = 1000;           // of each replica
  std::uint64_t warmup = 100;             // rounds before the first sample
  std::uint64_t sweeps = 50;              // between two samples
  // What replicas start from, a row of values for each pair of beta and P, penalties of the first
  // beta first; empty: random states.
  std::vector<std::vector<std::int64_t>> initial = {};
};

struct Sample {
  double beta, penalty;
  std::vector<std::int64_t> values;
  double objective;
  double g;
};

// Takes seed, fixed, device and its settings, copies, placement, swap_sets, stop and progress from
// the options.
std::vector<Sample> sample(const Model& model, const Sampling& sampling,
                           const Options& options = {});

}  // namespace chainmail

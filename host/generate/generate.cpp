#include "generate/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "generate/kinds.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

std::span<const Kind> generator_kinds() {
  static const std::array<Kind, 6> kinds = {{
      {"wishart",
       "planted Wishart problem on a complete graph (--alpha 0.75; --integer for whole couplings)",
       {"n", "alpha", "integer"},
       make_wishart},
      {"sk",
       "Sherrington-Kirkpatrick spin glass, couplings of unit variance (+1/-1, or --gaussian)",
       {"n", "gaussian"},
       make_sk},
      {"ea3d",
       "Edwards-Anderson spin glass on an n x n x n periodic lattice (+1/-1, or --gaussian)",
       {"n", "gaussian"},
       make_ea3d},
      {"maxcut",
       "max-cut of a random graph, regular (--degree 3) or Erdos-Renyi (--density)",
       {"n", "degree", "density"},
       make_maxcut},
      {"full-adder",
       "five spins whose ground states are the rows of a full adder's truth table",
       {"n"},
       make_full_adder},
      {"mimo",
       "maximum-likelihood detection of n BPSK symbols, Rayleigh channel (--snr 10 dB)",
       {"n", "snr"},
       make_mimo},
  }};
  return kinds;
}

void check_uses(const std::string& kind, const std::vector<std::string>& uses,
                const GenerateOptions& options) {
  const auto check = [&](bool given, const std::string& option) {
    if (!given || std::find(uses.begin(), uses.end(), option) != uses.end()) return;
    throw UsageError(fmt::format("{} takes no --{}; its options: {}, seed", kind, option,
                                 fmt::join(uses, ", ")));
  };
  check(options.alpha.has_value(), "alpha");
  check(options.degree.has_value(), "degree");
  check(options.density.has_value(), "density");
  check(options.snr_db.has_value(), "snr");
  check(options.integer, "integer");
  check(options.gaussian, "gaussian");
  check(options.graph.has_value(), "graph");
  check(options.colors.has_value(), "colors");
}

Problem generate(const std::string& name, const GenerateOptions& options) {
  std::string known;
  for (const Kind& kind : generator_kinds()) {
    if (kind.name == name) {
      check_uses(kind.name, kind.uses, options);
      Problem problem = kind.make(options);
      validate(problem, name);
      return problem;
    }
    known += (known.empty() ? "" : ", ") + kind.name;
  }
  throw UsageError("unknown kind of problem '" + name + "'; known: " + known);
}

std::size_t required_n(const GenerateOptions& options, const std::string& kind, std::size_t least,
                       std::size_t most) {
  if (!options.n) throw UsageError(kind + " needs its size, -n");
  if (*options.n < least || *options.n > most) {
    throw UsageError(fmt::format("{}: n = {}, expected {} to {}", kind, *options.n, least, most));
  }
  return *options.n;
}

Engine engine_for(const GenerateOptions& options) {
  return Engine(mix64(options.seed));
}

Spin random_sign(Engine& engine) {
  return (engine() >> 63) != 0 ? Spin{1} : Spin{-1};
}

std::size_t random_below(Engine& engine, std::size_t limit) {
  return boost::random::uniform_int_distribution<std::size_t>(0, limit - 1)(engine);
}

double random_coupling(Engine& engine, bool gaussian) {
  return gaussian ? boost::random::normal_distribution<double>()(engine) : random_sign(engine);
}

std::vector<double> random_normals(Engine& engine, std::size_t count) {
  boost::random::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = normal(engine);
  return values;
}

std::vector<Spin> random_state(Engine& engine, std::size_t spins) {
  std::vector<Spin> state(spins);
  for (Spin& spin : state) spin = random_sign(engine);
  return state;
}

}  // namespace chainmail

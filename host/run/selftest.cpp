#include "run/selftest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <set>
#include <vector>

#include "device/burst_costs.hpp"
#include "embedding/embedding.hpp"
#include "support/error.hpp"
#include "support/random.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kGrids = 16;  // a compute unit holds at least one of them

struct Answer {
  const char* topology;
  std::uint64_t digest;
};
// From the native HLS kernels; tests/hls recomputes them.
constexpr Answer kAnswers[] = {
    {"5x2", 0x5e4ae4abeb8461b4},          {"8x3", 0x8ae24373ee030331},
    {"8x1", 0xcbc18def13b932b9},          {"16x2", 0x43c4375aee177f11},
    {"16x3", 0x76ef1d376f631149},         {"16x1", 0x79facabab444825a},
    {"33x2", 0x07f7dce02f349e81},         {"40x3", 0xa4251c19535031f2},
    {"40x1", 0x44d15dea994c8047},         {"100x3", 0xad0ea493fff71063},
    {"100x1", 0x3308474920d801ae},        {"5x2-t9-b17-w2-r16", 0x2f506c62cf08c408},
    {"8x3-b17-r64", 0x8ae24373ee030331},  {"16x3-b17-r64", 0x76ef1d376f631149},
    {"32x3-b17-r64", 0x1423f4967a3212f5}, {"10x8-b17-w2-r16", 0x2aed8acd6a073103},
};

std::size_t replicas_of(const Topology& topology, std::size_t wanted) {
  return std::min<std::size_t>(wanted, topology.options.max_replicas);
}

Embedding whole_array(const Topology& topology) {
  return embed(sample_problem(topology, topology.options.logical, 5), topology);
}

std::vector<Spin> pattern(std::size_t kind, std::size_t pbits, std::size_t replica) {
  std::vector<Spin> spins(pbits);
  for (std::size_t p = 0; p < pbits; ++p) {
    const std::array<bool, 4> up{true, false, (p + replica) % 2 == 0,
                                 hash_of(kind, {p, replica}) % 2 == 0};
    spins[p] = up[kind] ? 1 : -1;
  }
  return spins;
}

// Spins written, measured without a sweep and read back, of every place in the ring; energies as
// the host has them.
SelftestCheck check_memory(Device& device) {
  const Topology& topology = *device.topology();
  const Embedding embedding = whole_array(topology);
  const std::size_t replicas = topology.options.max_replicas;
  device.load(embedding.model, {1, replicas, 1, 0.01, 0.1, 1.0});
  const std::vector<Parameters> parameters(replicas, device.quantise({0.1, 0.1}));
  std::size_t wrong = 0, wrong_energies = 0;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    for (std::size_t r = 0; r < replicas; ++r) {
      device.write_spins(0, r, pattern(kind, embedding.pbits(), r));
    }
    device.submit(0, parameters, 0, kind);
    const BurstResult result = device.wait(0);
    for (std::size_t r = 0; r < replicas; ++r) {
      const std::vector<Spin> expected = pattern(kind, embedding.pbits(), r);
      if (device.read_spins(0, r, Which::current) != expected) ++wrong;
      const bool energies = std::abs(result.f[r] - embedding.model.f(expected)) < 1e-6 &&
                            result.g[r] == embedding.model.g(expected);
      if (!energies) ++wrong_energies;
    }
  }
  return {"memory",
          fmt::format("4 patterns in {} places of {} p-bits: {} states and {} energies wrong",
                      replicas, embedding.pbits(), wrong, wrong_energies),
          wrong == 0 && wrong_energies == 0};
}

SelftestCheck check_answer(Device& device) {
  const std::string& name = device.topology()->name;
  const std::uint64_t digest = selftest_digest(device);
  const std::optional<std::uint64_t> expected = known_answer(name);
  if (!expected) {
    const bool repeats = selftest_digest(device) == digest;
    return {"bits",
            fmt::format("no answer is stored for {}; bursts {}", name,
                        repeats ? "repeat bit for bit" : "do not repeat"),
            repeats};
  }
  return {"bits",
          digest == *expected
              ? fmt::format("{} bursts as the HLS kernel's, bit for bit", 3 * kGrids)
              : fmt::format("bursts differ: digest {:016x}, the HLS kernel's is {:016x}", digest,
                            *expected),
          digest == *expected};
}

// Five spins, so few that every state's probability is known. If all chains are intact the states
// of any number of copies follow exp(-beta f) exactly.
SelftestCheck check_distribution(Device& device) {
  const Topology& topology = *device.topology();
  constexpr std::size_t spins = 5, states = 1 << spins;
  if (topology.options.logical < spins) {
    return {"distribution", "the array has fewer than five spins: not checked", true};
  }
  const Problem problem = sample_problem(topology, spins, 11);
  const Embedding embedding = embed(problem, topology);
  const std::size_t replicas = replicas_of(topology, 256);
  const double beta = 0.35, penalty = 2.0;
  device.load(embedding.model, {1, replicas, 7, beta, beta, penalty});
  const Parameters used = device.quantise({beta, beta * penalty});
  const std::vector<Parameters> parameters(replicas, used);
  for (std::size_t r = 0; r < replicas; ++r) {
    device.write_spins(0, r, pattern(3, embedding.pbits(), r));
  }
  std::vector<double> seen(states, 0.0);
  double count = 0.0;
  for (std::uint64_t burst = 0; count < 20000.0 && burst < 4000; ++burst) {
    device.submit(0, parameters, burst == 0 ? 200 : 20, burst);
    const BurstResult result = device.wait(0);
    for (std::size_t r = 0; burst > 0 && r < replicas; ++r) {
      if (result.g[r] != 0.0) continue;
      const std::vector<Spin> state = device.read_spins(0, r, Which::current);
      std::size_t index = 0;
      for (std::size_t i = 0; i < spins; ++i) index |= std::size_t{state[i] > 0} << i;
      seen[index] += 1.0;
      count += 1.0;
    }
  }
  std::vector<double> weight(states);
  double sum = 0.0;
  for (std::size_t s = 0; s < states; ++s) {
    std::vector<Spin> state(spins);
    for (std::size_t i = 0; i < spins; ++i) state[i] = (s >> i & 1) != 0 ? 1 : -1;
    sum += weight[s] = std::exp(-used.beta * problem.objective(state));
  }
  double chi = 0.0;
  for (std::size_t s = 0; s < states; ++s) {
    const double expected = count * weight[s] / sum;
    chi += (seen[s] - expected) * (seen[s] - expected) / expected;
  }
  // 31 degrees of freedom, six standard deviations; the threshold's own error stays within.
  constexpr double freedom = states - 1.0;
  const double limit = freedom + 6.0 * std::sqrt(2.0 * freedom);
  return {"distribution",
          fmt::format("{:.0f} samples of five spins against enumeration: chi-square {:.0f} of 31 "
                      "degrees, at most {:.0f} passes",
                      count, chi, limit),
          count > 1000.0 && chi < limit};
}

SelftestCheck check_speed(Device& device) {
  const Topology& topology = *device.topology();
  const Embedding embedding = whole_array(topology);
  const std::size_t replicas = std::max<std::size_t>(1, topology.options.max_replicas / 4);
  const std::size_t grids = 2 * kGrids;
  device.load(embedding.model, {grids, replicas, 1, 0.01, 0.1, 1.0});
  const std::vector<Parameters> parameters(replicas, device.quantise({0.1, 0.1}));
  std::set<std::size_t> units;
  for (std::size_t grid = 0; grid < grids; ++grid) units.insert(device.driver_of(grid));
  using Clock = std::chrono::steady_clock;
  double sweeps_done = 0.0, seconds = 0.0;
  // Longer and longer bursts, until one round takes a while.
  for (std::uint64_t sweeps = 10, round = 0; seconds < 0.3 && sweeps < 1'000'000'000; sweeps *= 4) {
    const auto start = Clock::now();
    for (std::size_t grid = 0; grid < grids; ++grid) device.submit(grid, parameters, sweeps, round);
    for (std::size_t grid = 0; grid < grids; ++grid) device.wait(grid);
    ++round;
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
    sweeps_done = static_cast<double>(sweeps * grids * replicas);
  }
  const double rate = sweeps_done / seconds;
  std::string finding = fmt::format(
      "{:.3g} replica-sweeps per second on {} compute unit{}, {:.3g} p-bit updates per ns", rate,
      units.size(), units.size() == 1 ? "" : "s",
      1e-9 * rate * static_cast<double>(topology.pbits()));
  if (const BurstCosts* costs = device.costs()) {
    finding += fmt::format(", {:.0f} % of one per clock",
                           100.0 * rate / (costs->clock_hz * static_cast<double>(units.size())));
  }
  return {"speed", finding, true};
}

}  // namespace

// Small integers, so that no table rounds them.
Problem sample_problem(const Topology& topology, std::size_t spins, std::uint64_t seed) {
  Problem problem;
  problem.objective = Quadratic(spins);
  const auto couple = [&](std::uint32_t i, std::uint32_t j) {
    const double value = static_cast<double>(hash_of(seed, {i, j}) % 5) - 2.0;
    if (value != 0.0) problem.objective.couplings.push_back({i, j, value});
  };
  for (std::uint32_t i = 0; i < spins; ++i) {
    problem.objective.fields[i] = static_cast<double>(hash_of(seed, {i}) % 3) - 1.0;
    for (std::uint32_t j = i + 1; topology.options.dense() && j < spins; ++j) couple(i, j);
  }
  for (const Meeting& m : topology.meetings) {
    if (m.j < spins) couple(m.i, m.j);
  }
  return problem;
}

std::optional<std::uint64_t> known_answer(const std::string& topology) {
  for (const Answer& answer : kAnswers) {
    if (topology == answer.topology) return answer.digest;
  }
  return std::nullopt;
}

std::uint64_t selftest_digest(Device& device) {
  const Topology& topology = *device.topology();
  const Embedding embedding = whole_array(topology);
  const std::size_t replicas = replicas_of(topology, 16);
  device.load(embedding.model, {kGrids, replicas, 3, 0.01, 0.2, 2.0});
  for (std::size_t grid = 0; grid < kGrids; ++grid) {
    for (std::size_t r = 0; r < replicas; ++r) {
      device.write_spins(grid, r, pattern(3, embedding.pbits(), r));
    }
  }
  std::uint64_t digest = 0;
  const auto add = [&](std::uint64_t word) { digest = mix64(digest ^ word); };
  for (std::uint64_t burst = 0; burst < 3; ++burst) {
    for (std::size_t grid = 0; grid < kGrids; ++grid) {
      std::vector<Parameters> parameters;
      for (std::size_t r = 0; r < replicas; ++r) {
        const double beta = 0.01 + 0.01 * static_cast<double>((r + burst) % replicas);
        parameters.push_back(device.quantise({beta, 1.5 * beta}));
      }
      device.submit(grid, parameters, 7 + burst, burst);
    }
    for (std::size_t grid = 0; grid < kGrids; ++grid) {
      const BurstResult& result = device.wait(grid);
      for (const std::vector<double>* values : {&result.f, &result.g, &result.best_f}) {
        for (const double value : *values) add(std::bit_cast<std::uint64_t>(value));
      }
    }
  }
  for (std::size_t grid = 0; grid < kGrids; ++grid) {
    for (std::size_t r = 0; r < replicas; ++r) {
      for (const Spin spin : device.read_spins(grid, r, Which::current)) add(spin > 0 ? 1 : 2);
    }
  }
  return digest;
}

bool run_selftest(Device& device, const std::function<void(const SelftestCheck&)>& tell) {
  if (device.topology() == nullptr) {
    throw UsageError(
        "selftest is for kernels: hls:TOPOLOGY, sw_emu, hw_emu, xrt, uart:PATH, f2:SLOT");
  }
  bool all = true;
  const auto report = [&](const SelftestCheck& check) {
    all = all && check.passed;
    tell(check);
  };
  report({"kernel", device.describe(), true});
  for (const auto check : {check_memory, check_answer, check_distribution, check_speed}) {
    report(check(device));
  }
  return all;
}

}  // namespace chainmail

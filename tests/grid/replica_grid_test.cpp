// The swap rule against the joint distribution it must keep, and the bookkeeping of the grid.
#include "grid/replica_grid.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "support/error.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

std::vector<Parameters> ladder(std::size_t rows, std::size_t columns) {
  std::vector<Parameters> cells;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double beta = 0.3 + 0.4 * static_cast<double>(row);
      cells.push_back({beta, beta * (0.5 + static_cast<double>(column))});
    }
  }
  return cells;
}

double random_value(std::uint64_t seed, std::uint64_t index) {
  return 4.0 * unit_interval(hash_of(seed, {index})) - 2.0;
}

}  // namespace

TEST_CASE("the rule is the ratio of joint Boltzmann weights after and before the exchange") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Parameters p1{random_value(seed, 1), random_value(seed, 2)};
    const Parameters p2{random_value(seed, 3), random_value(seed, 4)};
    const Measured s1{random_value(seed, 5), random_value(seed, 6)};
    const Measured s2{random_value(seed, 7), random_value(seed, 8)};
    const auto weight = [](const Parameters& p, const Measured& s) {
      return -p.beta * s.f - p.beta_penalty * s.g;
    };
    const double exchanged = weight(p1, s2) + weight(p2, s1);
    const double before = weight(p1, s1) + weight(p2, s2);
    CHECK(log_swap_ratio(p1, s1, p2, s2) == Approx(exchanged - before).margin(1e-12));
    CHECK(log_swap_ratio(p2, s2, p1, s1) == Approx(log_swap_ratio(p1, s1, p2, s2)));
  }
}

TEST_CASE("in one row it is the paper's P-swap, in one column its beta-swap") {
  const double beta = 1.3, p1 = 0.7, p2 = 1.9;
  const Measured a{-3.0, 4.0}, b{-5.0, 2.0};
  CHECK(log_swap_ratio({beta, beta * p1}, a, {beta, beta * p2}, b) ==
        Approx(beta * (p2 - p1) * (b.g - a.g)));
  const double hot = 0.4, cold = 1.1;
  CHECK(log_swap_ratio({hot, hot * p1}, a, {cold, cold * p1}, b) ==
        Approx((cold - hot) * ((b.f + p1 * b.g) - (a.f + p1 * a.g))));
  CHECK(accept_swap(0.0, 0.999999));
  CHECK(accept_swap(-1.0, std::exp(-1.0) - 1e-9));
  CHECK_FALSE(accept_swap(-1.0, std::exp(-1.0) + 1e-9));
}

TEST_CASE("a round keeps every replica in exactly one cell and hands parameters over") {
  ReplicaGrid grid(4, 5, ladder(4, 5), SwapSets::all, true, 9);
  std::vector<double> f(20), g(20);
  for (std::uint64_t round = 1; round <= 50; ++round) {
    for (std::size_t r = 0; r < 20; ++r) {
      f[r] = random_value(round, r);
      g[r] = std::abs(random_value(round, 100 + r));
    }
    grid.swap_round(round, f, g);
    const std::set<std::uint32_t> cells(grid.cells().begin(), grid.cells().end());
    CHECK(cells.size() == 20);
    for (std::size_t cell = 0; cell < 20; ++cell) {
      const std::size_t replica = grid.replica_at(cell / 5, cell % 5);
      CHECK(grid.cells()[replica] == cell);
      CHECK(grid.parameters()[replica] == ladder(4, 5)[cell]);
    }
  }
}

TEST_CASE("the toggle follows Algorithm 1: P odd, P even, beta odd, beta even") {
  const auto attempts_of = [](std::uint64_t round, bool penalty) {
    ReplicaGrid grid(4, 4, ladder(4, 4), SwapSets::toggle, true, 1);
    const std::vector<double> zero(16, 0.0);
    grid.swap_round(round, zero, zero);
    const SwapStatistics& s = grid.statistics();
    std::set<std::size_t> cells;
    for (std::size_t c = 0; c < 16; ++c) {
      if ((penalty ? s.attempts_penalty : s.attempts_beta)[c] > 0) cells.insert(c);
    }
    return cells;
  };
  const std::set<std::size_t> none;
  CHECK(attempts_of(1, true) == std::set<std::size_t>{0, 2, 4, 6, 8, 10, 12, 14});
  CHECK(attempts_of(1, false) == none);
  CHECK(attempts_of(2, true) == std::set<std::size_t>{1, 5, 9, 13});
  CHECK(attempts_of(3, true) == none);
  CHECK(attempts_of(3, false) == std::set<std::size_t>{0, 1, 2, 3, 8, 9, 10, 11});
  CHECK(attempts_of(4, false) == std::set<std::size_t>{4, 5, 6, 7});
  CHECK(attempts_of(5, true) == attempts_of(1, true));
}

TEST_CASE("columns swap along beta in every round, along P in every fourth") {
  ReplicaGrid grid(3, 3, ladder(3, 3), SwapSets::columns, true, 1);
  const std::vector<double> zero(9, 0.0);
  for (std::uint64_t round = 1; round <= 8; ++round) grid.swap_round(round, zero, zero);
  CHECK(grid.statistics().attempts_beta == std::vector<std::uint64_t>{8, 8, 8, 8, 8, 8, 0, 0, 0});
  CHECK(grid.statistics().attempts_penalty ==
        std::vector<std::uint64_t>{2, 2, 0, 2, 2, 0, 2, 2, 0});
  ReplicaGrid row(1, 4, ladder(4, 1), SwapSets::columns, true, 1);
  for (std::uint64_t round = 1; round <= 8; ++round) row.swap_round(round, zero, zero);
  CHECK(row.statistics().attempts_penalty == std::vector<std::uint64_t>{8, 8, 8, 0});
}

TEST_CASE("on a one-way ladder every round swaps") {
  for (const auto& [rows, columns] : {std::pair{1, 4}, std::pair{4, 1}}) {
    ReplicaGrid grid(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                     ladder(4, 1), SwapSets::toggle, true, 1);
    const std::vector<double> zero(4, 0.0);
    for (std::uint64_t round = 1; round <= 4; ++round) grid.swap_round(round, zero, zero);
    const SwapStatistics& s = grid.statistics();
    const auto& attempts = rows == 1 ? s.attempts_penalty : s.attempts_beta;
    CHECK(attempts == std::vector<std::uint64_t>{2, 2, 2, 0});
  }
}

TEST_CASE("without penalty swaps replicas stay in their column") {
  ReplicaGrid grid(3, 3, ladder(3, 3), SwapSets::all, false, 5);
  const std::vector<double> zero(9, 0.0);
  for (std::uint64_t round = 1; round <= 20; ++round) grid.swap_round(round, zero, zero);
  for (std::size_t r = 0; r < 9; ++r) CHECK(grid.cells()[r] % 3 == r % 3);
  CHECK(grid.statistics().round_trips > 0);
}

TEST_CASE("a round trip is hot, cold, hot again") {
  // Two rows and equal weights: every attempted swap is accepted, so replicas go up and down.
  ReplicaGrid grid(2, 1, {{1.0, 0.0}, {1.0, 0.0}}, SwapSets::toggle, true, 5);
  const std::vector<double> zero(2, 0.0);
  for (std::uint64_t round = 1; round <= 9; ++round) grid.swap_round(round, zero, zero);
  // Swaps happen in rounds 1, 3, 5, 7, 9: replica 1 is hot after 1, cold after 3, hot after 5, …
  CHECK(grid.statistics().round_trips == 3);
}

TEST_CASE("a round trip goes all the way to the coldest row") {
  const auto trips = [](bool into_the_last_row) {
    ReplicaGrid grid(3, 1, {{1.0, 0.0}, {2.0, 0.0}, {3.0, 0.0}}, SwapSets::all, true, 5);
    grid.use_rule([&](const Parameters&, const Measured&, const Parameters& cold, const Measured&) {
      return cold.beta < 2.5 || into_the_last_row ? 0.0 : -1e9;
    });
    const std::vector<double> zero(3, 0.0);
    for (std::uint64_t round = 1; round <= 30; ++round) grid.swap_round(round, zero, zero);
    return grid.statistics().round_trips;
  };
  CHECK(trips(false) == 0);
  CHECK(trips(true) > 5);
}

TEST_CASE("what was counted before is taken off, round trips too") {
  SwapStatistics before(4), after(4);
  before.round_trips = 2;
  after.round_trips = 5;
  before.accepts_penalty[1] = 1;
  after.accepts_penalty[1] = 4;
  after -= before;
  CHECK(after.round_trips == 3);
  CHECK(after.accepts_penalty[1] == 3);
}

TEST_CASE("every pair and every round has noise of its own") {
  constexpr std::size_t kPairs = 64;
  ReplicaGrid grid(2, kPairs, ladder(2, kPairs), SwapSets::all, false, 3);
  grid.use_rule([](const Parameters&, const Measured&, const Parameters&, const Measured&) {
    return std::log(0.5);
  });
  const std::vector<double> zero(2 * kPairs, 0.0);
  std::set<std::vector<std::uint64_t>> patterns;
  for (std::uint64_t round = 1; round <= 4; ++round) {
    const std::vector<std::uint64_t> before = grid.statistics().accepts_beta;
    grid.swap_round(round, zero, zero);
    std::vector<std::uint64_t> now = grid.statistics().accepts_beta;
    std::uint64_t accepted = 0;
    for (std::size_t k = 0; k < now.size(); ++k) accepted += now[k] -= before[k];
    // Of 64 throws of a coin fewer than 8 or more than 56 are heads once in 10^10 times.
    CHECK((accepted >= 8 && accepted <= 56));
    patterns.insert(now);
  }
  CHECK(patterns.size() == 4);
}

TEST_CASE("state() and restore() carry everything a round depends on") {
  std::vector<double> f(12), g(12);
  ReplicaGrid grid(3, 4, ladder(3, 4), SwapSets::all, true, 77), other = grid;
  for (std::uint64_t round = 1; round <= 30; ++round) {
    for (std::size_t r = 0; r < 12; ++r)
      f[r] = random_value(round, r), g[r] = random_value(round, 50 + r);
    grid.swap_round(round, f, g);
    if (round == 10) other.restore(grid.state());
    if (round > 10) other.swap_round(round, f, g);
  }
  CHECK(grid.cells() == other.cells());
  CHECK(grid.statistics().accepts_beta == other.statistics().accepts_beta);
  CHECK(grid.statistics().round_trips == other.statistics().round_trips);
}

TEST_CASE("swap sets by name") {
  for (SwapSets sets : {SwapSets::toggle, SwapSets::all, SwapSets::columns}) {
    CHECK(swap_sets_from_name(name_of(sets)) == sets);
  }
  CHECK_THROWS_AS(swap_sets_from_name("some"), UsageError);
}

TEST_CASE("a pair that was never offered a swap has no share of accepted ones", "[swap]") {
  SwapStatistics statistics(4);
  statistics.attempts_beta[1] = 4;
  statistics.accepts_beta[1] = 1;
  statistics.attempts_penalty[2] = 3;
  const AcceptanceTable beta = acceptance_beta(statistics, 2);
  CHECK(std::isnan(beta[0][0]));
  CHECK(beta[0][1] == 0.25);
  const AcceptanceTable penalty = acceptance_penalty(statistics, 2);
  CHECK(std::isnan(penalty[0][0]));
  CHECK(penalty[1][0] == 0.0);
}

// Blocks of bits against one bit after the other: the same bit is accepted first, and a group's
// weights are those of the model, for forms of every layout and on every instruction set.
#include <catch2/catch.hpp>

#include <cmath>

#include "../every_target.hpp"
#include "device/cpu/form_blocks.hpp"
#include "device/cpu/form_noise.hpp"

using namespace chainmail;

namespace {

struct Case {
  FormModel model;
  std::vector<Bit> x;
};

// 21 free bits, then groups of 3, 8 and 21. One form over all, one for each place in a group, and
// some at random; clashes at random.
Case random_case(Engine& engine) {
  Case made;
  FormModel& m = made.model;
  const std::vector<std::size_t> sizes = {3, 8, 21};
  m.bits = 21 + 3 + 8 + 21;
  for (std::size_t i = 0; i < m.bits; ++i) {
    m.linear.push_back(static_cast<double>(below(21, engine)) / 4 - 2.5);
    m.pairs.close();
  }
  std::vector<std::vector<FormTerm>> rows(1 + 21 + 4);
  for (std::uint32_t i = 0; i < m.bits; ++i) {
    const auto coefficient = [&] { return static_cast<std::int64_t>(below(9, engine)) - 4; };
    if (const std::int64_t c = coefficient(); c != 0) rows[0].push_back({c, i});
    for (std::size_t row = 22; row < rows.size(); ++row) {
      const std::int64_t c = below(3, engine) == 0 ? coefficient() : 0;
      if (c != 0) rows[row].push_back({c, i});
    }
  }
  std::uint32_t bit = 21;
  for (std::size_t size : sizes) {
    for (std::size_t place = 0; place < size; ++place, ++bit) {
      m.groups.items.push_back(bit);
      rows[1 + place].push_back({1 + static_cast<std::int64_t>(below(3, engine)), bit});
    }
    m.groups.close();
  }
  for (const auto& row : rows) {
    m.forms.items.insert(m.forms.items.end(), row.begin(), row.end());
    m.forms.close();
    const auto lower = static_cast<std::int64_t>(below(7, engine)) - 4;
    m.limits.push_back({below(3, engine) == 0 ? kNoLower : lower,
                        lower + static_cast<std::int64_t>(below(4, engine)),
                        0.25 * static_cast<double>(1 + below(6, engine))});
  }
  std::vector<std::vector<std::uint32_t>> clashes(m.bits);
  for (std::uint32_t i = 0; i < 21; ++i) {
    for (std::uint32_t j = i + 1; j < m.bits; ++j) {
      if (below(8, engine) != 0) continue;
      clashes[i].push_back(j);
      clashes[j].push_back(i);
    }
  }
  for (const auto& list : clashes) {
    m.clashes.items.insert(m.clashes.items.end(), list.begin(), list.end());
    m.clashes.close();
  }
  m.finish();
  made.x.resize(m.bits);
  for (std::size_t i = 0; i < m.bits; ++i) made.x[i] = static_cast<Bit>(i < 21 && below(2, engine));
  return made;
}

// What a replica keeps of a state.
struct Kept {
  explicit Kept(const Case& one) : tables(one.model), clashes(one.model.bits, 0) {
    sums.assign(one.model.forms.size() + kBlock, 0);
    weights.assign(sums.size(), 0.0);
    for (std::size_t form = 0; form < one.model.forms.size(); ++form) {
      for (const FormTerm& t : one.model.forms[form]) {
        sums[form] += t.coefficient * one.x[t.index];
      }
      weights[form] = one.model.limits[form].weight;
    }
    for (std::size_t i = 0; i < one.model.bits; ++i) {
      for (std::uint32_t j : one.model.clashes[i]) clashes[i] += one.x[j];
    }
  }
  BlockState state(const Case& one, double beta, double penalty) const {
    return {&tables,        one.x.data(), one.model.linear.data(),
            clashes.data(), sums.data(),  weights.data(),
            beta,           penalty};
  }

  FormBlocks tables;
  std::vector<std::int32_t> clashes;
  std::vector<std::int64_t> sums;
  std::vector<double> weights;
};

double energy(const Case& one, double penalty) {
  return one.model.f(one.x) + penalty * one.model.g(one.x);
}

double rise(Case one, std::uint32_t bit, double penalty) {
  const double before = energy(one, penalty);
  one.x[bit] ^= 1;
  return energy(one, penalty) - before;
}

}  // namespace

TEST_CASE("a sweep in blocks accepts what one bit after the other accepts") {
  test::on_every_target([](std::int64_t) {
    Engine engine(7);
    std::size_t accepted = 0, refused = 0;
    for (std::uint64_t round = 0; round < 400; ++round) {
      const Case one = random_case(engine);
      const Kept kept(one);
      const double beta = 0.1 + 0.01 * static_cast<double>(round), penalty = 0.75;
      const auto blocks = kept.tables.free();
      REQUIRE(blocks.size() == 3);
      const std::uint64_t drawn = 5 * round;
      const BlockPlace at{round % 3, round % 5};
      BlockState state = kept.state(one, beta, penalty);
      state.heat_bath = round % 2 == 1;
      const BlockPlace found = first_accepted(state, blocks, at, round, drawn);
      for (std::size_t k = kBlock * at.block + at.lane;; ++k) {
        if (k == one.model.free_bits.size()) {
          REQUIRE(found.block == blocks.size());
          break;
        }
        FormNoise noise(round);
        noise.skip(drawn + k);
        const double x = beta * rise(one, one.model.free_bits[k], penalty);
        const double v = 1.0 - noise.unit();
        const bool accept =
            state.heat_bath ? v < 1.0 / (1.0 + std::exp(x)) : x <= 0.0 || v < std::exp(-x);
        ++(accept ? accepted : refused);
        if (!accept) continue;
        REQUIRE(kBlock * found.block + found.lane == k);
        break;
      }
    }
    CHECK(accepted > 200);
    CHECK(refused > 200);
  });
}

TEST_CASE("weights of a group's states in blocks are those of the model") {
  test::on_every_target([](std::int64_t) {
    Engine engine(8);
    for (int round = 0; round < 200; ++round) {
      Case one = random_case(engine);
      const Kept kept(one);
      const double penalty = 1.25, beta = round % 10 == 0 ? 0.0 : 0.3;
      for (std::size_t group = 0; group < one.model.groups.size(); ++group) {
        const auto blocks = kept.tables.group(group);
        const auto members = one.model.groups[group];
        std::vector<double> weights(kBlock * blocks.size(), -1.0), sums(blocks.size());
        const double total =
            group_weights(kept.state(one, beta, penalty), blocks, weights.data(), sums.data());
        std::vector<double> energies;
        for (std::uint32_t bit : members) energies.push_back(rise(one, bit, penalty));
        const double least = *std::min_element(energies.begin(), energies.end());
        double all = 0.0, by_block = 0.0;
        for (std::size_t k = 0; k < weights.size(); ++k) {
          const double exact = k < members.size() ? std::exp(-beta * (energies[k] - least)) : 0.0;
          REQUIRE(weights[k] == Approx(exact).epsilon(1e-12).margin(1e-15));
          all += weights[k];
        }
        for (double sum : sums) by_block += sum;
        REQUIRE(total == Approx(all).epsilon(1e-12));
        REQUIRE(by_block == Approx(all).epsilon(1e-12));
      }
    }
  });
}

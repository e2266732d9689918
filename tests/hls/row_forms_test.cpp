// Constraints on the row and the flip kernel: what it samples, cell by cell of a grid, against
// enumeration; f, g and best states of random models; how forms are put into banks; what is
// refused.
#include <catch2/catch.hpp>
#include <cmath>

#include "device/kernel/choose_dense.hpp"
#include "device/kernel/form_banks.hpp"
#include "device/kernel/kernel_device.hpp"
#include "device/kernel/row_forms.hpp"
#include "exact.hpp"
#include "model/forms.hpp"
#include "model/model_files.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

// An equation, an inequality each way and a range over free bits.
const char* kRows =
    "Minimize\n obj: 2 a - b + 1.5 c - 2 d + e - f + 0.5 h + [ 4 a * b - 6 b * c + 2 d * e - 4 f * "
    "h + 2 a * h ] / 2\n"
    "Subject To\n one: 3 a + 2 b - c + d = 3\n two: 2 c + 3 d + 2 e + f <= 4\n"
    " three: a + e + 2 f + h >= 2\n four: 2 <= 3 e + 2 f + 4 h <= 6\n"
    "Binary\n a b c d e f h\nEnd\n";
const char* kPairs =
    "Minimize\n obj: -2 a - b - 1.5 c - 2 d - e - f - 0.5 h + [ 2 a * h - 3 b * e ] / 2\n"
    "Subject To\n p: a + b <= 1\n q: b + c <= 1\n r: c + d <= 1\n s: d + e <= 1\n t: e + f <= 1\n"
    " u: f + h <= 1\n v: h + a <= 1\n w: a + d <= 1\nBinary\n a b c d e f h\nEnd\n";
const char* kGroups =
    "Minimize\n obj: a1 - 2 a2 + 0.5 b1 - b3 + c2 + x + [ 4 a1 * b2 - 6 a2 * c3 + 2 b1 * c1 - 4 x "
    "* b1 + 3 x * c2 ] / 2\n"
    "Subject To\n p: a1 + a2 + a3 = 1\n q: b1 + b2 + b3 + b4 = 1\n r: c1 + c2 + c3 = 1\n"
    "Binary\n a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 x\nEnd\n";
// A permutation's rows as groups, its columns as forms, free bits in a knapsack and an equation,
// pairs between free bits and with a group's.
const char* kAll =
    "Minimize\n obj: 2 a1 - b2 + 1.5 c3 - 2 x + y - z + [ 4 a1 * b2 - 6 a2 * c3 + 2 x * y - 4 z * "
    "b1 + 2 w * x ] / 2\n"
    "Subject To\n p: a1 + a2 + a3 = 1\n q: b1 + b2 + b3 = 1\n r: c1 + c2 + c3 = 1\n"
    " s: a1 + b1 + c1 = 1\n t: a2 + b2 + c2 = 1\n u: a3 + b3 + c3 = 1\n"
    " k: 3 x + 2 y + 4 z + w + 2 c1 <= 5\n e: x + y + z + w = 2\n v: x + z <= 1\n"
    " n: y + a3 <= 1\nBinary\n a1 a2 a3 b1 b2 b3 c1 c2 c3 x y z w\nEnd\n";

// Weights that a kernel holds exactly.
FormModel form_model(const char* text) {
  FormModel model = compile_forms(parse_model(text, "model.lp", ModelFormat::lp)).model;
  for (std::size_t form = 0; form < model.limits.size(); ++form) {
    model.limits[form].weight = form % 2 == 0 ? 0.5 : 0.25;
  }
  return model;
}

PhysicalModel physical(const FormModel& model) {
  PhysicalModel physical;
  physical.forms = std::make_shared<FormModel>(model);
  return physical;
}

std::vector<Bit> bits_of(std::uint64_t number, std::size_t bits) {
  std::vector<Bit> x(bits);
  for (std::size_t i = 0; i < bits; ++i) x[i] = number >> i & 1;
  return x;
}

bool groups_hold(const FormModel& model, std::span<const Bit> x) {
  for (std::size_t group = 0; group < model.groups.size(); ++group) {
    int ones = 0;
    for (std::uint32_t bit : model.groups[group]) ones += x[bit];
    if (ones != 1) return false;
  }
  return true;
}

std::vector<double> distribution(const FormModel& model, const Parameters& at) {
  std::vector<double> all(std::size_t{1} << model.bits, 0.0);
  double sum = 0.0;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const std::vector<Bit> x = bits_of(s, model.bits);
    if (!groups_hold(model, x)) continue;
    all[s] = std::exp(-at.beta * model.f(x) - at.beta_penalty * model.g(x));
    sum += all[s];
  }
  for (double& p : all) p /= sum;
  return all;
}

void check_distribution(const std::string& kernel, const char* text, std::size_t replicas) {
  const FormModel model = form_model(text);
  const auto device = make_hls_device("hls:" + kernel);
  device->load(physical(model),
               {.replicas = replicas, .seed = 3, .beta_max = 1.2, .penalty_max = 3});
  // Every cell of a 3 x 3 grid side by side in one launch.
  std::vector<Parameters> cells, parameters;
  for (const double beta : {0.25, 0.6, 1.2}) {
    for (const double penalty : {0.5, 1.2, 3.0}) {
      cells.push_back(device->quantise({beta, beta * penalty}));
      CHECK(cells.back().beta == Approx(beta).epsilon(1e-3));
      CHECK(cells.back().beta_penalty == Approx(beta * penalty).epsilon(1e-2));
    }
  }
  for (std::size_t r = 0; r < replicas; ++r) parameters.push_back(cells[r % cells.size()]);
  std::vector<std::vector<std::size_t>> counts(cells.size(),
                                               std::vector<std::size_t>(1U << model.bits, 0));
  device->submit(0, parameters, 200, 0);
  device->wait(0);
  for (std::uint64_t burst = 1; burst <= 120'000 / replicas; ++burst) {
    device->submit(0, parameters, 12, burst);
    const BurstResult& out = device->wait(0);
    for (std::size_t r = 0; r < replicas; ++r) {
      const std::size_t state = exact::state_number(device->read_spins(0, r));
      const std::vector<Bit> x = bits_of(state, model.bits);
      REQUIRE(out.f[r] == Approx(model.f(x)).margin(1e-9));
      REQUIRE(out.g[r] == Approx(model.g(x)).margin(1e-9));
      if (out.g[r] == 0.0) REQUIRE(out.best_f[r] <= out.f[r]);
      ++counts[r % cells.size()][state];
    }
  }
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const exact::Distance distance = exact::compare(distribution(model, cells[cell]), counts[cell]);
    INFO(kernel << ", cell " << cell << ": TV " << distance.total_variation << " of "
                << distance.limit);
    CHECK(distance.total_variation < distance.limit);
  }
}

// A random model of every kind of constraint a topology takes.
FormModel random_model(const TopologyOptions& o, std::size_t bits, Engine& engine) {
  FormModel m;
  m.bits = bits;
  m.constant = 3.0;
  const auto draw = [&](std::int64_t range) {
    return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(2 * range + 1)) - range;
  };
  for (std::size_t i = 0; i < bits; ++i) m.linear.push_back(static_cast<double>(draw(20)));
  std::size_t next = 0;
  while (o.one_hots && next + 4 <= bits / 2) {
    for (std::size_t k = 2 + engine() % 3; k > 0; --k) {
      m.groups.items.push_back(static_cast<std::uint32_t>(next++));
    }
    m.groups.close();
  }
  std::vector<std::vector<Neighbour>> pairs(bits);
  std::vector<std::vector<std::uint32_t>> clashes(bits);
  for (std::uint32_t i = 0; i < bits; ++i) {
    for (std::uint32_t j = i + 1; j < bits; ++j) {
      if (engine() % 3 == 0) {
        const auto value = static_cast<double>(draw(30));
        pairs[i].push_back({j, value});
        pairs[j].push_back({i, value});
      }
      if (o.products && engine() % 6 == 0) {
        clashes[i].push_back(j);
        clashes[j].push_back(i);
      }
    }
  }
  for (std::size_t i = 0; i < bits; ++i) {
    m.pairs.items.insert(m.pairs.items.end(), pairs[i].begin(), pairs[i].end());
    m.pairs.close();
    m.clashes.items.insert(m.clashes.items.end(), clashes[i].begin(), clashes[i].end());
    m.clashes.close();
  }
  m.finish();
  // Forms of one bank share no bit, a range lies in two: so there is a way to put them.
  std::vector<std::size_t> used(bits, 0);
  for (std::size_t form = 0; form < 2 * o.forms; ++form) {
    const std::int64_t range = std::int64_t{1} << engine() % 8;
    std::vector<bool> group(m.groups.size(), false);
    const bool range_form = engine() % 3 == 0;
    const std::size_t banks = std::size_t{1} << form % o.forms |
                              (range_form ? std::size_t{1} << (form + 1) % o.forms : 0);
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < bits; ++i) {
      const bool member = m.group_of[i] != kNone;
      if (engine() % (form == 0 ? 1 : 3) != 0 || (used[i] & banks) != 0) continue;
      if (member && group[m.group_of[i]]) continue;
      if (member) group[m.group_of[i]] = true;
      const std::int64_t a = draw(range);
      if (a == 0) continue;
      m.forms.items.push_back({a, i});
      used[i] |= banks;
      sum += engine() % 2 == 0 ? a : 0;
    }
    if (m.forms.items.size() == m.forms.start.back()) continue;
    m.forms.close();
    const bool equation = engine() % 2 == 0;
    FormLimits limits{sum, sum, 0.5};
    if (range_form) {
      limits.upper = sum + 1 + static_cast<std::int64_t>(engine() % 9);
    } else if (!equation) {
      (engine() % 2 == 0 ? limits.lower : limits.upper) = engine() % 2 == 0 ? kNoLower : kNoUpper;
      if (limits.lower != kNoLower) limits = {sum, kNoUpper, 0.5};
    }
    limits.weight = std::ldexp(1.0, -static_cast<int>(engine() % 4));
    m.limits.push_back(limits);
  }
  m.finish();
  return m;
}

}  // namespace

TEST_CASE("row kernel with linear forms: every cell of a grid samples its distribution",
          "[hls][rows][forms]") {
  check_distribution("40-rows-l2-f4", kRows, 126);
}

TEST_CASE("row kernel with products: every cell of a grid samples its distribution",
          "[hls][rows][forms]") {
  check_distribution("40-rows-p", kPairs, 63);
}

TEST_CASE("flip kernel with products: every cell of a grid samples its distribution",
          "[hls][flips][forms]") {
  check_distribution("64-flips-p", kPairs, 27);
}

TEST_CASE("flip kernel with linear forms: every cell of a grid samples its distribution",
          "[hls][flips][forms]") {
  check_distribution("64-flips-f4-p", kRows, 27);
}

TEST_CASE("row kernel with groups: every cell of a grid samples its distribution",
          "[hls][rows][forms]") {
  check_distribution("64-rows-l4-r16-g", kGroups, 63);
}

TEST_CASE("flip kernel with groups: every cell of a grid samples its distribution",
          "[hls][flips][forms]") {
  check_distribution("16-flips-r27-g", kGroups, 27);
  check_distribution("64-flips-f4-p-g", kGroups, 27);
}

TEST_CASE("flip kernel with all kinds of constraints samples their distribution",
          "[hls][flips][forms]") {
  check_distribution("64-flips-f4-p-g", kAll, 27);
}

TEST_CASE("row kernel with all kinds of constraints samples their distribution",
          "[hls][rows][forms]") {
  check_distribution("100-rows-l8-f2-p-g", kAll, 504);
}

TEST_CASE("f and g of random models on row and flip kernels", "[hls][rows][forms]") {
  Engine engine(17);
  for (const std::string kernel :
       {"16-rows-f2", "40-rows-l2-f4", "40-rows-p", "64-rows-l4-r16-g", "100-rows-l8-f2-p-g",
        "128-rows-f4-p-g", "128-flips-p", "64-flips-f4-p", "64-flips-f4-p-g", "128-flips-f4-p-g"}) {
    const Topology topology = topology_from_name(kernel);
    const auto device = make_hls_device("hls:" + kernel);
    for (int trial = 0; trial < 12; ++trial) {
      const std::size_t bits = 4 + engine() % (topology.pbits() / 2);
      const FormModel model = random_model(topology.options, bits, engine);
      INFO(kernel << ", trial " << trial << ", " << bits << " bits, " << model.forms.size()
                  << " forms, " << model.groups.size() << " groups");
      constexpr std::size_t kReplicas = 20;
      device->load(physical(model), {.replicas = kReplicas, .beta_max = 0.1, .penalty_max = 2.0});
      const std::vector<Parameters> parameters(kReplicas, device->quantise({0.1, 0.2}));
      for (std::size_t r = 0; r < kReplicas; ++r) {
        std::vector<Spin> spins(bits, -1);
        for (Spin& spin : spins) spin = engine() % 2 == 0 ? 1 : -1;
        for (std::size_t group = 0; group < model.groups.size(); ++group) {
          const auto members = model.groups[group];
          for (std::uint32_t bit : members) spins[bit] = -1;
          spins[members[engine() % members.size()]] = 1;
        }
        device->write_spins(0, r, spins);
      }
      for (const std::uint64_t sweeps : {0U, 1U, 5U}) {
        device->submit(0, parameters, sweeps, sweeps);
        const BurstResult out = device->wait(0);
        for (std::size_t r = 0; r < kReplicas; ++r) {
          std::vector<Bit> x;
          for (Spin spin : device->read_spins(0, r)) x.push_back(spin > 0 ? 1 : 0);
          REQUIRE(groups_hold(model, x));
          REQUIRE(out.f[r] == Approx(model.f(x)).margin(1e-9));
          REQUIRE(out.g[r] == Approx(model.g(x)).margin(1e-9));
          REQUIRE((out.g[r] == 0.0) == (model.violated(x) == 0));
          if (std::isinf(out.best_f[r])) continue;
          x.clear();
          for (Spin spin : device->read_spins(0, r, Which::best)) x.push_back(spin > 0 ? 1 : 0);
          REQUIRE(model.violated(x) == 0);
          REQUIRE(out.best_f[r] == Approx(model.f(x)).margin(1e-9));
        }
      }
    }
  }
}

TEST_CASE("a bank holds its residuals and no more", "[hls][rows][forms]") {
  // Form 0 meets each of the others in a bit, so with two banks these must lie together.
  const auto star = [](std::uint32_t others) {
    Lists<FormTerm> lists;
    for (std::uint32_t bit = 0; bit < others; ++bit) lists.items.push_back({1, bit});
    lists.close();
    for (std::uint32_t bit = 0; bit < others; ++bit) {
      lists.items.push_back({1, bit});
      lists.close();
    }
    return lists;
  };
  const FormBanks banks = colour_forms(star(2), 2, 2, 2, "40-rows-f2");
  CHECK(banks.bank[1] == banks.bank[2]);
  CHECK(banks.bank[0] != banks.bank[1]);
  CHECK_THROWS_WITH(colour_forms(star(3), 3, 2, 2, "40-rows-f2"), Catch::Contains("found no way"));
}

TEST_CASE("forms of a bit lie in different banks", "[hls][rows][forms]") {
  Engine engine(5);
  int found = 0;
  for (int trial = 0; trial < 60; ++trial) {
    // Each bit picks a form of each hidden bank, so a solution exists.
    const std::size_t bits = 20 + engine() % 60, residuals = 1U << (2 + engine() % 3);
    std::vector<std::vector<FormTerm>> forms(4 * residuals);
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      for (std::size_t bank = 0; bank < 4; ++bank) {
        if (engine() % 3 == 0) continue;
        forms[bank * residuals + engine() % residuals].push_back({1, bit});
      }
    }
    Lists<FormTerm> lists;
    for (std::size_t k = 0; k < forms.size(); ++k) {
      lists.items.insert(lists.items.end(), forms[k].begin(), forms[k].end());
      lists.close();
    }
    // If the banks are completely full the search may give up, and then says so.
    FormBanks banks;
    try {
      banks = colour_forms(lists, bits, 4, 2 * residuals, "40-rows-f4");
      ++found;
    } catch (const InputError& error) {
      CHECK_THAT(error.what(), Catch::Contains("found no way"));
      continue;
    }
    std::vector<std::vector<bool>> taken(bits, std::vector<bool>(4, false));
    std::vector<std::vector<bool>> full(4, std::vector<bool>(2 * residuals, false));
    for (std::size_t form = 0; form < lists.size(); ++form) {
      REQUIRE(banks.bank[form] < 4);
      REQUIRE(banks.number[form] < 2 * residuals);
      REQUIRE_FALSE(full[banks.bank[form]][banks.number[form]]);
      full[banks.bank[form]][banks.number[form]] = true;
      for (const FormTerm& term : lists[form]) {
        REQUIRE_FALSE(taken[term.index][banks.bank[form]]);
        taken[term.index][banks.bank[form]] = true;
      }
    }
  }
  CHECK(found > 20);
}

TEST_CASE("what a row kernel does not hold is refused with numbers", "[hls][rows][forms]") {
  const auto refused = [](const char* text, const std::string& topology, const std::string& why) {
    const FormModel model = compile_forms(parse_model(text, "model.lp", ModelFormat::lp)).model;
    CHECK_THROWS_WITH(arrange_forms(model, topology_from_name(topology), 0.0),
                      Catch::Contains(why));
  };
  refused(kRows, "40-rows", "4 linear forms");
  refused(kRows, "40-rows-f2", "takes 2");
  refused(kRows, "40-rows-f4-m1", "holds 4 banks of 1");
  refused(kPairs, "40-rows-f4", "8 pairs that exclude each other");
  refused(kPairs, "64-flips", "8 pairs that exclude each other");
  refused(kRows, "64-flips-p", "4 linear forms");
  refused(kRows, "64-flips-f2", "takes 2");
  refused(kGroups, "64-flips-f4-p", "3 one-hot groups");
  refused(kGroups, "40-rows-f4-p", "3 one-hot groups");
  refused(kGroups, "13-rows-g", "needs 14 rows, 11 for bits and 3 for groups");
  refused(
      "Maximize\n o: 3 a + 2 b + c\nSubject To\n k: 40000 a + 30001 b + 20003 c <= 60000\n"
      "Binary\n a b c\nEnd\n",
      "40-rows-f4", "coefficient of 40000; a kernel holds at most 32767");
  refused(
      "Minimize\n o: a1 - a2 + b1\nSubject To\n p: a1 + a2 + a3 = 1\n q: b1 + b2 + b3 = 1\n"
      " k: 3 a1 + 2 a2 + 4 b1 + 2 b2 + x <= 5\nBinary\n a1 a2 a3 b1 b2 b3 x\nEnd\n",
      "40-rows-f4-p-g", "share no other constraint");
  // The smallest of those available.
  DeviceOptions problem;
  problem.forms = std::make_shared<FormModel>(form_model(kRows));
  std::vector<Topology> built;
  for (const std::string name : {"256-rows-f4", "64-rows", "100-rows-l8-f4-p-g", "40-rows-f2",
                                 "16x3", "40-rows-l2-f4-p", "40-rows-l4-f4"}) {
    built.push_back(topology_from_name(name));
  }
  CHECK(choose_dense("rows", built, problem).name == "40-rows-l4-f4");
  problem.forms = std::make_shared<FormModel>(form_model(kAll));
  CHECK(choose_dense("rows", built, problem).name == "100-rows-l8-f4-p-g");
  for (const std::string name : {"64-flips", "256-flips-f4-p", "64-flips-f4-p", "64-flips-p"}) {
    built.push_back(topology_from_name(name));
  }
  problem.forms = std::make_shared<FormModel>(form_model(kRows));
  CHECK(choose_dense("flips", built, problem).name == "64-flips-f4-p");
  problem.forms = {};
  problem.spins = 70;
  CHECK(choose_dense("rows", built, problem).name == "100-rows-l8-f4-p-g");
  problem.spins = 300;
  CHECK_THROWS_WITH(choose_dense("rows", built, problem), Catch::Contains("256-rows-f4 holds 256"));
}

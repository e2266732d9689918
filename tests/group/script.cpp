#include "script.hpp"

#include <cmath>

#include "embedding/embedding.hpp"
#include "generate/generate.hpp"
#include "generate/models.hpp"
#include "model/forms.hpp"
#include "problem/bits.hpp"
#include "support/random.hpp"
#include "topology/topology.hpp"

namespace chainmail::test {

namespace {

PhysicalModel with_forms(const ConstrainedModel& model, double scale = 1.0) {
  FormModel forms = compile_forms(model).model;
  for (double& value : forms.linear) value *= scale;
  for (Neighbour& n : forms.pairs.items) n.value *= scale;
  PhysicalModel physical;
  physical.forms = std::make_shared<FormModel>(std::move(forms));
  return physical;
}

}  // namespace

std::vector<Case> form_cases() {
  GenerateOptions knapsack, jobs, split;
  knapsack.n = 30;
  jobs.n = 6;
  split.n = 3;
  return {
      {"cpu", "auto", with_forms(make_qkp(knapsack), 0.01)},
      // Thousandths have no end in binary: sums depend on the order they were added in.
      {"cpu", "auto", with_forms(make_qkp(knapsack), 0.001)},
      {"cpu", "auto", with_forms(make_assignment(jobs), 0.1)},
      {"cpu", "auto", with_forms(make_market_split(split))},
  };
}

std::vector<Case> cases() {
  GenerateOptions small;
  small.n = 40;
  const Problem sk = generate("sk", small);
  small.n = 5;
  small.integer = true;
  const Problem wishart = generate("wishart", small);
  const auto kernel = make_device({"hls:5x2", 1});
  std::vector<Case> all = {
      {"cpu", "cached", embed(sk, 1).model},  // a path that descends
      {"cpu", "auto", embed(sk, 1).model},
      {"cpu", "float", embed(sk, 2).model},
      {"cpu", "int8", embed(sk, 2).model},
  };
  for (Case& c : form_cases()) all.push_back(std::move(c));
  all.push_back({"hls:5x2", "auto", embed(wishart, *kernel->topology()).model, 1});
  return all;
}

Script::Script(Device& device, const Case& c) : device_(device), pbits_(c.model.pbits()) {
  device.load(c.model, {.grids = kGrids,
                        .replicas = kReplicas,
                        .seed = 99,
                        .beta_min = 0.05,
                        .beta_max = 0.8,
                        .penalty_max = 2.0,
                        .moves = {0.5, 1.0, 0.3},
                        .moments = c.model.forms != nullptr});
  for (std::size_t r = 0; r < kReplicas; ++r) {
    const double beta = 0.05 + 0.05 * static_cast<double>(r);
    parameters_.push_back(device.quantise({beta, beta * 1.5}));
  }
}

void Script::same_start() {
  for (Parameters& p : parameters_) p = parameters_.front();
  const std::vector<Spin> up(pbits_, Spin{1});
  for (std::size_t r = 0; r < kReplicas; ++r) device_.write_spins(0, r, up);
}

BurstResult Script::burst(std::size_t grid) {
  device_.submit(grid, parameters_, 3, number_++);
  return device_.wait(grid);
}

Story tell(Device& device, const Case& c, std::size_t rounds) {
  Story story;
  Script script(device, c);
  const auto hear_spins = [&](const std::vector<Spin>& spins) {
    story.insert(story.end(), spins.begin(), spins.end());
  };
  const auto hear = [&](const BurstResult& result) {
    for (const auto* values : {&result.f, &result.g, &result.best_f}) {
      story.insert(story.end(), values->begin(), values->end());
    }
    story.push_back(static_cast<double>(result.descents.size()));
    for (const Descent& descent : result.descents) {
      story.push_back(descent.f);
      hear_spins(descent.spins);
    }
    for (const BurstMoments& of : result.moments) {
      story.insert(story.end(), {of.mean, of.variance, static_cast<double>(of.proposals),
                                 static_cast<double>(of.accepted)});
    }
  };
  const FormModel* forms = c.model.forms.get();
  for (std::size_t grid = 0; grid < kGrids; ++grid) {
    for (std::size_t r = 0; r < kReplicas; ++r) {
      Engine engine(17 * grid + r);
      std::vector<Spin> spins =
          forms ? spins_of(forms->origin()) : std::vector<Spin>(c.model.pbits());
      for (std::uint32_t i = 0; i < spins.size(); ++i) {
        const Spin drawn = engine() >> 63U != 0 ? Spin{1} : Spin{-1};
        if (forms == nullptr || forms->group_of[i] == kNone) spins[i] = drawn;
      }
      device.write_spins(grid, r, spins);
    }
  }
  device.submit(0, script.parameters_, 2, 1000);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    device.submit(1, script.parameters_, 2 + round % 3, round);
    const BurstResult& ended = device.wait(0);
    hear(ended);
    const std::size_t asked = round % kReplicas;
    if (std::isfinite(ended.best_f[asked])) {  // or the burst saw nothing feasible
      hear_spins(device.read_spins(0, asked, Which::best));
    }
    const std::vector<Spin> one = device.read_spins(0, 3), other = device.read_spins(0, 8);
    device.write_spins(0, 3, other);
    device.write_spins(0, 8, one);
    // Replicas change places on the ladder, as swaps would have it.
    std::swap(script.parameters_[round % kReplicas], script.parameters_[(round + 4) % kReplicas]);
    const std::vector<std::size_t> cold = {10, 3, round % 3, 9};
    if (round % 2 == 0) device.descend_after(0, cold);
    if (forms != nullptr && round % 3 == 1) {
      std::vector<double> weights;
      for (std::size_t k = 0; k < forms->limits.size(); ++k) {
        weights.push_back(forms->limits[k].weight * static_cast<double>(1 + (k + round) % 3));
      }
      device.reweigh(0, weights);
    }
    device.submit(0, script.parameters_, 2, 1001 + round);
    hear(device.wait(1));
    hear_spins(device.read_spins(1, (2 * round) % kReplicas));
  }
  hear(device.wait(0));
  for (std::size_t r = 0; r < kReplicas; ++r) hear_spins(device.read_spins(0, r));
  return story;
}

}  // namespace chainmail::test

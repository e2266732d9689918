// Mean f and g of every path on models too large to enumerate, against a plain double
// implementation that shares no code with the device.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "device/cpu/table_model.hpp"
#include "embedding/embedding.hpp"
#include "reference.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

void check_means(const std::string& precision, const PhysicalModel& model, double beta,
                 double penalty) {
  constexpr std::size_t kReplicas = 256;
  LoadOptions options;
  options.replicas = kReplicas;
  options.seed = 17;
  options.beta_min = 0.5 * beta;
  options.beta_max = beta;
  options.penalty_max = penalty;
  const auto device = make_device({"cpu", 1, precision});
  device->load(model, options);
  const Parameters used = device->quantise({beta, beta * penalty});
  PhysicalModel sampled = model;
  if (precision == "int8") sampled.f = rounded(model.f, fit_tables(model, options).model->step);
  const Means mine = device_means(*device, used, kReplicas, 400, 300);
  const Means plain = plain_means(sampled, used, 60, 200, 300, 23);
  INFO(device->describe() << "\n beta " << used.beta << " betaP " << used.beta_penalty << " f "
                          << mine.f << " +- " << mine.f_error << " plain " << plain.f << " +- "
                          << plain.f_error << "; g " << mine.g << " plain " << plain.g);
  // 5 sigma of both errors together, 6e-7 each.
  CHECK(std::abs(mine.f - plain.f) < 5.0 * std::hypot(mine.f_error, plain.f_error));
  CHECK(std::abs(mine.g - plain.g) <= 5.0 * std::hypot(mine.g_error, plain.g_error));
}

}  // namespace

TEST_CASE("mean f and g agree with a plain implementation", "[device][means]") {
  const PhysicalModel sparse = random_model(60, 0.15, 0, true, true, 41);
  const PhysicalModel dense = random_model(50, 1.0, 0, true, false, 42);
  const PhysicalModel integers = random_model(60, 0.3, 4, true, true, 43);
  Problem problem;
  problem.objective = random_model(24, 1.0, 0, true, false, 44).f;
  const PhysicalModel chains = embed(problem, 3, Placement::packed).model;
  for (double beta : {0.1, 0.3}) {
    for (const std::string precision : {"float", "int8"}) {
      check_means(precision, sparse, beta, 0.8);
      check_means(precision, dense, 0.5 * beta, 0.0);
      check_means(precision, integers, 0.5 * beta, 1.1);
      check_means(precision, chains, 0.5 * beta, 2.0);
    }
    check_means("lanes", lattice_model(5, 1.0, 45), 2.0 * beta, 0.0);
    check_means("cached", lattice_model(5, 1.0, 45), 2.0 * beta, 0.0);
    check_means("cached", random_model(130, 1.0, 1, true, false, 46), 0.5 * beta, 0.0);
    check_means("cached", dense, 0.5 * beta, 0.0);
    check_means("cached", random_model(70, 1.0, 20000, true, false, 47), 2e-5 * beta, 0.0);
  }
}

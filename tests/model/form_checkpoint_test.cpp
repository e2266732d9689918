// Checkpoints of constrained models: a stopped run ends as if it had not been stopped, and edited
// files are refused.
#include <atomic>
#include <catch2/catch.hpp>

#include "../forged_checkpoint.hpp"
#include "../temporary_folder.hpp"
#include "generate/models.hpp"
#include "run/plan.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

struct Interrupted {
  TemporaryFolder folder;
  std::string path = folder.file("c");
  Source source = source_of(make(), "test");
  std::string saved;

  static ConstrainedModel make() {
    GenerateOptions options;
    options.n = 10;
    ConstrainedModel model = make_assignment(options);
    for (LinearTerm& t :
         model.objective.linear) {  // in steps of one, far below what they add up to
      t.coefficient = t.coefficient * Decimal(10'000'000'000) + Decimal(t.variable % 7);
    }
    return model;
  }

  Interrupted() {
    solved(true);
    saved = read_file(path);
    REQUIRE(saved.find("\"running\":[{") != std::string::npos);
  }

  Result solved(bool stops, std::optional<Decimal> target = {}) const {
    PlanOptions options;
    options.target = target;
    options.device.threads = 1;
    options.sweeps = 400;
    options.checkpoint = path;
    std::atomic<bool> stop{false};
    const auto device = open_device(source, options);
    return run(plan(source, options, *device, stop), *device, stop,
               [&](const SolveStatus& s) { stop = stops && s.fraction > 0.4; });
  }

  Result resume_from(const std::string& text, std::optional<Decimal> target = {}) const {
    write_file(path, text);
    return solved(false, target);
  }
};

}  // namespace

TEST_CASE("edited checkpoints of models are refused") {
  const Interrupted run;
  REQUIRE_NOTHROW(run.resume_from(run.saved));
  Engine engine(5);
  for (int k = 0; k < 200; ++k) {
    std::string text = run.saved;
    const std::size_t at = engine() % text.size();
    text[at] = static_cast<char>(text[at] + 1 + static_cast<int>(engine() % 255));
    INFO("byte " << at);
    REQUIRE_THROWS_AS(run.resume_from(text), InputError);
  }
  CHECK_THROWS_WITH(run.resume_from(run.saved.substr(0, run.saved.size() / 2)),
                    Catch::Contains("checksum"));
}

TEST_CASE("a model's checkpoint that lies about its best state is refused, or not believed") {
  const Interrupted run;
  const double objective = run.resume_from(run.saved).objective;
  const auto lie = [&](const std::function<void(nlohmann::json&)>& change) {
    return test::forged(run.saved, [&](nlohmann::json& j) { change(j["running"][0]["best"]); });
  };
  const auto lower_by = [&](double amount) {
    return lie(
        [&](auto& best) { best["energy"] = best["energy"].template get<double>() - amount; });
  };
  CHECK_THROWS_WITH(run.resume_from(lower_by(1e5)), Catch::Contains("another energy"));
  CHECK_THROWS_WITH(run.resume_from(lie([&](auto& best) {
    std::string text = best["solution"];
    const std::size_t off = text.find('-');
    text[off] = '+';
    std::vector<Bit> bits;
    for (char c : text) bits.push_back(c == '+' ? 1 : 0);
    best["solution"] = text;
    best["energy"] = run.source.model->form_model()->f(bits);
  })),
                    Catch::Contains("not feasible") || Catch::Contains("no replica can be in"));
  // Less than compilers may differ by, but more than a target is missed by.
  const Result aimed = run.resume_from(lower_by(50.0), Decimal(objective - 20.0));
  CHECK_FALSE((aimed.stopped_by == "target" && aimed.objective > objective - 20.0));
}

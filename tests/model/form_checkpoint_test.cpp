// Checkpoints of constrained models: a run that was stopped ends as if it had not been, and no
// edited file is taken for one.
#include <atomic>
#include <catch2/catch.hpp>

#include "../temporary_folder.hpp"
#include "generate/models.hpp"
#include "report/json.hpp"
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
  std::string whole, saved;

  static ConstrainedModel make() {
    GenerateOptions options;
    options.n = 10;
    return make_assignment(options);
  }

  Interrupted() {
    whole = solved({}, 1, false);
    solved(path, 1, true);
    saved = read_file(path);
    REQUIRE(saved.find("\"running\":{") != std::string::npos);
  }

  std::string solved(const std::string& checkpoint, unsigned threads, bool stops) const {
    PlanOptions options;
    options.device.threads = threads;
    options.sweeps = 400;
    options.checkpoint = checkpoint;
    std::atomic<bool> stop{false};
    const auto device = open_device(source, options);
    return to_json_without_timings(
        run(plan(source, options, *device, stop), *device, stop,
            [&](const SolveStatus& s) { stop = stops && s.fraction > 0.4; }));
  }

  std::string resumed_from(const std::string& text, unsigned threads = 1) const {
    write_file(path, text);
    return solved(path, threads, false);
  }
};

// The number of threads is told in one line of the result.
std::string without_device(std::string json) {
  const std::size_t line = json.find("\"device\"");
  return json.erase(line, json.find('\n', line) - line);
}

}  // namespace

TEST_CASE("a stopped run of a model ends as if it had not been, on any number of threads") {
  const Interrupted run;
  REQUIRE(run.resumed_from(run.saved) == run.whole);
  CHECK(without_device(run.resumed_from(run.saved, 3)) == without_device(run.whole));
  CHECK(without_device(run.solved({}, 3, false)) == without_device(run.whole));
}

TEST_CASE("edited checkpoints of models are refused") {
  const Interrupted run;
  Engine engine(5);
  for (int k = 0; k < 200; ++k) {
    std::string text = run.saved;
    const std::size_t at = engine() % text.size();
    text[at] = static_cast<char>(text[at] + 1 + static_cast<int>(engine() % 255));
    INFO("byte " << at);
    REQUIRE_THROWS_AS(run.resumed_from(text), InputError);
  }
  CHECK_THROWS_WITH(run.resumed_from(run.saved.substr(0, run.saved.size() / 2)),
                    Catch::Contains("checksum"));
}

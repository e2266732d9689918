// Checkpoints of constrained models: a run that was stopped ends as if it had not been, and no
// edited file is taken for one.
#include <atomic>
#include <catch2/catch.hpp>

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
    return make_assignment(options);
  }

  Interrupted() {
    solved(true);
    saved = read_file(path);
    REQUIRE(saved.find("\"running\":[{") != std::string::npos);
  }

  Result solved(bool stops) const {
    PlanOptions options;
    options.device.threads = 1;
    options.sweeps = 400;
    options.checkpoint = path;
    std::atomic<bool> stop{false};
    const auto device = open_device(source, options);
    return run(plan(source, options, *device, stop), *device, stop,
               [&](const SolveStatus& s) { stop = stops && s.fraction > 0.4; });
  }

  void resume_from(const std::string& text) const {
    write_file(path, text);
    solved(false);
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

// What users can do to a run works the same for every kind of problem: spins, spins with copies, a
// constrained model, and one without objective. One list of cases, four problems.
#include <sys/resource.h>

#include <fmt/format.h>
#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>

#include "../group/processes.hpp"
#include "../temporary_folder.hpp"
#include "generate/generate.hpp"
#include "generate/models.hpp"
#include "ladder/ladder_file.hpp"
#include "model/model_files.hpp"
#include "report/json.hpp"
#include "run/plan.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

const std::atomic<bool> kNever{false};

struct Case {
  std::string name;
  Source source;
  PlanOptions options = {};
};

// Twenty of sixty things, of which thirty cost something: the best costs nothing, which is a bound.
ConstrainedModel cheap_twenty() {
  std::string costs, count, weights, names;
  for (int i = 0; i < 60; ++i) {
    if (i < 30) costs += fmt::format(" + {} x{}", 1 + i % 7, i);
    count += fmt::format(" + x{}", i);
    weights += fmt::format(" + {} x{}", 3 + (5 * i) % 11, i);
    names += fmt::format(" x{}", i);
  }
  return parse_model(
      fmt::format("Minimize\n{}\nSubject To\n n: {} = 20\n w: {} <= 170\nBinary\n{}\n"
                  "End\n",
                  costs, count, weights, names),
      "cheap.lp", ModelFormat::lp);
}

// Each reaches what is known to be best early, and has a run of some length.
std::vector<Case> cases() {
  GenerateOptions make;
  make.n = 40;
  Problem spins = generate("sk", make);
  spins.known_optimum = spins.objective(std::vector<Spin>(40, 1));  // easily passed
  make.n = 12;
  Problem few = generate("sk", make);
  few.known_optimum = few.objective(std::vector<Spin>(12, 1));
  GenerateOptions graph;
  graph.graph = "queens";
  graph.n = 5;
  std::vector<Case> all;
  all.push_back({"spins", source_of(spins)});
  all.push_back({"copies", source_of(few)});
  all.back().options.copies = 2;
  all.back().options.given_ladder = ladder_by_hand({0.2, 0.5, 1.0, 2.0}, {1.0, 2.0, 3.0}, "test");
  all.push_back({"model", source_of(cheap_twenty(), "cheap.lp")});
  all.push_back({"model without objective", source_of(make_coloring(graph), "queens.col")});
  for (Case& kind : all) {
    kind.options.sweeps = 400;
    kind.options.reduce = false;
    kind.options.stop_at_optimum = false;
    kind.options.device.threads = 1;
  }
  all.front().options.sweeps = 20000;  // trials by rule are checked after some milliseconds
  return all;
}

Result solved(const Case& kind, Device& device, const std::atomic<bool>& stop = kNever,
              const SolveObserver& observer = {}) {
  return run(plan(kind.source, kind.options, device, stop), device, stop, observer);
}
Result solved(const Case& kind, const std::atomic<bool>& stop = kNever,
              const SolveObserver& observer = {}) {
  return solved(kind, *open_device(kind.source, kind.options), stop, observer);
}

// Without fields that depend on who did it.
std::string story(Result result) {
  result.device.clear();
  return to_json_without_timings(result);
}

void check_answer(const Result& result) {
  CHECK(result.best.feasible);
  CHECK(!result.best.solution.empty());
  CHECK(!result.trace.empty());
  CHECK(result.per_trial.size() == result.trials);
}

// Limits the size of files while this lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

std::atomic<bool> interrupted{false};
extern "C" void note_interrupt(int) {
  interrupted = true;
}

}  // namespace

TEST_CASE("every kind of problem takes what happens to a run alike", "[engine]") {
  const std::size_t number = GENERATE(0, 1, 2, 3);
  Case kind = std::move(cases().at(number));
  INFO(kind.name);
  const TemporaryFolder folder;
  const std::string checkpoint = folder.file("c");

  SECTION("a checkpoint that cannot be written costs no answer") {
    kind.options.checkpoint = checkpoint;
    const auto device = open_device(kind.source, kind.options);
    const Plan planned = plan(kind.source, kind.options, *device, kNever);
    const FileLimit limit(600);
    const Result result = run(planned, *device, kNever);
    check_answer(result);
    CHECK(result.stopped_by == "sweeps");
    CHECK(result.checkpoint_fault.find(checkpoint) != std::string::npos);
  }
  SECTION("a run that was stopped is resumed to what it would have become") {
    kind.options.trials = 2;
    const std::string whole = story(solved(kind));
    kind.options.checkpoint = checkpoint;
    for (double at : {0.2, 0.8}) {
      std::filesystem::remove(checkpoint);
      std::atomic<bool> stop{false};
      const Result part =
          solved(kind, stop, [&](const SolveStatus& s) { stop = s.fraction >= at; });
      CHECK(part.stopped_by == "interrupt");
      check_answer(part);
      CHECK(story(solved(kind)) == whole);
    }
  }
  SECTION("a time limit is one of this session") {
    kind.options.checkpoint = checkpoint;
    kind.options.sweeps = 1'000'000'000;
    std::atomic<bool> stop{false};
    std::uint64_t updates =
        solved(kind, stop, [&](const SolveStatus& s) { stop = s.sweeps_done > 0; }).updates;
    kind.options.time_limit = 0.15;
    for (int session = 0; session < 2; ++session) {
      INFO("session " << session);
      kind.options.start = std::chrono::steady_clock::now();
      const Result result = solved(kind);
      check_answer(result);
      CHECK(result.stopped_by == "time limit");
      CHECK(result.updates > updates);
      updates = result.updates;
    }
  }
  SECTION("as many trials are run as were asked for, also where one finds all there is") {
    kind.options.stop_at_optimum = true;
    kind.options.trials = 3;
    const Result result = solved(kind);
    check_answer(result);
    CHECK(result.trials == 3);
    for (const TrialResult& trial : result.per_trial) CHECK(trial.feasible);
  }
  SECTION("a run ends where nothing better is to be found, unless it may not") {
    const Result whole = solved(kind);
    CHECK(whole.stopped_by == "sweeps");
    kind.options.stop_at_optimum = true;
    const Result result = solved(kind);
    check_answer(result);
    CHECK(result.stopped_by != "sweeps");
    CHECK(result.updates < whole.updates);
  }
  SECTION("rejections and the time of tuning are measured") {
    const Result result = solved(kind);
    CHECK(result.rejections > 0.0);
    CHECK(result.tune_seconds > 0.0);
    CHECK(result.updates > 0);
  }
  SECTION("a device that is lost leaves the best state so far") {
    const Member member;
    DeviceOptions options = kind.options.device;
    if (kind.source.model) options.precision = "float";
    const auto device = make_remote_device(member.shared_channel(), options);
    const Result result = solved(kind, *device, kNever, [&](const SolveStatus& s) {
      if (s.fraction > 0.3) member.signal(SIGKILL);
    });
    CHECK(result.stopped_by == "device fault");
    CHECK(!result.device_fault.empty());
    check_answer(result);
  }
  SECTION("a remote device gives the same bits") {
    const Member member;
    DeviceOptions options = kind.options.device;
    if (kind.source.model) options.precision = "float";
    const auto device = make_remote_device(member.shared_channel(), options);
    CHECK(story(solved(kind, *device)) == story(solved(kind)));
  }
  SECTION("an interrupt keeps the best answer") {
    interrupted = false;
    const auto before = std::signal(SIGINT, note_interrupt);
    kind.options.sweeps = 1'000'000'000;
    const Result result = solved(kind, interrupted, [](const SolveStatus&) { std::raise(SIGINT); });
    std::signal(SIGINT, before);
    CHECK(result.stopped_by == "interrupt");
    check_answer(result);
  }
}

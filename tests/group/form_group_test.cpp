// Whole runs of constrained models over several processes: the same bits as in one, also when they
// are resumed on others. (What devices do for them call by call: group_test.cpp, remote_test.cpp.)
#include <atomic>
#include <catch2/catch.hpp>

#include "../temporary_folder.hpp"
#include "device/group/group_device.hpp"
#include "generate/models.hpp"
#include "processes.hpp"
#include "report/json.hpp"
#include "run/plan.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

const std::atomic<bool> kNever{false};

// This process and the others.
std::unique_ptr<Device> group_with(const std::vector<Member>& others) {
  std::vector<std::unique_ptr<Device>> members;
  members.push_back(make_device({"cpu", 1, "float"}));
  for (const Member& other : others) {
    members.push_back(make_remote_device(other.shared_channel(), {"cpu", 1, "float"}));
  }
  return make_group_device(std::move(members), {});
}

// Without fields that depend on which member did it.
std::string story(Result result) {
  result.device.clear();
  result.members.clear();
  return to_json_without_timings(result);
}

Result solved(const Source& source, const PlanOptions& options, Device& device,
              const std::atomic<bool>& stop = kNever, const SolveObserver& observer = {}) {
  return run(plan(source, options, device, stop), device, stop, observer);
}

std::vector<ConstrainedModel> models() {
  GenerateOptions knapsack, split, labs;
  knapsack.n = 40;
  split.n = 5;
  labs.n = 36;
  ConstrainedModel tenths = make_qkp(knapsack);
  for (LinearTerm& t : tenths.objective.linear) t.coefficient = t.coefficient * Decimal(0.1);
  return {make_qkp(knapsack), tenths, make_market_split(split), make_labs(labs)};
}

}  // namespace

TEST_CASE("whole runs of models are the same over processes, also when resumed on others",
          "[group][forms]") {
  for (const ConstrainedModel& model : models()) {
    INFO(model.name);
    const Source source = source_of(model, "test");
    PlanOptions options;
    options.sweeps = 200;
    options.trials = 2;
    options.rows = 6;
    const std::string whole = story(solved(source, options, *make_device({"cpu", 1, "float"})));
    const std::vector<Member> others(3);
    CHECK(story(solved(source, options, *group_with(others))) == whole);
    const TemporaryFolder folder;
    options.checkpoint = folder.file("c");
    std::atomic<bool> stop{false};
    const std::vector<Member> first(2), fewer(1);
    solved(source, options, *group_with(first), stop,
           [&](const SolveStatus& s) { stop = s.fraction > 0.3; });
    CHECK(story(solved(source, options, *group_with(fewer))) == whole);
  }
}

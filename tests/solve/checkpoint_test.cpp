// Tampered checkpoints: after any single edit, the file is refused or the run ends with the same
// result. And what a checkpoint with a correct checksum must still satisfy.
#include <catch2/catch.hpp>
#include <fstream>
#include <functional>

#include "../forged_checkpoint.hpp"
#include "../temporary_folder.hpp"
#include "generate/generate.hpp"
#include "report/json.hpp"
#include "solve/solver.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

using namespace chainmail;
using nlohmann::json;
using test::forged;

namespace {

// A short run with a constraint, stopped in its second batch, so that the checkpoint has trials
// that are finished and trials that are not.
class Interrupted {
 public:
  Interrupted() : embedding_(embed(problem(), 2, Placement::alt)) {
    ladder_.beta = {0.5, 1.0, 2.0};
    ladder_.penalty = {0.5, 1.5};
    options.sweeps = 120;
    options.sweeps_per_swap = 10;
    options.trials = 5;
    whole = result();
    options.checkpoint = folder_.file("run.checkpoint");
    std::atomic<bool> stop{false};
    int rounds = 0;
    const auto device = make_device({"cpu", 1, "auto"});
    (void)solve(problem(), embedding_, ladder_, *device, options, stop,
                [&](const SolveStatus&) { stop = ++rounds >= 14; });
    saved = read_file(options.checkpoint);
  }

  static const Problem& problem() {
    static const Problem made = [] {
      GenerateOptions generate_options;
      generate_options.n = 8;
      Problem wishart = generate("wishart", generate_options);
      Quadratic g(8);  // the first two spins agree
      g.offset = 1.0;
      g.couplings.push_back({0, 1, 1.0});
      wishart.constraint = g;
      wishart.known_optimum.reset();
      wishart.known_solution.clear();
      return wishart;
    }();
    return made;
  }

  std::string result(const DeviceOptions& device_options = {"cpu", 1, "auto"}) const {
    const std::atomic<bool> never{false};
    const auto device = make_device(device_options);
    Result result = solve(problem(), embedding_, ladder_, *device, options, never);
    result.device = "cpu";
    return to_json_without_timings(result);
  }
  std::string resumed_from(const std::string& text) const {
    std::ofstream(options.checkpoint, std::ios::binary) << text;  // not synced: thousands follow
    return result();
  }

  SolveOptions options;
  std::string whole, saved;

 private:
  TemporaryFolder folder_;
  Embedding embedding_;
  Ladder ladder_;
};

std::string mutated(std::string text, Engine& engine) {
  const std::size_t place = engine() % text.size();
  switch (engine() % 5) {
    case 0:
      text[place] = static_cast<char>(text[place] ^ 1 << engine() % 8);
      break;
    case 1:
      text.erase(place, 1 + engine() % 4);
      break;
    case 2:
      text.insert(place, 1, "0123456789+-,]}\" \n"[engine() % 18]);
      break;
    case 3: {  // one digit or sign for another
      const std::size_t digit = text.find_first_of("0123456789+-", place);
      if (digit != std::string::npos) text[digit] = "0123456789+-x"[engine() % 13];
      break;
    }
    default:
      text.resize(place);
  }
  return text;
}

void mutate(std::size_t count) {
  const Interrupted run;
  REQUIRE(json::parse(run.saved.substr(0, run.saved.find('\n'))).at("finished").size() == 4);
  REQUIRE(run.resumed_from(run.saved) == run.whole);
  Engine engine(13);
  std::size_t refused = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string text = mutated(run.saved, engine);
    try {
      const std::string result = run.resumed_from(text);
      INFO("mutation " << k);
      REQUIRE(result == run.whole);
    } catch (const InputError& error) {
      ++refused;
      REQUIRE_THAT(error.what(), Catch::Contains("run.checkpoint"));
    }
  }
  CHECK(refused > count / 2);
}

}  // namespace

TEST_CASE("an edited checkpoint is refused or gives the same result") {
  mutate(200);
}

TEST_CASE("ten thousand edited checkpoints are refused or give the same result", "[.]") {
  mutate(10000);
}

TEST_CASE("a checkpoint with a right checksum is still measured and evaluated again") {
  const Interrupted run;
  const auto refused = [&](const std::string& why, const std::function<void(json&)>& change) {
    INFO(why);
    CHECK_THROWS_WITH(run.resumed_from(forged(run.saved, change)), Catch::Contains(why));
  };
  REQUIRE(run.resumed_from(forged(run.saved, [](json&) {})) == run.whole);
  refused("another energy", [](json& j) { j["finished"][0]["best"]["energy"] = -1e6; });
  for (const char* trials : {"finished", "running"}) {  // a small error counts, too
    refused("another energy", [&](json& j) {
      json& energy = j[trials][0]["best"]["energy"];
      energy = energy.get<double>() - 1e-6;
    });
  }
  refused("not feasible", [](json& j) {
    json& best = j["finished"][0]["best"];
    std::string text = best["solution"];
    std::vector<Spin> spins;
    text[0] = '+';
    text[1] = '-';
    for (char c : text) spins.push_back(c == '+' ? 1 : -1);
    best["solution"] = text;
    best["energy"] = Interrupted::problem().objective(spins);
    best["feasible"] = true;
  });
  refused("another size", [](json& j) { j["finished"][1]["best"]["solution"] = "+-"; });
  refused("neither + nor -", [](json& j) { j["finished"][1]["best"]["solution"] = "+-+-x+-+"; });
  refused("neither + nor -", [](json& j) { j["spins"][0][0] = std::string(16, 'x'); });
  refused("another model", [](json& j) { j["spins"][0][0] = "+"; });
  refused("number of replicas", [](json& j) { j["spins"][0].erase(0); });
  refused("spins of another run", [](json& j) { j["spins"].clear(); });
  refused("two replicas in one cell",
          [](json& j) { j["running"][0]["cell_of"][0] = j["running"][0]["cell_of"][1]; });
  refused("a grid of another size", [](json& j) { j["running"][0]["cell_of"].erase(0); });
  refused("heading", [](json& j) { j["running"][0]["heading"][0] = 7; });
  refused("swaps of a grid", [](json& j) { j["finished"][0]["accepts_beta"].erase(0); });
  refused("walks and trace", [](json& j) { j["finished"][0]["walks"][0].push_back(0); });
  refused("leaves the grid", [](json& j) { j["finished"][0]["walks"][0][0] = 99; });
  refused("raised too far", [](json& j) { j["running"][0]["watch"][3] = 5.0; });
  refused("more sweeps", [](json& j) { j["running"][0]["sweeps"] = 121; });
  refused("not at its end", [](json& j) { j["finished"][0]["sweeps"] = 110; });
  refused("more trials", [](json& j) {
    for (int k = 0; k < 5; ++k) j["finished"].push_back(j["finished"][0]);
  });
  refused("damaged checkpoint", [](json& j) { j["finished"][0].erase("trace"); });
  refused("is of version 3, this program's are of version 4", [](json& j) { j["version"] = 3; });
  refused("is of version 2", [](json& j) {
    j["format"] = "chainmail-form-checkpoint";
    j["version"] = 2;
  });
  refused("not a checkpoint", [](json& j) { j["format"] = "chainmail-schedule"; });
  refused("belongs to another run", [](json& j) { j["fingerprint"] = 1; });
}

TEST_CASE("a checkpoint is not continued with other arithmetic or other moves") {
  const Interrupted run;
  write_file(run.options.checkpoint, run.saved);
  for (const DeviceOptions& other :
       {DeviceOptions{"cpu", 1, "float"}, DeviceOptions{"cpu", 1, "auto", "chain"}}) {
    CHECK_THROWS_WITH(run.result(other), Catch::Contains("belongs to another run"));
  }
  CHECK(run.result({"cpu", 2, "auto"}) == run.whole);
}

TEST_CASE("a checkpoint that is no file is refused at once") {
  Interrupted run;
  for (const char* path : {"/dev/zero", "/dev/full", "/"}) {
    run.options.checkpoint = path;
    CHECK_THROWS_WITH(run.result(), Catch::Contains("not a regular file"));
  }
}

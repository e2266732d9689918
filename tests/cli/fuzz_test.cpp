// Random command lines: options that exist and some that do not, values that fit and some that do
// not, in any combination. In every case the program ends in time, with one of its exit codes, and
// a failure is one line.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/random.hpp"
#include "workplace.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

using Words = std::vector<std::string>;

class Fuzzer {
 public:
  explicit Fuzzer(std::uint64_t seed) : engine_(seed) {
    place_.run("generate full-adder -o adder.json");
    place_.run("generate wishart -n 8 --seed 3 -o wishart.json");
    place_.run("generate sk -n 6 -o sk.coo");
    place_.run("generate qkp -n 6 -o knapsack.lp");
    place_.run("generate maxcut -n 8 --degree 3 -o cut.coo");
    place_.run("tune adder.json --copies 2 -o ladder.json");
    place_.run("solve adder.json --sweeps 50 --json result.json");
    place_.run("solve knapsack.lp --sweeps 50 --solution answer.txt");
    place_.write("broken.json", "{\"format\":");
    place_.write("triangle.col", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n");
  }

  void run_one(std::size_t number) {
    const std::string line = command_line();
    // Only a run takes a time limit: 1e9 sweeps of sampling are intentional, and end by Ctrl-C.
    const bool endless = line.starts_with("sample") || line.starts_with("tune");
    const auto outcome =
        place_.run(line, "/dev/null",
                   endless ? "timeout --preserve-status -s INT -k 50 5" : "timeout -s KILL 60");
    INFO("command " << number << ": chainmail " << line << "\n" << outcome.errors);
    if (endless && outcome.code == 6) return;
    REQUIRE((outcome.code >= 0 && outcome.code <= 5));
    ++codes_[static_cast<std::size_t>(outcome.code)];
    if (outcome.code == 0) {
      CHECK(outcome.errors.empty());
    } else if (outcome.code < 4) {  // from there on it is a verdict, not a failure
      CHECK_THAT(outcome.errors, Catch::StartsWith("chainmail: "));
      CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
    }
    CHECK(outcome.errors.find("std::") == std::string::npos);  // no bare exception
    if (outcome.code == 0 && line.find("--json - ") != std::string::npos &&
        line.find("--help") == std::string::npos) {
      CHECK(nlohmann::json::accept(outcome.output));
    }
  }
  const std::array<std::size_t, 6>& codes() const { return codes_; }

 private:
  const std::string& any(const Words& words) { return words[engine_() % words.size()]; }
  bool chance(unsigned percent) { return engine_() % 100 < percent; }

  std::string number() {
    static const Words numbers = {"0",   "1",    "2",     "3",   "7",    "50",  "1e3", "1e15", "-1",
                                  "0.5", "1e-9", "1e308", "nan", "-inf", "1e9", "",    "x"};
    return any(numbers);
  }
  std::string file() {
    static const Words files = {"adder.json",  "wishart.json", "sk.coo",      "knapsack.lp",
                                "cut.coo",     "triangle.col", "broken.json", "result.json",
                                "ladder.json", "nowhere.json", "/dev/null",   "."};
    return chance(75) ? files[engine_() % 5] : any(files);
  }
  std::string option() {
    static const Words numeric = {
        "sweeps",   "sweeps-per-swap", "trials",       "solutions",      "seed",      "copies",
        "rows",     "columns",         "threads",      "penalty",        "target",    "beta0",
        "penalty0", "pilot-chains",    "pilot-warmup", "pilot-samples",  "rehearsal", "time-limit",
        "colors",   "samples",         "warmup",       "device-timeout", "size",      "alpha",
        "degree",   "density",         "snr"};
    static const std::vector<std::pair<std::string, Words>> worded = {
        {"method", {"auto", "2dpt", "jcolumn", "pt", "magic"}},
        {"swap-sets", {"toggle", "all", "columns", "none"}},
        {"ladder", {"auto", "window", "rigid", "paper", "rope"}},
        {"precision", {"auto", "int8", "float", "int4"}},
        {"moves", {"single", "chain", "worm"}},
        {"placement", {"alt", "balanced", "packed", "loose"}},
        {"device",
         {"cpu", "hls:5x2", "hls:8x3", "hls:8x1", "hls:1x1", "toaster", "uart:/dev/null"}},
        {"format", {"detect", "json", "coo", "lp", "mps", "col", "qkp", "doc"}},
        {"betas", {"1", "1,2", "2,1", "0.5,1,2", "1,x", ""}},
        {"penalties", {"1", "1,2", "0,0", "3,1"}},
        {"schedule", {"ladder.json", "adder.json", "nowhere"}},
        {"initial", {"result.json", "answer.txt", "nowhere"}},
        {"json", {"- ", "out.json", "/nonexistent/x", "adder.json", "/dev/full"}},
        {"trace", {"out.csv", "-", "."}},
        {"report", {"out.html", "/dev/full"}},
        {"solution", {"out.txt", "-"}},
        {"checkpoint", {"out.ckpt", "/dev/full", "adder.json"}},
        {"output", {"out.txt", "-", "adder.json"}},
        {"graph", {"mycielski", "queens", "ring"}}};
    static const Words flags = {"quiet",   "literal",  "plain-penalty", "all",
                                "integer", "gaussian", "help",          "nonsense"};
    const unsigned kind = static_cast<unsigned>(engine_() % 10);
    if (kind < 5) return "--" + any(numeric) + " " + quoted(number());
    if (kind < 9) {
      const auto& [name, values] = worded[engine_() % worded.size()];
      return "--" + name + " " + (name == "json" ? any(values) : quoted(any(values)));
    }
    return "--" + any(flags);
  }
  static std::string quoted(const std::string& word) { return "'" + word + "'"; }

  std::string command_line() {
    static const Words commands = {"solve",  "solve", "solve", "tune",
                                   "sample", "info",  "check", "convert"};
    std::string line = chance(95) ? any(commands) : "dance";
    if (line == "info" && chance(20))
      line = chance(50) ? "topology 5x2" : "generate wishart -n 9";
    else if (chance(97))
      line += " " + file();
    if (line.starts_with("convert"))
      line += " " + any({"out.json", "out.coo", "out.lp", "out.qubo", "out.doc"});
    if (line.starts_with("check")) line += chance(50) ? " result.json" : " answer.txt";
    const bool runs = line.starts_with("solve");
    // One in a few has only options of its own, so that runs succeed as well.
    const unsigned count = static_cast<unsigned>(engine_() % (chance(40) ? 2 : 6));
    for (unsigned k = 0; k < count; ++k) line += " " + option();
    if (runs) line += " --time-limit 0.05";
    if (line.starts_with("sample")) line += " --samples 3 --warmup 1 --pilot-samples 20";
    if (line.starts_with("tune")) line += " --pilot-samples 20 --rehearsal 100";
    return line;
  }

  Workplace place_;
  Engine engine_;
  std::array<std::size_t, 6> codes_{};
};

void fuzz(std::uint64_t seed, std::size_t count) {
  Fuzzer fuzzer(seed);
  for (std::size_t k = 0; k < count; ++k) fuzzer.run_one(k);
  // The mix holds runs that succeed, bad input and wrong usage.
  CHECK(fuzzer.codes()[0] > count / 20);
  CHECK(fuzzer.codes()[1] > count / 50);
  CHECK(fuzzer.codes()[2] > count / 10);
}

}  // namespace

TEST_CASE("random command lines end in time and in order") {
  fuzz(1, 200);
}

TEST_CASE("ten thousand random command lines", "[.]") {
  fuzz(2, 10000);
}

// What the documents promise: their quick commands are run as written (`make docs-test` runs the
// long ones too), and every kind of result keeps to its schema.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"

using namespace chainmail;
using namespace chainmail::test;
using Catch::Contains;

TEST_CASE("the quick commands of README and docs do what is written beside them", "[docs]") {
  const Outcome outcome = run("tests/docs_commands --quick");
  INFO(outcome.text);
  CHECK(outcome.code == 0);
}

TEST_CASE("a promise that is not kept, and commands nobody runs, are found", "[docs]") {
  const auto found = [](const std::string& page) {
    // Pages are named from the top of the tree.
    const std::string name = "build/docs_test_page.md";
    write_file(name, page);
    return run("tests/docs_commands " + name);
  };
  const std::string help = "build/chainmail --version";
  CHECK(found("<!-- run: quick -->\n```sh\n" + help + "  # → chainmail\n```\n").code == 0);
  CHECK_THAT(found("<!-- run: quick -->\n```sh\n" + help + "  # → banana\n```\n").text,
             Contains("did not print: banana"));
  CHECK_THAT(
      found("<!-- run: quick -->\n```sh\n" + help + "\n```\n\n```text\nchain ... pear\n```\n").text,
      Contains("not printed: chain ... pear"));
  CHECK_THAT(found("```sh\n" + help + "\n```\n").text, Contains("commands without"));
  CHECK_THAT(found("<!-- run: quick -->\n```sh\nbuild/chainmail dance\n```\n").text,
             Contains("ended with 2"));
}

TEST_CASE("every kind of result keeps to docs/result.schema.json", "[docs]") {
  const TemporaryFolder folder;
  const auto in = [&](const std::string& command) {
    return run("cd '" + folder.path.string() + "' && " + command);
  };
  const std::string program = test::program();
  const auto make = [&](const std::string& what) {
    REQUIRE(in("'" + program + "' generate " + what).code == 0);
  };
  make("full-adder -o adder.json");
  make("wishart -n 12 -o wishart.json");
  make("maxcut -n 12 --degree 3 -o cut.coo");
  make("qkp -n 8 -o knapsack.lp");
  make("tsp -n 5 -o trip.lp");
  write_file(folder.file("none.lp"),
             "Minimize\n a\nSubject To\n c: a + b >= 3\nBinary\n a b\nEnd\n");
  write_file(folder.file("q.qubo"), "p qubo 0 2 2 1\n0 0 -1\n1 1 -1\n0 1 3\n");
  std::string files;
  const auto solve = [&](const std::string& what) {
    const std::string file = folder.file("r" + std::to_string(files.size()) + ".json");
    const Outcome outcome = in("'" + program + "' solve " + what + " --quiet --json " + file);
    INFO(what << ": " << outcome.text);
    REQUIRE((outcome.code == 0 || outcome.code == 4 || outcome.code == 5));
    files += " " + file;
  };
  for (const char* what :
       {"adder.json", "adder.json --copies 2", "adder.json --solutions 4 --sweeps 100",
        "wishart.json --copies 3 --trials 3 --sweeps 200 --no-stop", "wishart.json --literal -k 2",
        "wishart.json --copies 2 --device hls:16x2", "wishart.json --method jcolumn -k 2",
        "cut.coo --sweeps 100", "q.qubo --solutions 3 --sweeps 100", "none.lp --time-limit 0.2",
        "knapsack.lp --time-limit 0.2 --solutions 3", "trip.lp --device hls:16x1 --sweeps 200",
        "wishart.json -k 3 --betas 0.001 --penalties 0.001 --sweeps 10"}) {
    solve(what);
  }
  const Outcome checked = run("tests/check_results" + files);
  INFO(checked.text);
  CHECK(checked.code == 0);

  // A field that is missing, unknown or of another kind is found.
  const std::string any = folder.file("r0.json");
  const auto spoilt = [&](const auto& change) {
    nlohmann::json json = nlohmann::json::parse(read_file(any));
    change(json);
    write_file(folder.file("spoilt"), json.dump());
    return run("tests/check_results " + folder.file("spoilt")).code;
  };
  CHECK(spoilt([](nlohmann::json&) {}) == 0);
  CHECK(spoilt([](nlohmann::json& j) { j.erase("verdict"); }) == 1);
  CHECK(spoilt([](nlohmann::json& j) { j["colours"] = 0; }) == 1);
  CHECK(spoilt([](nlohmann::json& j) { j["extra"] = 1; }) == 1);
  CHECK(spoilt([](nlohmann::json& j) { j["solution"][0] = 2; }) == 1);
}

// `minizinc --solver chainmail` from the build folder, on models whose answers are known: each
// begins with a comment that has its own, and whether it is to be proved. Needs minizinc, which
// `make test` does not install: it brings Gecode and Qt.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "../command.hpp"

using namespace chainmail::test;
namespace fs = std::filesystem;

TEST_CASE("minizinc finds the known answers with this solver", "[cli][minizinc]") {
  if (run("command -v minizinc").code != 0) {
    WARN("minizinc is not installed: its ten models were not run");
    return;
  }
  const std::string folder = fs::path(program()).parent_path().string();
  std::size_t models = 0;
  for (const auto& entry : fs::directory_iterator("tests/cli/minizinc")) {
    INFO(entry.path().string());
    std::ifstream file(entry.path());
    std::string answer;
    std::getline(file, answer);
    const std::string begin = "% answer: ", proved = " proved";
    REQUIRE(answer.rfind(begin, 0) == 0);
    answer.erase(0, begin.size());
    const bool optimum = answer.size() > proved.size() &&
                         answer.compare(answer.size() - proved.size(), proved.size(), proved) == 0;
    if (optimum) answer.resize(answer.size() - proved.size());
    const bool solved = answer[0] != '=';
    // minizinc warns of files of its own library.
    const Outcome outcome =
        run("MZN_SOLVER_PATH='" + folder + "' minizinc --solver chainmail -p 2 '" +
            entry.path().string() + "' 2>/dev/null");
    CHECK(outcome.text ==
          answer + "\n" + (solved ? "----------\n" : "") + (optimum ? "==========\n" : ""));
    CHECK(outcome.code == 0);
    ++models;
  }
  CHECK(models >= 10);
}

// Reading a state to start from: both forms, and the message for each mistake.
#include "report/solution.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "report/json.hpp"
#include "sample.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

struct TemporaryFile {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("chainmail-solution-" + std::to_string(::getpid())))
                         .string();
  explicit TemporaryFile(const std::string& content) { write_file(path, content); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path); }
};

std::vector<int> read(const std::string& content, std::size_t spins) {
  const TemporaryFile file(content);
  const std::vector<Spin> solution = read_solution(file.path, spins);
  return {solution.begin(), solution.end()};
}

// The message without the folder the temporary file happens to be in.
std::string error(const std::string& content, std::size_t spins) {
  const TemporaryFile file(content);
  try {
    read_solution(file.path, spins);
  } catch (const InputError& e) {
    const std::string what = e.what();
    REQUIRE(what.starts_with(file.path));
    return what.substr(file.path.size());
  }
  return "no error";
}

}  // namespace

TEST_CASE("our own result is a start", "[report][solution]") {
  const Result r = test::sample_result();
  const TemporaryFile file(to_json(r));
  CHECK(read_solution(file.path, 50) == r.best.solution);
}

TEST_CASE("plain text is a start", "[report][solution]") {
  CHECK(read("+1 -1 1\n", 3) == std::vector<int>{1, -1, 1});
  CHECK(read("# from a script\n0 1\t1 # two up\r\n\n0", 4) == std::vector<int>{-1, 1, 1, -1});
  CHECK(read("", 0).empty());
}

TEST_CASE("mistakes in text are told with their line", "[report][solution]") {
  CHECK(error("1 1\n1 2\n", 4) == ":2: expected +1, -1, 1 or 0, found '2'");
  CHECK(error("1 1\n# 1\n1\n", 4) == ":3: expected 4 spins, found 3");
  CHECK(error("1 1\n1\n", 2) == ":2: expected 2 spins, found more");
  CHECK(error("-1 1\n\n0", 3) == ":3: expected -1 for a spin down, as in line 1, found '0'");
  CHECK(error("1.0", 1) == ":1: expected +1, -1, 1 or 0, found '1.0'");
  CHECK(error("", 1) == ":0: expected 1 spin, found 0");
  CHECK(error(std::string(500, 'x'), 1) ==
        ":1: expected +1, -1, 1 or 0, found '" + std::string(24, 'x') + "...'");
}

TEST_CASE("mistakes in JSON are told with their field", "[report][solution]") {
  CHECK(error("{\n\"solution\": [1,\n", 1).starts_with(":3: expected a JSON result: "));
  CHECK(error("{\n\"solution\": [1e999]}", 1).starts_with(": expected a JSON result: "));
  CHECK(error("{}", 1) == ": expected a result with a field \"solution\", found none");
  CHECK(error("{\"solution\": 1}", 1) == ": field \"solution\": expected an array, found number");
  CHECK(error("{\"solution\": [1, -1]}", 3) == ": field \"solution\": expected 3 spins, found 2");
  CHECK(error("{\"solution\": [-1, 1, 0]}", 3) ==
        ": field \"solution\", element 2: expected 1 and -1 or 1 and 0, found 0");
  CHECK(error("{\"solution\": [1, \"up\"]}", 2) ==
        ": field \"solution\", element 1: expected 1 and -1 or 1 and 0, found \"up\"");
}

TEST_CASE("a file that is not there is named", "[report][solution]") {
  CHECK_THROWS_WITH(read_solution("/nowhere/x.json", 1),
                    Catch::Contains("/nowhere/x.json") && Catch::Contains("No such file"));
}

TEST_CASE("mutated results end in a solution or an InputError", "[report][solution]") {
  const std::string valid = to_json(test::sample_result({.spins = 8, .rows = 2, .columns = 2}));
  const TemporaryFile file("");
  for (std::uint64_t k = 0; k < 500; ++k) {
    std::string text = valid;
    const std::uint64_t where = hash_of(11, {k, 0}) % text.size();
    const auto what = static_cast<char>(hash_of(11, {k, 1}) & 0xffu);
    if (k % 3 == 0) text[where] = what;
    if (k % 3 == 1) text.erase(where, hash_of(11, {k, 2}) % 40);
    if (k % 3 == 2) text.insert(where, 1, what);
    write_file(file.path, text);
    try {
      const std::vector<Spin> solution = read_solution(file.path, 8);
      REQUIRE(solution.size() == 8);
    } catch (const InputError&) {
      continue;
    }
  }
}

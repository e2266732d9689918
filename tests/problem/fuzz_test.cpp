// Readers against damaged files: valid ones of every format are mutated at random; each result must
// be refused with InputError or be a valid problem that both writers reproduce unchanged. Anything
// else (another exception, a crash, a sanitizer's report) is a bug. 2,000 mutations a format here;
// a million with `[.long]`, a case for each format, under sanitizers: `make fuzz-problems`.
#include <algorithm>
#include <catch2/catch.hpp>

#include "generate/generate.hpp"
#include "problem/files.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : engine_(seed) {}

  std::string mutate(std::string text, const std::string& other) {
    const std::size_t count = 1 + below(3);
    for (std::size_t k = 0; k < count; ++k) once(text, other);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }
  std::size_t place(const std::string& text) { return below(text.size() + 1); }

  void once(std::string& text, const std::string& other) {
    const std::size_t at = place(text);
    const std::size_t length = 1 + below(12);
    switch (below(9)) {
      case 0:  // flip a bit
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:  // another byte
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(place(text), length));
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text.insert(at, other.substr(place(other), 4 * length));
        break;
      case 6:
        duplicate_line(text, at);
        break;
      case 7:
        text.insert(at, token());
        break;
      default:
        edit_number(text, at);
        break;
    }
  }

  void duplicate_line(std::string& text, std::size_t at) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) return;
    const std::size_t start = text.rfind('\n', at == 0 ? 0 : at - 1);
    const std::size_t first = start == std::string::npos ? 0 : start + 1;
    if (first > end) return;
    text.insert(end + 1, text.substr(first, end + 1 - first));
  }

  // The first number after `at` becomes another one.
  void edit_number(std::string& text, std::size_t at) {
    const std::size_t start = text.find_first_of("0123456789", at);
    if (start == std::string::npos) return;
    const std::size_t end = text.find_first_not_of("0123456789.eE+-", start);
    text.replace(start, end == std::string::npos ? end : end - start, token());
  }

  std::string token() {
    static const std::vector<std::string> tokens = {"0",
                                                    "1",
                                                    "-1",
                                                    "2",
                                                    "7",
                                                    "1048575",
                                                    "1048576",
                                                    "4294967296",
                                                    "18446744073709551616",
                                                    "1e999",
                                                    "1e308",
                                                    "-1e308",
                                                    "5e-324",
                                                    "1e-400",
                                                    "nan",
                                                    "inf",
                                                    "-0",
                                                    "0.1",
                                                    "1e3",
                                                    ".5",
                                                    "5.",
                                                    "0x1p3",
                                                    "-",
                                                    "+1",
                                                    "",
                                                    " ",
                                                    "\t",
                                                    "\n",
                                                    "\r\n",
                                                    "\"",
                                                    "[",
                                                    "]",
                                                    "{",
                                                    "}",
                                                    ":",
                                                    ",",
                                                    "#",
                                                    "#: ",
                                                    "c ",
                                                    "p qubo 0 3 3 3\n",
                                                    "null",
                                                    "true",
                                                    "\\u0000",
                                                    "\xc3\xa9",
                                                    "\xff"};
    return tokens[below(tokens.size())];
  }

  Engine engine_;
};

Problem made(const std::string& kind, std::size_t n) {
  GenerateOptions options;
  options.n = n;
  return generate(kind, options);
}

std::string rich_json() {
  Problem p = made("mimo", 4);
  p.constraint = Quadratic(4);
  p.constraint->couplings = {{0, 1, -1.0}};
  p.constraint->offset = p.known_solution[0] == p.known_solution[1] ? -1.0 : 1.0;
  p.names = {"a", "b", "c", "d"};
  return to_json(p);
}

struct Seed {
  Format format;
  std::vector<std::string> texts;
};

std::vector<Seed> seeds() {
  return {
      {Format::json, {to_json(made("wishart", 5)), rich_json(), to_json(made("full-adder", 5))}},
      {Format::coo,
       {to_coo(made("mimo", 4)), to_coo(made("full-adder", 5)), "0 1 1\n1 1 .5\n",
        "# vartype=BINARY\n0 1 1\n1 1 .5\n"}},
      {Format::chook,
       {"0\t1\t-1.2500000e+00\r\n0\t2\t5.0000000e-01\r\n1\t2\t2\r\n2\t-0.5\r\n",
        R"({"problem": {"type": "ising", "terms": [{"w": 1.5, "ids": [0, 1]}, {"w": 2, "ids": [2]}]}})"}},
      {Format::rudy, {"5 6\n1 2 1\n1 3 -1\n2 3 1\n3 4 1\n4 5 2.5\n5 1 1\n", "# g\n2 1\n1 2 1\n"}},
      {Format::qubo,
       {"c a comment\np qubo 0 4 3 4\n0 0 -5\n1 1 3.25\n3 3 0\n0 1 2\n0 3 -7\n1 2 0.5\n2 3 1\n"}},
      {Format::qs,
       {"# a comment\n# ObjectiveOffset 3.5\n# Vars Non-zeros\n4 5\n1 1 -5\n1 2 2\n2 2 3.25\n"
        "1 4 -7\n3 4 0.5\n",
        "2 1\n1 2 1\n"}},
      {Format::csv, {"from,to,w\na,b,1\nb,c,-2.5\nc,a,1e2\n", "1;2\n2;3\n3;4\n"}},
      {Format::matrix, {"1 2 3\n0 -1 2.5\n0 0 1\n", "1,2\n3,4\n"}},
      {Format::npy,
       {std::string("\x93NUMPY\x01\x00\x2e\x00", 10) +
        "{'descr': '|i1', 'shape': (2, 2), 'x': False}\n\x01\x02\x03\x04"}},
  };
}

struct Tally {
  std::size_t accepted = 0, refused = 0;
};

void survive(std::string_view text, Format format, Tally& tally) {
  Problem problem;
  try {
    problem = parse_problem(text, "fuzz", format);
  } catch (const InputError& error) {
    ++tally.refused;
    if (std::string(error.what()).rfind("fuzz:", 0) != 0) FAIL("no file named: " << error.what());
    return;
  }
  ++tally.accepted;
  validate(problem, "an accepted problem");
  if (parse_problem(to_json(problem), "again", Format::json) != problem) FAIL("JSON:\n" << text);
  if (problem.constraint) return;
  if (parse_problem(to_coo(problem), "again", Format::coo) != problem) FAIL("COO:\n" << text);
}

void fuzz(Format format, std::size_t mutations, std::uint64_t seed) {
  const std::vector<Seed> all = seeds();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Seed& one) { return one.format == format; });
  REQUIRE(found != all.end());
  const Seed& one = *found;
  INFO("format " << name_of(one.format));
  Mutator mutator(seed);
  Tally tally;
  for (const std::string& text : one.texts) survive(text, one.format, tally);
  REQUIRE(tally.refused == 0);
  for (std::size_t k = 0; k < mutations; ++k) {
    const Seed& donor = all[k % all.size()];
    const std::string text =
        mutator.mutate(one.texts[k % one.texts.size()], donor.texts[k / 7 % donor.texts.size()]);
    // Every eighth goes through detection as well.
    survive(text, k % 8 == 0 ? Format::detect : one.format, tally);
  }
  // A fuzzer whose files are all refused, or all accepted, tests nothing.
  CHECK(tally.accepted > mutations / 50);
  CHECK(tally.refused > mutations / 10);
}

constexpr std::size_t kMillion = 1000000;

}  // namespace

TEST_CASE("Readers survive 2,000 mutations of each format") {
  for (const Seed& one : seeds()) fuzz(one.format, 2000, 1);
}

TEST_CASE("a million mutated files of each format", "[.long]") {
  for (const Seed& one : seeds()) {
    DYNAMIC_SECTION(name_of(one.format)) {
      fuzz(one.format, kMillion, 2);
    }
  }
}

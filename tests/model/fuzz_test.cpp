// The readers of models against damaged files: valid ones are mutated at random; each result must
// be refused with InputError or be a model that the writer gives back unchanged. 10,000 mutations
// of LP files and 2,000 of each other format here, a million of each with `[.long]`, meant for
// `make BUILD=asan`.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <optional>

#include "model/forms.hpp"
#include "model/model_files.hpp"
#include "random_model.hpp"
#include "squares/squares.hpp"
#include "support/error.hpp"

using namespace chainmail;

namespace {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : engine_(seed) {}

  std::string mutate(std::string text) {
    const std::size_t count = 1 + below(3);
    for (std::size_t k = 0; k < count; ++k) once(text);
    return text;
  }
  Engine& engine() { return engine_; }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }

  void once(std::string& text) {
    static const char* const kTokens[] = {"Bounds\n",
                                          "\nEnd\n",
                                          "\nBinary\n",
                                          "\nGeneral\n",
                                          " <= ",
                                          " >= ",
                                          "=",
                                          " [ ",
                                          " ] / 2 ",
                                          "x#1 ",
                                          "c1: ",
                                          "1e308 ",
                                          "1e-300 ",
                                          "-inf",
                                          " free",
                                          "^2",
                                          "*",
                                          ":",
                                          "\nFoo\n",
                                          "\\",
                                          " 0.1 ",
                                          "99999999999 ",
                                          "Subject To\n",
                                          "\nSOS\n",
                                          "-",
                                          "+",
                                          "\nSoft Constraints\n c1 2\n",
                                          " x#1 = 1 -> ",
                                          " s: S1:: x#1:1 x#2:2\n"};
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = 1 + below(12);
    switch (below(9)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), 4 * length));
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
      case 6:
        edit_digit(text, at);
        break;
      default:
        text.insert(at, kTokens[below(std::size(kTokens))]);
        break;
    }
  }

  void edit_digit(std::string& text, std::size_t at) {
    const std::size_t digit = text.find_first_of("0123456789", at);
    if (digit != std::string::npos) text[digit] = static_cast<char>('0' + below(10));
  }

  Engine engine_;
};

// An accepted model is valid: written as LP or MPS it means the same, and it compiles or is
// refused.
void check_sound(const ConstrainedModel& model, const std::string& text, Engine& engine) {
  validate(model, "an accepted model");
  for (const ModelFormat format : {ModelFormat::lp, ModelFormat::mps}) {
    if (format == ModelFormat::mps && model.sense == Sense::maximise) continue;  // turned
    std::string written;
    try {
      written = writer_of(format)(model);
    } catch (const InputError&) {
      continue;  // a name or a term that it cannot hold
    }
    const ConstrainedModel again = parse_model(written, "again", format);
    try {
      if (!same_meaning(model, again, engine)) {
        FAIL("not given back:\n" << text << "\nwritten\n" << written);
      }
    } catch (const InputError&) {  // sums of 39 digits
    }
  }
  try {
    compile_forms(model);
    squared(model);
  } catch (const InputError&) {  // e.g. a variable that lost its bound, or sums of 39 digits
  }
}

struct Format {
  ModelFormat format;
  ModelOptions options;
  std::vector<std::string> texts;
};

std::vector<Format> formats() {
  const std::string mps =
      "* a comment\nNAME          tiny\nOBJSENSE\n    MAX\nROWS\n N  profit\n L  weight\n G  "
      "least\n E  same\n N  spare\nCOLUMNS\n    M1  'MARKER'  'INTORG'\n    x   profit  3   weight "
      " 2\n    x   least   1\n    y   profit  4   weight  3\n    y   same    1   spare   9\n    n  "
      " profit  1   same   -1\n    M1  'MARKER'  'INTEND'\nRHS\n    rhs  weight  4   least  0\n    "
      "rhs  profit  -10\nRANGES\n    rng  weight  3   least  1\nBOUNDS\n BV bnd x\n BV bnd y\n UP "
      "bnd n 6\n LO bnd n 1\nSOS\n S1 a\n x 1\n y 2\nINDICATORS\n IF weight x 1\nENDATA\n";
  const std::string integers =
      "! a comment\ntiny # name\nQIL # kind\nmaximize # sense\n3 # variables\n2 # "
      "constraints\n2\n2 1 5.0\n3 3 -2\n0 # default linear\n2\n1 3.0\n2 4.0\n1.5\n3 # linear "
      "terms\n1 1 2\n1 2 3\n2 3 1\n1e20 # infinity\n-1e20 # left\n1\n2 1\n4 # right\n0\n0 # "
      "lower\n0\n1 # upper\n1\n3 6\n0\n0\n0\n0\n0\n0\n1 # names\n3 n\n1\n2 least\n";
  const std::string binaries = "b\nQBN\nminimize\n2\n1\n2 1 -3\n1\n0\n0\n1e20\n0\n0\n0\n0\n0\n0\n";
  return {
      {ModelFormat::mps, {}, {mps}},
      {ModelFormat::qplib, {}, {integers, binaries}},
      {ModelFormat::col, {3}, {"c triangle\np edge 3 3\ne 1 2\ne 2 3\ne 3 1\n"}},
      {ModelFormat::opb,
       {},
       {"* #variable= 3 #constraint= 2\nmin: 3 x1 -2 ~x2 +1 x1 x3 ;\n+2 x1 +3 ~x2 +1 x3 >= 2 "
        ";\n1 x1 +1 x2 = 1 ;\n"}},
      {ModelFormat::wbo,
       {},
       {"soft: 6 ;\n[2] +1 x1 +2 x2 >= 2 ;\n[3] +1 ~x1 >= 1 ;\n+1 x1 +1 x3 >= 1 ;\n"}},
      {ModelFormat::tsp,
       {},
       {"NAME : t\nTYPE : TSP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 "
        "0\n2 3 4\n3 6 0\n4 1 1\nEOF\n",
        "TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : "
        "LOWER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0 2 0\n3 4 0\nEOF\n"}},
      {ModelFormat::fzn,
       {},
       {"array [1..2] of int: c = [2,-1];\nvar 0..3: x:: output_var;\nvar bool: b :: "
        "is_defined_var;\n"
        "array [1..2] of var int: a:: output_array([1..2]) = [x,b];\n"
        "constraint int_lin_le(c,a,3);\nconstraint int_lin_eq([1,1],[x,b],2):: defines_var(b);\n"
        "solve :: f(x, \"y\") maximize x;\n"}},
      {ModelFormat::cnf, {}, {"c hi\np cnf 3 3\n1 -2 0\n2 3 0\n-1 -3 0\n"}},
      {ModelFormat::wcnf,
       {},
       {"c hi\np wcnf 3 3 9\n9 1 -2 0\n2 2 3 0\n4 -1 0\n", "h 1 -2 0\n2 2 3 0\n4 -1 0\n"}},
      {ModelFormat::qkp, {}, {"k3\n3\n1 2 3\n4 5\n6\n\n0\n7\n2 3 4\n\nComments\n"}}};
}

// Of the long tests; fewer where there is less time.
std::size_t mutations() {
  const char* wanted = std::getenv("CHAINMAIL_MUTATIONS");
  return wanted != nullptr ? std::stoul(wanted) : 1000000;
}

void fuzz_formats(std::uint64_t seed, std::size_t count,
                  std::optional<ModelFormat> only = std::nullopt) {
  for (const Format& one : formats()) {
    if (only && one.format != *only) continue;
    Mutator mutator(seed);
    std::size_t accepted = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::string text = mutator.mutate(one.texts[k % one.texts.size()]);
      ConstrainedModel model;
      try {
        model = parse_model(text, "fuzz", one.format, one.options);
      } catch (const InputError& e) {
        const std::string what = e.what();
        if (what.rfind("fuzz", 0) != 0) FAIL("no place in: " << what << "\n" << text);
        continue;
      }
      ++accepted;
      if (model.variables.size() <= 1000) check_sound(model, text, mutator.engine());
    }
    INFO(one.texts.front());
    CHECK(accepted > count / 50);
    CHECK(accepted < count * 9 / 10);
  }
}

void fuzz(std::uint64_t seed, std::size_t count) {
  Mutator mutator(seed);
  std::size_t accepted = 0;
  for (std::size_t k = 0; k < count; ++k) {
    ConstrainedModel sound = random_model(mutator.engine(), 4 + k % 8);
    if (k % 3 == 0) enrich(sound, mutator.engine());
    const std::string text = mutator.mutate(to_lp(sound));
    ConstrainedModel model;
    try {
      model = parse_model(text, "fuzz.lp", ModelFormat::lp);
    } catch (const InputError& e) {
      const std::string what = e.what();
      if (what.rfind("fuzz.lp", 0) != 0) FAIL("no place in: " << what << "\n" << text);
      continue;
    }
    ++accepted;
    check_sound(model, text, mutator.engine());
  }
  // Most mutations break a file, some do not (a digit for another).
  REQUIRE(accepted > count / 20);
  REQUIRE(accepted < count / 2);
}

}  // namespace

TEST_CASE("mutated LP files are refused or sound") {
  fuzz(1, 10000);
}

TEST_CASE("mutated files of every other format are refused or sound") {
  fuzz_formats(3, 2000);
}

TEST_CASE("a million mutated files of each other format", "[.long]") {
  for (const Format& one : formats()) {
    DYNAMIC_SECTION(name_of(one.format)) {
      fuzz_formats(4, mutations(), one.format);
    }
  }
}

TEST_CASE("a million mutated LP files", "[.long]") {
  fuzz(2, mutations());
}

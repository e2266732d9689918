// The LP reader against damaged files: valid ones are mutated at random; each result must be
// refused with InputError or be a model that the writer gives back unchanged. 10,000 mutations
// here, a million with `[.long]`, meant for `make BUILD=asan`.
#include <catch2/catch.hpp>

#include "model/compile.hpp"
#include "model/model_files.hpp"
#include "random_model.hpp"
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
    static const char* const kTokens[] = {
        "Bounds\n",     "\nEnd\n",      "\nBinary\n", "\nGeneral\n", " <= ",    " >= ",    "=",
        " [ ",          " ] / 2 ",      "x#1 ",       "c1: ",        "1e308 ",  "1e-300 ", "-inf",
        " free",        "^2",           "*",          ":",           "\nFoo\n", "\\",      " 0.1 ",
        "99999999999 ", "Subject To\n", "\nsos1\n",   "-",           "+"};
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

void fuzz(std::uint64_t seed, std::size_t count) {
  Mutator mutator(seed);
  std::size_t accepted = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string text = mutator.mutate(to_lp(random_model(mutator.engine(), 4 + k % 8)));
    ConstrainedModel model;
    try {
      model = parse_model(text, "fuzz.lp", ModelFormat::lp);
    } catch (const InputError& e) {
      const std::string what = e.what();
      if (what.rfind("fuzz.lp", 0) != 0) FAIL("no place in: " << what << "\n" << text);
      continue;
    }
    ++accepted;
    const std::string written = to_lp(model);
    const ConstrainedModel again = parse_model(written, "again.lp", ModelFormat::lp);
    if (!same_meaning(model, again, mutator.engine())) {
      FAIL("not given back:\n" << text << "\nwritten\n" << written);
    }
    try {
      compile(model);
    } catch (const InputError&) {  // e.g. a variable that lost its bound
    }
  }
  // Most mutations break a file, some do not (a digit for another).
  REQUIRE(accepted > count / 20);
  REQUIRE(accepted < count / 2);
}

}  // namespace

TEST_CASE("mutated LP files are refused or sound") {
  fuzz(1, 10000);
}

TEST_CASE("a million mutated LP files", "[.long]") {
  fuzz(2, 1000000);
}

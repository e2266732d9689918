// Small models with large and long numbers against enumeration in rational numbers: what a run
// calls feasible, optimal, impossible or as good as its target is so, to the last digit. The
// generator keeps its own numbers; the program gets nothing but text.
#include <atomic>
#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <optional>

#include "../temporary_folder.hpp"
#include "check/model.hpp"
#include "check/proof.hpp"
#include "report/digest.hpp"
#include "run/plan.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

using Rational = boost::multiprecision::cpp_rational;
using Integer = boost::multiprecision::cpp_int;

const std::atomic<bool> kNeverStop{false};

// mantissa * 10^-places, as text and as what it is.
struct Number {
  Integer mantissa = 0;
  unsigned places = 0;

  Rational value() const { return Rational(mantissa, Integer(pow(Integer(10), places))); }
  std::string text() const {
    std::string digits = Integer(abs(mantissa)).str();
    if (places > 0) {
      if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
      digits.insert(digits.size() - places, ".");
    }
    return (mantissa < 0 ? "-" : "") + digits;
  }
};

struct TestVariable {
  int lower, upper;
};
struct TestRow {
  std::vector<Number> coefficients;  // by variable
  char relation;                     // < > =
  Number right;
  std::optional<Number> price;
};
struct TestModel {
  bool maximise = false;
  std::vector<TestVariable> variables;
  std::vector<Number> objective;
  Number constant;
  std::vector<TestRow> rows;

  Rational value_of(const std::vector<int>& x) const {
    Rational sum = constant.value();
    for (std::size_t v = 0; v < x.size(); ++v) sum += objective[v].value() * x[v];
    for (const TestRow& row : rows) {
      if (!row.price) continue;
      const Rational cost = row.price->value() * missed(row, x);
      sum += maximise ? Rational(-cost) : cost;
    }
    return sum;
  }
  bool feasible(const std::vector<int>& x) const {
    for (std::size_t v = 0; v < x.size(); ++v) {
      if (x[v] < variables[v].lower || x[v] > variables[v].upper) return false;
    }
    return std::all_of(rows.begin(), rows.end(),
                       [&](const TestRow& row) { return row.price || missed(row, x) == 0; });
  }
  static Rational missed(const TestRow& row, const std::vector<int>& x) {
    Rational left = -row.right.value();
    for (std::size_t v = 0; v < x.size(); ++v) left += row.coefficients[v].value() * x[v];
    if (row.relation == '<') return left > 0 ? left : Rational(0);
    if (row.relation == '>') return left < 0 ? Rational(-left) : Rational(0);
    return abs(left);
  }
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : engine_(seed) {}

  TestModel make() {
    TestModel m;
    m.maximise = below(2) == 0;
    const std::size_t n = 2 + below(5);
    std::vector<int> planted;
    for (std::size_t v = 0; v < n; ++v) {
      TestVariable variable{0, 1};
      if (below(4) == 0) {
        variable.lower = static_cast<int>(below(7)) - 3;
        variable.upper = variable.lower + static_cast<int>(below(4));  // 0: fixed
      }
      const int values = variable.upper - variable.lower + 1;
      planted.push_back(variable.lower + static_cast<int>(below(static_cast<std::size_t>(values))));
      m.variables.push_back(variable);
    }
    const int kind = static_cast<int>(below(5));
    for (std::size_t v = 0; v < n; ++v) m.objective.push_back(number(kind));
    if (below(2) == 0) m.constant = {Integer(random(15)), static_cast<unsigned>(below(13))};
    const std::size_t rows = 1 + below(3);
    for (std::size_t r = 0; r < rows; ++r) add_row(m, planted);
    return m;
  }

  std::size_t below(std::size_t limit) { return engine_() % limit; }

 private:
  // A whole number of up to so many digits, either sign.
  std::int64_t random(unsigned digits) {
    std::int64_t most = 1;
    for (unsigned k = 0; k < digits; ++k) most *= 10;
    const auto value = static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most));
    return below(3) == 0 ? -value : value;
  }

  Number number(int kind) {
    switch (kind) {
      case 0:  // small
        return {Integer(random(1)), 0};
      case 1:  // decimals
        return {Integer(random(1 + static_cast<unsigned>(below(6)))),
                static_cast<unsigned>(below(4))};
      case 2:  // large, and nearly the same
        return {Integer(1000000000000000 + random(2)), 0};
      case 3:  // up to 18 digits
        return {Integer(random(18)), 0};
      default:  // up to 12 places
        return {Integer(random(1 + static_cast<unsigned>(below(17)))),
                static_cast<unsigned>(below(13))};
    }
  }

  void add_row(TestModel& m, const std::vector<int>& planted) {
    TestRow row;
    const int kind = static_cast<int>(below(5));
    Rational sum = 0;
    unsigned places = 0;
    for (std::size_t v = 0; v < planted.size(); ++v) {
      row.coefficients.push_back(below(4) == 0 ? Number{} : number(kind));
      sum += row.coefficients.back().value() * planted[v];
      places = std::max(places, row.coefficients.back().places);
    }
    row.relation = "<>=="[below(4)];
    // What the planted values give, or the least bit beside it.
    row.right = {Integer(numerator(Rational(sum * Rational(Integer(pow(Integer(10), places)))))),
                 places};
    if (below(3) == 0) row.right.mantissa += static_cast<int>(below(3)) - 1;
    if (below(5) == 0)
      row.price = Number{Integer(1 + below(100000000)), static_cast<unsigned>(below(4))};
    m.rows.push_back(std::move(row));
  }

  Engine engine_;
};

std::string name(std::size_t v) {
  return "x" + std::to_string(v);
}

std::string to_lp_text(const TestModel& m) {
  const auto terms = [&](const std::vector<Number>& numbers) {
    std::string text;
    for (std::size_t v = 0; v < numbers.size(); ++v) {
      const std::string number = numbers[v].text();
      text += (number[0] == '-' ? " - " + number.substr(1) : " + " + number) + " " + name(v);
    }
    return text;
  };
  std::string text = m.maximise ? "Maximize\n obj:" : "Minimize\n obj:";
  text += terms(m.objective);
  const std::string constant = m.constant.text();
  text += constant[0] == '-' ? " - " + constant.substr(1) : " + " + constant;
  text += "\nSubject To\n";
  std::string soft;
  for (std::size_t r = 0; r < m.rows.size(); ++r) {
    const TestRow& row = m.rows[r];
    text += " c" + std::to_string(r) + ":" + terms(row.coefficients) + " " +
            (row.relation == '='   ? "="
             : row.relation == '<' ? "<="
                                   : ">=") +
            " " + row.right.text() + "\n";
    if (row.price) soft += " c" + std::to_string(r) + " " + row.price->text() + "\n";
  }
  if (!soft.empty()) text += "Soft Constraints\n" + soft;
  text += "Bounds\n";
  for (std::size_t v = 0; v < m.variables.size(); ++v) {
    text += " " + std::to_string(m.variables[v].lower) + " <= " + name(v) +
            " <= " + std::to_string(m.variables[v].upper) + "\n";
  }
  text += "General\n";
  for (std::size_t v = 0; v < m.variables.size(); ++v) text += " " + name(v);
  return text + "\nEnd\n";
}

std::string to_mps_text(const TestModel& m) {
  std::string text = "NAME t\n";
  if (m.maximise) text += "OBJSENSE\n MAX\n";
  text += "ROWS\n N obj\n";
  for (std::size_t r = 0; r < m.rows.size(); ++r) {
    const char relation = m.rows[r].relation;
    text += std::string(" ") +
            (relation == '='   ? 'E'
             : relation == '<' ? 'L'
                               : 'G') +
            " c" + std::to_string(r) + "\n";
  }
  text += "COLUMNS\n M 'MARKER' 'INTORG'\n";
  for (std::size_t v = 0; v < m.variables.size(); ++v) {
    text += " " + name(v) + " obj " + m.objective[v].text() + "\n";
    for (std::size_t r = 0; r < m.rows.size(); ++r) {
      text +=
          " " + name(v) + " c" + std::to_string(r) + " " + m.rows[r].coefficients[v].text() + "\n";
    }
  }
  text += " M 'MARKER' 'INTEND'\nRHS\n";
  Number minus = m.constant;
  minus.mantissa = -minus.mantissa;
  text += " R obj " + minus.text() + "\n";
  for (std::size_t r = 0; r < m.rows.size(); ++r) {
    text += " R c" + std::to_string(r) + " " + m.rows[r].right.text() + "\n";
  }
  text += "BOUNDS\n";
  for (std::size_t v = 0; v < m.variables.size(); ++v) {
    text += " LO B " + name(v) + " " + std::to_string(m.variables[v].lower) + "\n UP B " + name(v) +
            " " + std::to_string(m.variables[v].upper) + "\n";
  }
  return text + "ENDATA\n";
}

struct Truth {
  bool feasible = false;
  Rational best = 0;
};

Truth enumerate(const TestModel& m) {
  Truth truth;
  std::vector<int> x;
  for (const TestVariable& v : m.variables) x.push_back(v.lower);
  for (;;) {
    if (m.feasible(x)) {
      const Rational value = m.value_of(x);
      const bool better = m.maximise ? value > truth.best : value < truth.best;
      if (!truth.feasible || better) truth.best = value;
      truth.feasible = true;
    }
    std::size_t v = 0;
    while (v < x.size() && x[v] == m.variables[v].upper) {
      x[v] = m.variables[v].lower;
      ++v;
    }
    if (v == x.size()) return truth;
    ++x[v];
  }
}

struct Count {
  std::size_t refused = 0, impossible = 0, proved = 0, feasible = 0, target = 0, missed = 0;
};

std::optional<Number> as_number(const Rational& value) {
  const Rational scaled = value * Rational(Integer(pow(Integer(10), 24u)));
  if (denominator(scaled) != 1) return std::nullopt;
  Number number{Integer(numerator(scaled)), 24};
  while (number.places > 0 && number.mantissa % 10 == 0) {
    number.mantissa /= 10;
    --number.places;
  }
  return number;
}

void solve_and_compare(const TestModel& m, const std::string& file, Maker& maker, Count& count) {
  const bool mps = file.ends_with(".mps");
  const std::string text = mps ? to_mps_text(m) : to_lp_text(m);
  std::ofstream(file) << text;
  INFO(text);
  const Truth truth = enumerate(m);
  PlanOptions options;
  options.sweeps = 40;
  options.device.threads = 1;
  options.seed = maker.below(1000);
  std::optional<Rational> target;
  if (truth.feasible && maker.below(3) == 0) {
    if (auto number = as_number(truth.best)) {
      if (maker.below(2) == 0) number->mantissa += maker.below(2) == 0 ? 1 : -1;
      target = number->value();
      std::size_t length = 0;
      Decimal::Fault fault = Decimal::Fault::none;
      options.target = Decimal::parse(number->text(), length, fault);
    }
  }
  std::optional<Result> found;
  std::optional<Source> source;
  try {
    source = read_source(file);
    const auto device = open_device(*source, options);
    found = run(plan(*source, options, *device, kNeverStop), *device, kNeverStop);
  } catch (const InputError& error) {
    ++count.refused;
    return;
  }
  const Result& result = *found;
  INFO(verdict_text(result));
  const checker::Model model = checker::read(mps ? "mps" : "lp", text, file);
  if (!result.infeasible.empty()) {
    ++count.impossible;
    REQUIRE(!truth.feasible);
    REQUIRE(result.proof);
  }
  if (result.proof) {
    const checker::Proof proof = checker::read_proof(checker::to_json(*result.proof), "proof");
    REQUIRE(checker::refuted(model, proof).empty());
  }
  if (!result.best.feasible) {
    count.missed += truth.feasible ? 1 : 0;
    return;
  }
  REQUIRE(truth.feasible);
  ++count.feasible;
  std::vector<int> x;
  for (const auto& [variable, value] : result.answers.front().variables) {
    x.push_back(static_cast<int>(value));
  }
  REQUIRE(m.feasible(x));
  const Rational value = m.value_of(x);
  const checker::Judgement judged = checker::judge(model, {x.begin(), x.end()});
  REQUIRE(judged.broken.empty());
  REQUIRE(judged.objective == value);
  if (result.answers.front().exact) {
    std::size_t length = 0;
    REQUIRE(checker::decimal(result.answers.front().exact->text(), length) == value);
  }
  if (result.proved || verdict_of(result) == Verdict::optimum) {
    ++count.proved;
    REQUIRE(value == truth.best);
  }
  if (target && result.stopped_by == "target") {
    ++count.target;
    REQUIRE((m.maximise ? value >= *target : value <= *target));
  }
}

Count compare_many(std::size_t models, std::uint64_t seed) {
  const TemporaryFolder folder;
  Count count;
  for (std::size_t k = 0; k < models; ++k) {
    Maker maker(hash_of(seed, {k}));
    TestModel m = maker.make();
    INFO("model " << k);
    const bool soft = std::any_of(m.rows.begin(), m.rows.end(),
                                  [](const auto& r) { return r.price.has_value(); });
    solve_and_compare(m, folder.file(soft || k % 2 == 0 ? "t.lp" : "t.mps"), maker, count);
  }
  WARN(models << " models: " << count.refused << " refused, " << count.impossible << " impossible, "
              << count.feasible << " feasible, " << count.proved << " optimal, " << count.target
              << " targets, " << count.missed << " without an answer");
  return count;
}

}  // namespace

TEST_CASE("150 models with long numbers agree with rational enumeration") {
  const Count count = compare_many(150, 1);
  CHECK(count.refused < 60);
  CHECK(count.impossible > 10);
  CHECK(count.proved > 10);
  CHECK(count.target > 3);
}

TEST_CASE("ten thousand models with long numbers agree with rational enumeration", "[.]") {
  compare_many(10000, 2);
}

// Exact decimals against rational numbers.
#include <catch2/catch.hpp>

#include "check/model.hpp"
#include "support/decimal.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

Decimal parsed(const std::string& text) {
  std::size_t length = 0;
  Decimal::Fault fault = Decimal::Fault::none;
  const auto value = Decimal::parse(text, length, fault);
  REQUIRE(value);
  REQUIRE(length == text.size());
  return *value;
}

checker::Rational rational(const Decimal& value) {
  std::size_t length = 0;
  return checker::decimal(value.text(), length);
}

std::string random_text(Engine& engine) {
  std::string text = engine() % 2 == 0 ? "-" : "";
  const std::size_t before = 1 + engine() % 10, after = engine() % 8;
  for (std::size_t k = 0; k < before; ++k) text += static_cast<char>('0' + engine() % 10);
  if (after > 0) text += ".";
  for (std::size_t k = 0; k < after; ++k) text += static_cast<char>('0' + engine() % 10);
  if (engine() % 3 == 0) text += "e" + std::to_string(static_cast<int>(engine() % 9) - 4);
  return text;
}

}  // namespace

TEST_CASE("decimals are read, written, compared and added up exactly") {
  Engine engine(5);
  for (int k = 0; k < 3000; ++k) {
    const std::string a_text = random_text(engine), b_text = random_text(engine);
    INFO(a_text << " and " << b_text);
    std::size_t length = 0;
    const Decimal a = parsed(a_text), b = parsed(b_text);
    const checker::Rational x = checker::decimal(a_text, length),
                            y = checker::decimal(b_text, length);
    REQUIRE(rational(a) == x);
    REQUIRE(rational(a + b) == x + y);
    REQUIRE(rational(a * b) == x * y);
    REQUIRE((a < b) == (x < y));
    REQUIRE((a == b) == (x == y));
    REQUIRE(static_cast<double>(a) == std::stod(a_text));
    const auto units = static_cast<std::int64_t>(1 + engine() % 1000);
    const int exponent = static_cast<int>(engine() % 8) - 6;
    const checker::Rational unit = rational(Decimal(Wide{units}, exponent));
    const auto floor = static_cast<std::int64_t>(floor_units(a, units, exponent));
    REQUIRE(unit * floor <= x);
    REQUIRE(unit * (floor + 1) > x);
    REQUIRE(rational(a.floor()) <= x);
    REQUIRE(rational(a.ceil()) >= x);
    REQUIRE(rational(a.half()) * 2 == x);
    DecimalSum sum;
    const int times = static_cast<int>(engine() % 7) - 3, more = static_cast<int>(engine() % 7) - 3;
    sum.add(a, times);
    sum.add(b, more);
    if (const auto value = sum.value()) REQUIRE(rational(*value) == x * times + y * more);
  }
}

TEST_CASE("doubles become what was written, and whole ones what they are") {
  CHECK(Decimal(0.1).text() == "0.1");
  CHECK(Decimal(-2.5e-7).text() == "-0.00000025");
  CHECK(Decimal(9007199254740993.0).text() == "9007199254740992");
  CHECK(Decimal(0x1.0p60).text() == "1152921504606846976");
  CHECK(Decimal(0x1.0p80).text() == "1208925819614629174706176");  // its shortest text rounds
  CHECK(Decimal(INFINITY) > Decimal(1e300));
  CHECK(-Decimal(INFINITY) < Decimal(-1e300));
  CHECK_THROWS_AS(Decimal(NAN), InputError);
}

TEST_CASE("more than 38 digits are refused") {
  std::size_t length = 0;
  Decimal::Fault fault = Decimal::Fault::none;
  CHECK(Decimal::parse(std::string(38, '7'), length, fault));
  CHECK_FALSE(Decimal::parse(std::string(39, '7'), length, fault));
  CHECK(fault == Decimal::Fault::too_long);
  CHECK(Decimal::parse("1" + std::string(60, '0'), length, fault));  // 1e60
  CHECK_THROWS_AS(Decimal(1e30) + Decimal(1e-12), TooManyDigits);
  CHECK_THROWS_AS(Decimal(123456789012345678) * Decimal(Wide{1234567890123456789} * 1000001, 0),
                  TooManyDigits);
}

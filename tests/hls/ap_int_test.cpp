// The stand-in for <ap_int.h>: values wrap at their width and results are as wide as the
// original's. With AMD's own header (AP_INT=dir) there is nothing to test.
#include <ap_int.h>
#ifdef CHAINMAIL_AP_INT

#include <catch2/catch.hpp>
#include <cstdint>

#include "support/random.hpp"

namespace {

template <typename T>
constexpr int width_of(const T&) {
  return ap_detail::Operand<T>::width;
}
template <typename T>
constexpr bool sign_of(const T&) {
  return ap_detail::Operand<T>::sign;
}

std::int64_t wrapped(std::int64_t value, int bits) {
  const auto shifted = static_cast<std::uint64_t>(value) << (64 - bits);
  return static_cast<std::int64_t>(shifted) >> (64 - bits);
}

}  // namespace

TEST_CASE("ap_int wraps at its width", "[hls][ap_int]") {
  CHECK(ap_uint<1>(3) == 1);
  CHECK(ap_uint<5>(37) == 5);
  CHECK(ap_int<5>(16) == -16);
  CHECK(ap_int<5>(-17) == 15);
  CHECK(ap_int<14>(8191) == 8191);
  CHECK(ap_int<14>(8192) == -8192);
  CHECK(ap_uint<64>(-1) == ~std::uint64_t{0});
  CHECK(ap_int<16>(ap_uint<16>(0xffff)) == -1);
  chainmail::Engine engine(1);
  for (int i = 0; i < 10000; ++i) {
    const auto a = static_cast<std::int64_t>(engine());
    REQUIRE(static_cast<std::int64_t>(ap_int<48>(a)) == wrapped(a, 48));
    REQUIRE(static_cast<std::int64_t>(ap_int<17>(a)) == wrapped(a, 17));
    REQUIRE(static_cast<std::uint64_t>(ap_uint<23>(a)) ==
            (static_cast<std::uint64_t>(a) & 0x7fffff));
  }
}

TEST_CASE("ap_int results have the original's widths", "[hls][ap_int]") {
  const ap_int<17> s = -5;
  const ap_uint<24> u = 9;
  CHECK(width_of(s + s) == 18);
  CHECK(width_of(s + u) == 26);
  CHECK(sign_of(s + u));
  CHECK(width_of(u - u) == 25);
  CHECK(sign_of(u - u));
  CHECK(width_of(s * u) == 41);
  CHECK(width_of(s & u) == 25);
  CHECK(width_of(u ^ u) == 24);
  CHECK_FALSE(sign_of(u ^ u));
  CHECK(width_of(u + 1) == 33);
  CHECK(width_of(~u) == 24);
  CHECK(width_of(-u) == 25);
  CHECK(width_of(u << 5) == 24);
}

TEST_CASE("ap_int arithmetic keeps values", "[hls][ap_int]") {
  chainmail::Engine engine(2);
  for (int i = 0; i < 10000; ++i) {
    const std::int64_t a = static_cast<std::int64_t>(engine() >> 40) - (1 << 23);
    const std::int64_t b = static_cast<std::int64_t>(engine() >> 40) - (1 << 23);
    const ap_int<24> x = a, y = b;
    const ap_uint<24> z = b & 0xffffff;
    REQUIRE(static_cast<std::int64_t>(x + y) == a + b);
    REQUIRE(static_cast<std::int64_t>(x - z) == a - (b & 0xffffff));
    REQUIRE(static_cast<std::int64_t>(x * z) == a * (b & 0xffffff));
    REQUIRE(static_cast<std::int64_t>(-x) == -a);
    REQUIRE((x < y) == (a < b));
    REQUIRE((x >= z) == (a >= (b & 0xffffff)));
    REQUIRE((x == y) == (a == b));
    REQUIRE((x != z) == (a != (b & 0xffffff)));
  }
}

TEST_CASE("ap_int that was never written is no value, with braces neither", "[hls][ap_int]") {
  struct Pair {
    ap_int<9> s;
    ap_uint<1> u;
  };
  const Pair pair = {};
  static Pair kept[2];
  CHECK(pair.s != 0);
  CHECK(pair.u != 0);
  CHECK(kept[1].s == pair.s);
}

TEST_CASE("ap_int shifts and bits", "[hls][ap_int]") {
  CHECK((ap_uint<8>(0xff) << 4) == 0xf0);
  CHECK((ap_uint<8>(0xff) >> 4) == 0x0f);
  CHECK((ap_int<8>(-128) >> 3) == -16);
  CHECK((ap_int<8>(-1) >> 20) == -1);
  CHECK((ap_uint<8>(1) << 8) == 0);
  CHECK((ap_uint<8>(255) >> 9) == 0);
  CHECK(ap_uint<32>(0x80000000)[31]);
  CHECK_FALSE(ap_uint<32>(0x7fffffff)[31]);
  CHECK(ap_int<4>(~ap_int<4>(7)) == -8);
  ap_uint<3> counter = 6;
  ++counter;
  CHECK(counter == 7);
  counter += 2;
  CHECK(counter == 1);
  counter ^= ap_uint<3>(5);
  CHECK(counter == 4);
}

#endif

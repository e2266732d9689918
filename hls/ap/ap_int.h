// A stand-in for the part of Vitis' <ap_int.h> that the kernel uses, for builds without Vitis:
// integers of 1 to 64 bits that wrap at their width, with the result widths of the original (a sum
// is one bit wider than its operands, a product as wide as both, a shift keeps the width). It is
// found only when no other <ap_int.h> is on the include path (-idirafter). C++14, as Vitis compiles
// kernels. UG1399 requires to_int() and the like to make a built-in integer; CHAINMAIL_AP_STRICT
// removes the other conversions, to show that the kernel does not need them.
#pragma once

#include <cstdint>
#include <type_traits>

#define CHAINMAIL_AP_INT

template <int W, bool S>
class ap_int_base;

namespace ap_detail {

constexpr int max_of(int a, int b) {
  return a > b ? a : b;
}

template <int W, bool S>
struct Storage {
  using Signed = std::conditional_t<
      (W <= 8), std::int8_t,
      std::conditional_t<(W <= 16), std::int16_t,
                         std::conditional_t<(W <= 32), std::int32_t, std::int64_t>>>;
  using type = std::conditional_t<S, Signed, std::make_unsigned_t<Signed>>;
};

// Width and sign of an operand: ours, or a built-in integer's.
template <typename T, typename = void>
struct Operand {
  static constexpr bool valid = false;
};
template <int W, bool S>
struct Operand<ap_int_base<W, S>, void> {
  static constexpr bool valid = true, own = true, sign = S;
  static constexpr int width = W;
};
template <typename T>
struct Operand<T, std::enable_if_t<std::is_integral<T>::value>> {
  static constexpr bool valid = true, own = false, sign = std::is_signed<T>::value;
  static constexpr int width = std::is_same<T, bool>::value ? 1 : static_cast<int>(8 * sizeof(T));
};
template <typename T>
struct Operand<T, std::enable_if_t<std::is_base_of<typename T::base, T>::value &&
                                   !std::is_same<typename T::base, T>::value>>
    : Operand<typename T::base> {};

template <typename A, typename B>
struct Pair {
  using L = Operand<A>;
  using R = Operand<B>;
  static constexpr bool sign = L::sign || R::sign;
  // Next to a signed operand an unsigned one needs an extra bit to keep its value.
  static constexpr int width =
      max_of(L::width + (R::sign && !L::sign), R::width + (L::sign && !R::sign));
};
template <typename A, typename B, bool Valid = Operand<A>::valid&& Operand<B>::valid>
struct Usable : std::false_type {};
template <typename A, typename B>
struct Usable<A, B, true>
    : std::integral_constant<bool, Operand<A>::own || Operand<B>::own> {};
template <typename A, typename B>
using enable = std::enable_if_t<Usable<A, B>::value>;

// An operand as 64 bits; right for every result of at most 64 bits, as arithmetic wraps.
template <typename T>
constexpr std::uint64_t bits(const T& value) {
  using native = typename Storage<Operand<T>::width, Operand<T>::sign>::type;
  return static_cast<std::uint64_t>(static_cast<native>(value));
}

}  // namespace ap_detail

template <int W, bool S>
class ap_int_base {
  static_assert(W >= 1 && W <= 64, "this stand-in has 1 to 64 bits");

 public:
  using base = ap_int_base;
  using native = typename ap_detail::Storage<W, S>::type;

  // The original leaves the value undefined, also after `= {}`. Ours is never plausible, so that a
  // read before a write fails the tests.
  ap_int_base() : value_(wrap(0x5a5a5a5a5a5a5a5bull)) {}
  template <typename T, typename = std::enable_if_t<ap_detail::Operand<T>::valid>>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): as in the original, any integer fits
  constexpr ap_int_base(T value) : value_(wrap(ap_detail::bits(value))) {}

#ifdef CHAINMAIL_AP_STRICT
  explicit
#endif
  constexpr operator native() const {
    return value_;
  }
  constexpr int to_int() const { return static_cast<int>(value_); }
  constexpr unsigned to_uint() const { return static_cast<unsigned>(value_); }
  constexpr long long to_int64() const { return static_cast<long long>(value_); }
  constexpr bool to_bool() const { return value_ != 0; }

  constexpr bool operator[](int bit) const {
    return (static_cast<std::uint64_t>(value_) >> bit) & 1U;
  }

  constexpr ap_int_base<W, S> operator~() const {
    return ap_int_base<W, S>(~static_cast<std::uint64_t>(value_));
  }
  constexpr ap_int_base<W + 1, true> operator-() const {
    return ap_int_base<W + 1, true>(0 - static_cast<std::uint64_t>(value_));
  }
  constexpr ap_int_base<W, S> operator<<(int by) const {
    return ap_int_base<W, S>(by >= W ? 0 : static_cast<std::uint64_t>(value_) << by);
  }
  constexpr ap_int_base<W, S> operator>>(int by) const {
    const int most = S ? (by >= W ? W - 1 : by) : by;
    return ap_int_base<W, S>(!S && by >= W ? native{0} : static_cast<native>(value_ >> most));
  }
  template <typename T>
  constexpr ap_int_base& operator+=(const T& other) {
    *this = ap_int_base(static_cast<std::uint64_t>(value_) + ap_detail::bits(other));
    return *this;
  }
  template <typename T>
  constexpr ap_int_base& operator^=(const T& other) {
    *this = ap_int_base(static_cast<std::uint64_t>(value_) ^ ap_detail::bits(other));
    return *this;
  }
  constexpr ap_int_base& operator++() { return *this += 1; }

 private:
  // Keeps the low W bits, and the sign where there is one.
  static constexpr native wrap(std::uint64_t bits) {
    constexpr int unused = 64 - W;
    return S ? static_cast<native>(static_cast<std::int64_t>(bits << unused) >> unused)
             : static_cast<native>((bits << unused) >> unused);
  }
  native value_;
};

namespace ap_detail {
template <typename A, typename B>
constexpr bool less(const A& a, const B& b) {
  static_assert(Pair<A, B>::width <= 64, "widen one side");
  return Pair<A, B>::sign ? static_cast<std::int64_t>(bits(a)) < static_cast<std::int64_t>(bits(b))
                          : bits(a) < bits(b);
}
}  // namespace ap_detail

template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr auto operator+(const A& a, const B& b) {
  using P = ap_detail::Pair<A, B>;
  return ap_int_base<P::width + 1, P::sign>(ap_detail::bits(a) + ap_detail::bits(b));
}
template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr auto operator-(const A& a, const B& b) {
  using P = ap_detail::Pair<A, B>;
  return ap_int_base<P::width + 1, true>(ap_detail::bits(a) - ap_detail::bits(b));
}
template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr auto operator*(const A& a, const B& b) {
  using P = ap_detail::Pair<A, B>;
  return ap_int_base<P::L::width + P::R::width, P::sign>(ap_detail::bits(a) * ap_detail::bits(b));
}
template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr auto operator&(const A& a, const B& b) {
  using P = ap_detail::Pair<A, B>;
  return ap_int_base<P::width, P::sign>(ap_detail::bits(a) & ap_detail::bits(b));
}
template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr auto operator|(const A& a, const B& b) {
  using P = ap_detail::Pair<A, B>;
  return ap_int_base<P::width, P::sign>(ap_detail::bits(a) | ap_detail::bits(b));
}
template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr auto operator^(const A& a, const B& b) {
  using P = ap_detail::Pair<A, B>;
  return ap_int_base<P::width, P::sign>(ap_detail::bits(a) ^ ap_detail::bits(b));
}
template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr bool operator==(const A& a, const B& b) {
  return !ap_detail::less(a, b) && !ap_detail::less(b, a);
}
template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr bool operator!=(const A& a, const B& b) {
  return ap_detail::less(a, b) || ap_detail::less(b, a);
}
template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr bool operator<(const A& a, const B& b) {
  return ap_detail::less(a, b);
}
template <typename A, typename B, typename = ap_detail::enable<A, B>>
constexpr bool operator>=(const A& a, const B& b) {
  return !ap_detail::less(a, b);
}

template <int W>
class ap_int : public ap_int_base<W, true> {
 public:
  ap_int() {}
  template <typename T, typename = std::enable_if_t<ap_detail::Operand<T>::valid>>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
  constexpr ap_int(T value) : ap_int_base<W, true>(value) {}
};

template <int W>
class ap_uint : public ap_int_base<W, false> {
 public:
  ap_uint() {}
  template <typename T, typename = std::enable_if_t<ap_detail::Operand<T>::valid>>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
  constexpr ap_uint(T value) : ap_int_base<W, false>(value) {}
};

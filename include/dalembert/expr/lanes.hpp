// Several numbers in one SIMD register: W instructions, or W trajectories, at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <dalembert/expr/scalar.hpp>

namespace dalembert {

/// How many doubles the widest register of this machine holds.
#if defined(__AVX512F__)
inline constexpr int native_lanes = 8;
#else
inline constexpr int native_lanes = 4;
#endif

/// W doubles; arithmetic works lane by lane. GCC and Clang lower it to what the machine has.
template <int W>
struct LanesOf;
template <>
struct LanesOf<1> {
  using type = double;
};
template <>
struct LanesOf<4> {
  using type [[gnu::vector_size(32)]] = double;
};
template <>
struct LanesOf<8> {
  using type [[gnu::vector_size(64)]] = double;
};
template <int W>
using Lanes = typename LanesOf<W>::type;

/// What recurrences and programs need of a number type beyond + − * / and ScalarMath.
template <class T>
struct LaneMath {
  using Scalar = T;  ///< what a lane holds
  static constexpr int lanes = 1;
  static T of(int k) { return T(k); }
  /// sum += a b
  static void add_product(T& sum, const T& a, const T& b) { sum += a * b; }
  static T sign(const T& x) { return x > 0 ? T(1) : x < 0 ? T(-1) : x; }  // 0 and NaN stay
  /// x or y, whichever belongs to the lesser of a and b; what is not a number counts as lesser
  static T of_lesser(const T& a, const T& b, const T& x, const T& y) { return b < a || b != b ? y : x; }
  static T of_greater(const T& a, const T& b, const T& x, const T& y) { return b > a || b != b ? y : x; }
  /// x y − product, exactly where T is double.
  static T product_error(const T& x, const T& y, const T& product) { return x * y - product; }
  static T divide(const T& a, const T& b) { return a / b; }
  /// a / k, given k and 1/k rounded
  static T divide(const T& a, const T& k, const T&) { return a / k; }
  /// |x| of the smallest and of the largest lane: for choices, not for results.
  static double size(const T& x) { return std::abs(static_cast<double>(x)); }
  static double largest(const T& x) { return size(x); }
};

template <>
inline void LaneMath<Real>::add_product(Real& sum, const Real& a, const Real& b) {
  mpfr_fma(sum.data(), a.data(), b.data(), sum.data(), MPFR_RNDN);
}

template <>
inline double LaneMath<double>::product_error(const double& x, const double& y, const double& product) {
  return std::fma(x, y, -product);
}

// Two fused multiplications more give what a division gives, sooner. A product with 1/k alone would have the
// rounding error of 1/k in every step, always to the same side.
template <>
inline double LaneMath<double>::divide(const double& a, const double& k, const double& reciprocal) {
  const double quotient = a * reciprocal;
  return quotient + (a - k * quotient) * reciprocal;
}

template <>
inline Rational LaneMath<Rational>::divide(const Rational& a, const Rational& b) {
  if (b == 0) throw Error("division by zero");
  return a / b;
}

/// The same for W doubles at once.
template <int W>
struct VectorMath {
  using T = Lanes<W>;
  using Scalar = double;
  static constexpr int lanes = W;
  static T of(int k) { return T{} + static_cast<double>(k); }
  static void add_product(T& sum, const T& a, const T& b) { sum += a * b; }
  static T sign(const T& x) { return x > 0.0 ? of(1) : (x < 0.0 ? of(-1) : x); }
  static T of_lesser(const T& a, const T& b, const T& x, const T& y) { return ((b < a) | (b != b)) ? y : x; }
  static T of_greater(const T& a, const T& b, const T& x, const T& y) { return ((b > a) | (b != b)) ? y : x; }
  /// x y − product, exactly.
  static T product_error(const T& x, const T& y, const T& product) {
    T error{};
    for (int i = 0; i < W; ++i) error[i] = std::fma(x[i], y[i], -product[i]);
    return error;
  }
  static T divide(const T& a, const T& b) { return a / b; }
  static T divide(const T& a, const T& k, const T& reciprocal) {
    const T quotient = a * reciprocal;
    return quotient + (a - k * quotient) * reciprocal;
  }
  static double size(const T& x) {
    double smallest = std::abs(x[0]);
    for (int i = 1; i < W; ++i) smallest = std::min(smallest, std::abs(x[i]));
    return smallest;
  }
  static double largest(const T& x) {
    double result = std::abs(x[0]);
    for (int i = 1; i < W; ++i) result = std::abs(x[i]) > result || x[i] != x[i] ? std::abs(x[i]) : result;
    return result;
  }
};
template <>
struct LaneMath<Lanes<4>> : VectorMath<4> {};
template <>
struct LaneMath<Lanes<8>> : VectorMath<8> {};

/// Roots and powers lane by lane.
template <int W>
struct ElementaryLanes {
  using T = Lanes<W>;
  using Math = ScalarMath<double>;

  template <class F>
  static T each(const T& x, F f) {
    T u{};
    for (int i = 0; i < W; ++i) u[i] = f(x[i]);
    return u;
  }
  template <class F>
  static T each(const T& x, const T& y, F f) {
    T u{};
    for (int i = 0; i < W; ++i) u[i] = f(x[i], y[i]);
    return u;
  }

  static T from(const Rational& x) { return T{} + Math::from(x); }
  static T pi() { return T{} + Math::pi(); }
  static T sqrt(const T& x) { return each(x, Math::sqrt); }
  static T pow(const T& x, const T& y) { return each(x, y, Math::pow); }
  static T abs(const T& x) { return each(x, Math::abs); }
};
template <>
struct ScalarMath<Lanes<4>> : ElementaryLanes<4> {};
template <>
struct ScalarMath<Lanes<8>> : ElementaryLanes<8> {};

}  // namespace dalembert

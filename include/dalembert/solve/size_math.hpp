// Sizes of numbers, for choices of steps: absolute values of doubles, lane by lane, and logarithms of numbers
// that leave the range of doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/expr/lanes.hpp>

namespace dalembert {

/// A larger size means a larger number, in the same lane.
template <class S>
struct SizeMath {
  using Size = S;
  static Size zero() { return LaneMath<S>::of(0); }
  static Size one() { return LaneMath<S>::of(1); }
  static Size of(const S& x) { return x < 0 ? -x : x; }
  static Size max(const Size& a, const Size& b) { return a > b ? a : b; }
  static Size product(const Size& size, double factor) { return size * factor; }
  static Size ratio(const Size& a, const Size& b) { return a / b; }
  static Size times(const Size& a, const Size& b) { return a * b; }
  /// Of what is not denormal, else the largest that is a number.
  static Size reciprocal(const Size& size) { return one() / max(size, one() * 1e-300); }
  /// One where the size is zero.
  static Size or_one(const Size& size) { return size > 0 ? size : one(); }
  /// `size` where a > b, else zero.
  static Size if_greater(const Size& a, const Size& b, const Size& size) { return a > b ? size : zero(); }
  /// The rounding error of a number of this size.
  static Size rounding(const Size& size) { return size * std::numeric_limits<double>::epsilon(); }
  /// In every lane.
  static bool is_number(const Size& size) {
    const double largest = LaneMath<S>::largest(size);
    return largest == largest;
  }
  /// ln of the largest lane.
  static double log(const Size& size) { return std::log(LaneMath<S>::largest(size)); }
  /// The largest lane: the number itself, for digits its ln.
  static double largest(const Size& size) { return LaneMath<S>::largest(size); }
  /// Of such: their product and quotient, and the number.
  static double product_of(double a, double b) { return a * b; }
  static double quotient_of(double a, double b) { return a / b; }
  static double number(double a) { return a; }
  static double of_number(double a) { return a; }
  static double of_log(double log) { return std::exp(log); }
  /// ln of a relative change whose square rounding errors hide.
  static double log_negligible_squared() { return -18; }
};

template <>
struct SizeMath<Real> {
  using Size = double;  // ln |x|
  static Size zero() { return -std::numeric_limits<double>::infinity(); }
  static Size one() { return 0; }
  static Size of(const Real& x) {
    long exponent = 0;
    const double mantissa = mpfr_get_d_2exp(&exponent, x.data(), MPFR_RNDN);
    return std::log(std::abs(mantissa)) + static_cast<double>(exponent) * 0.69314718055994530942;
  }
  static Size max(Size a, Size b) { return std::max(a, b); }
  static Size product(Size size, double factor) { return size + std::log(factor); }
  static Size ratio(Size a, Size b) { return a - b; }
  static Size times(Size a, Size b) { return a + b; }
  static Size reciprocal(Size size) { return -size; }
  static Size or_one(Size size) { return size > zero() ? size : one(); }
  static Size if_greater(Size a, Size b, Size size) { return a > b ? size : zero(); }
  static Size rounding(Size size) { return size - 2.302585092994046 * Real::default_precision(); }
  static bool is_number(Size size) { return size == size; }
  static double log(Size size) { return size; }
  static double largest(Size size) { return size; }
  static double product_of(double a, double b) { return a + b; }
  static double quotient_of(double a, double b) { return a - b; }
  static double number(double a) { return std::exp(a); }
  static double of_number(double a) { return std::log(a); }
  static double of_log(double log) { return log; }
  static double log_negligible_squared() { return rounding(0) / 2; }
};

}  // namespace dalembert

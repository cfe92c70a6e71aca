// Sizes of numbers, for choices of steps: absolute values of doubles, logarithms of numbers that leave their
// range.
#pragma once

#include <cmath>
#include <limits>

#include <dalembert/tape/lanes.hpp>

namespace dalembert {

/// A size is a double; larger means larger.
template <class S>
struct SizeMath {
  static constexpr double zero = 0;
  static constexpr double one = 1;
  /// Relative changes whose square rounding errors hide.
  static double negligible_squared() { return 1e-8; }
  static double of(const S& x) { return LaneMath<S>::largest(x); }
  static double product(double size, double factor) { return size * factor; }
  static double ratio(double a, double b) { return a / b; }
  static double log(double size) { return std::log(size); }
};

template <>
struct SizeMath<Real> {
  static constexpr double zero = -std::numeric_limits<double>::infinity();
  static constexpr double one = 0;
  static double negligible_squared() { return -1.151292546497023 * Real::default_precision(); }
  static double of(const Real& x) {
    long exponent = 0;
    const double mantissa = mpfr_get_d_2exp(&exponent, x.backend().data(), MPFR_RNDN);
    return std::log(std::abs(mantissa)) + static_cast<double>(exponent) * 0.69314718055994530942;
  }
  static double product(double size, double factor) { return size + std::log(factor); }
  static double ratio(double a, double b) { return a - b; }
  static double log(double size) { return size; }
};

}  // namespace dalembert

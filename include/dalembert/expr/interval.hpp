// Closed intervals of doubles with outward rounding: a result contains every value of the operation on points
// of its operands.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace dalembert {

struct Interval {
  double low = 0;
  double high = 0;

  Interval() = default;
  Interval(double x) : low(x), high(x) {}  // NOLINT(google-explicit-constructor): numbers are intervals
  Interval(double from, double to) : low(from), high(to) {}

  static Interval everything() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  /// By so many units in the last place on either side.
  static Interval widened(double from, double to, int units = 1) {
    if (std::isnan(from) || std::isnan(to)) return everything();
    for (int i = 0; i < units; ++i) {
      from = std::nextafter(from, -std::numeric_limits<double>::infinity());
      to = std::nextafter(to, std::numeric_limits<double>::infinity());
    }
    return {from, to};
  }

  bool contains(double x) const { return low <= x && x <= high; }
  double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
  double width() const { return high - low; }
  double middle() const { return 0.5 * low + 0.5 * high; }
};

/// The C library's functions err by less.
inline constexpr int library_units = 2;

inline Interval operator-(const Interval& x) { return {-x.high, -x.low}; }
inline Interval operator+(const Interval& x, const Interval& y) {
  return Interval::widened(x.low + y.low, x.high + y.high);
}
inline Interval operator-(const Interval& x, const Interval& y) { return x + -y; }

inline Interval hull(std::initializer_list<double> values, int units = 1) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values) {
    if (std::isnan(value)) return Interval::everything();
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return Interval::widened(low, high, units);
}

inline Interval operator*(const Interval& x, const Interval& y) {
  const auto product = [](double a, double b) { return a == 0 || b == 0 ? 0 : a * b; };  // 0 · ∞ too
  return hull(
      {product(x.low, y.low), product(x.low, y.high), product(x.high, y.low), product(x.high, y.high)});
}
inline Interval operator/(const Interval& x, const Interval& y) {
  if (y.contains(0)) return Interval::everything();
  return hull({x.low / y.low, x.low / y.high, x.high / y.low, x.high / y.high});
}
inline Interval square(const Interval& x) {
  const Interval product = hull({x.low * x.low, x.high * x.high});
  return x.contains(0) ? Interval(0, product.high) : Interval(std::max(product.low, 0.0), product.high);
}

}  // namespace dalembert

// Tight bounds of a polynomial over a part of [0, 1].
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <dalembert/expr/interval.hpp>

namespace dalembert {

/// Σ c_k σᵏ for `from` ≤ σ ≤ `to`, 0 ≤ from. About the middle m: the parabola's extremes exactly, and
/// |P(m + δ) − P(m) − P'(m) δ − P''(m) δ²/2| ≤ |δ|³ Σ_{k≥3} C(k,3) |c_k| to^(k−3).
inline Interval polynomial_range(std::span<const double> c, double from, double to) {
  const double middle = 0.5 * (from + to);
  const double half = 0.5 * (to - from);
  double value = 0, slope = 0, bend = 0, third = 0, size = 0;
  for (std::size_t k = c.size(); k-- > 0;) {
    bend = bend * middle + slope;
    slope = slope * middle + value;
    value = value * middle + c[k];
    size = size * to + std::abs(c[k]);
    if (k >= 3) {
      const auto degree = static_cast<double>(k);
      third = third * to + degree * (degree - 1) * (degree - 2) / 6 * std::abs(c[k]);
    }
  }
  const double left = (bend * half - slope) * half;
  const double right = (bend * half + slope) * half;
  Interval around(std::min({left, right, 0.0}), std::max({left, right, 0.0}));
  if (std::abs(slope) < 2 * std::abs(bend) * half) {
    const double vertex = -slope * slope / (4 * bend);
    around = {std::min(around.low, vertex), std::max(around.high, vertex)};
  }
  // roundings on the way: two for each of the three terms, two in their sum
  constexpr double operations = 8;
  const double slack =
      third * half * half * half + operations * std::numeric_limits<double>::epsilon() * size;
  return Interval::widened(value + around.low - slack, value + around.high + slack);
}

}  // namespace dalembert

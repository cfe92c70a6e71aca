// Extremes and integral of a polynomial along a piece of a motion, added to those of the pieces before.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <dalembert/solve/path_watch.hpp>

#include "switches/sign_change_locator.hpp"

namespace dalembert {

/// p(τ) = Σ c_k τ^k from `begin` on, over `length`, which may be negative; `last` is the function's own value
/// at the end.
struct PathPiece {
  double begin, length;
  std::span<const double> c;
  double last;
};

class PathAccount {
 public:
  explicit PathAccount(int max_degree)
      : locator_(max_degree), slope_(static_cast<std::size_t>(max_degree) + 1) {}

  /// Of a function of which nothing but the end is wanted.
  static void add_end(PathSummary& sum, double begin, double end, double value) {
    if (std::isnan(sum.start_time)) sum.start_time = begin;
    sum.end_time = end;
    sum.last = value;
  }

  void add(PathSummary& sum, const PathWatch::Wants& wants, const PathPiece& piece) {
    if (std::isnan(sum.start_time)) {
      sum.start_time = piece.begin;
      sum.integral = 0;
      sum.max = sum.min = sum.max_there = sum.min_there = piece.c[0];
      sum.max_time = sum.min_time = piece.begin;
    }
    sum.end_time = piece.begin + piece.length;
    sum.last = piece.last;
    if (wants.integral) integrate(sum, piece);
    if (wants.extremes) compare(sum, piece);
  }

 private:
  // Σ c_k h^(k+1) / (k+1), with what the sum loses (Neumaier)
  static void integrate(PathSummary& sum, const PathPiece& piece) {
    double share = 0;
    for (std::size_t k = piece.c.size(); k-- > 0;)
      share = share * piece.length + piece.c[k] / static_cast<double>(k + 1);
    share *= piece.length;
    const double total = sum.integral + share;
    sum.integral_lost += std::abs(sum.integral) >= std::abs(share) ? (sum.integral - total) + share
                                                                   : (share - total) + sum.integral;
    sum.integral = total;
  }

  static void take(PathSummary& sum, double t, double value) {
    if (value > sum.max || std::isnan(value)) {
      sum.max = value;
      keep_place(sum.max_there, sum.max_time, t, value);
    }
    if (value < sum.min || std::isnan(value)) {
      sum.min = value;
      keep_place(sum.min_there, sum.min_time, t, value);
    }
  }
  // Of equal extremes the first counts.
  static void keep_place(double& there, double& time, double t, double value) {
    // some hundred roundings of an evaluation: equal but for rounding errors
    constexpr double rounding = 1e-13;
    if (std::abs(value - there) <= rounding * std::abs(value)) return;
    there = value;
    time = t;
  }

  void compare(PathSummary& sum, const PathPiece& piece) {
    const double h = std::abs(piece.length);
    double reach = 0, slopes = 0;  // Σ_{k≥1} |c_k| h^k, Σ_{k≥2} k |c_k| h^(k−1)
    for (std::size_t k = piece.c.size(); k-- > 1;) {
      reach = (reach + std::abs(piece.c[k])) * h;
      if (k > 1) slopes = (slopes + static_cast<double>(k) * std::abs(piece.c[k])) * h;
    }
    take(sum, piece.begin, piece.c[0]);
    take(sum, piece.begin + piece.length, piece.last);
    if (!std::isfinite(reach)) return;
    if (piece.c[0] + reach <= sum.max && piece.c[0] - reach >= sum.min) return;
    if (piece.c.size() < 2 || std::abs(piece.c[1]) > slopes) return;
    const std::size_t degree = piece.c.size() - 1;
    for (std::size_t k = 0; k < degree; ++k) slope_[k] = static_cast<double>(k + 1) * piece.c[k + 1];
    const std::span<const double> slope(slope_.data(), degree);
    // roundings of a series' coefficients; chosen, not measured
    constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
    const bool leaves_zero = std::abs(slope[0]) <= rounding * slopes;
    const int side = leaves_zero ? locator_.side_ahead(slope, piece.length) : (slope[0] > 0 ? 1 : -1);
    if (side == 0) return;  // constant
    zeros_.clear();
    locator_.find_all(slope, piece.length, side, leaves_zero, zeros_);
    for (const auto& zero : zeros_) take(sum, piece.begin + zero.at, value(piece.c, zero.at));
  }

  static double value(std::span<const double> c, double tau) {
    double sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * tau + c[k];
    return sum;
  }

  SignChangeLocator<double> locator_;
  std::vector<double> slope_;
  std::vector<SignChangeLocator<double>::Zero> zeros_;
};

}  // namespace dalembert

// What errors are measured against: the largest value of each coordinate and velocity seen so far.
//
// Coordinates pass through zero, so the present value is no measure. Nothing counts as smaller than a
// thousandth of the largest of its kind at the start; at a start from rest that is the velocity which the
// acceleration a reaches over the size of q, √(a q). Coordinates whose units differ much, as 1/√M_ii tells,
// are compared in those.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/system/start.hpp>

namespace dalembert {

class ErrorScale {
 public:
  /// `expected`: the size of accelerations to come, for a start at rest at zero; there q counts as what
  /// they make of it in a thousandth of the run.
  ErrorScale(const Start& start, double duration, double expected = 0)
      : n_(start.q.size()), size_q_(largest(start.q)), scale_(2 * start.q.size()) {
    const double speed = largest(start.v);
    const double acceleration = largest(start.a);
    if (size_q_ == 0) size_q_ = acceleration > 0 ? speed * speed / acceleration : 0;
    if (size_q_ == 0) size_q_ = std::max(expected, acceleration) * std::pow(1e-3 * duration, 2);
    if (size_q_ == 0) size_q_ = 1;
    size_v_ = std::max(speed, std::sqrt(acceleration * size_q_));
    if (size_v_ == 0) size_v_ = size_q_ / std::abs(duration);
    // a coordinate of less than a thousandth of the largest is measured as that thousandth: it keeps three
    // digits less; chosen, not measured
    constexpr double smallest = 1e-3;
    const std::vector<double> share = shares(start);
    for (std::size_t i = 0; i < n_; ++i) {
      scale_[i] = std::max(smallest * share[i] * size_q_, std::abs(start.q[i]));
      scale_[n_ + i] = std::max(smallest * share[i] * size_v_, std::abs(start.v[i]));
    }
  }

  /// For the first tenth of the time size_q/size_v: v_i counts as what a_i makes of it in that time. At a
  /// start from rest errors would else be measured beside nearly nothing.
  void expect(std::span<const double> a) {
    start_time_ = 0.1 * size_q_ / size_v_;
    seen_ = scale_;
    for (std::size_t i = 0; i < n_; ++i)
      scale_[n_ + i] = std::max(scale_[n_ + i], std::abs(a[i]) * start_time_);
  }

  /// Of a run that goes on: the largest coordinate and velocity were at least these.
  void raise(double size_q, double size_v) {
    // a coordinate of less than a thousandth of the largest is measured as that thousandth: it keeps three
    // digits less; chosen, not measured
    constexpr double smallest = 1e-3;
    size_q_ = std::max(size_q_, size_q);
    size_v_ = std::max(size_v_, size_v);
    for (std::size_t i = 0; i < 2 * n_; ++i)
      scale_[i] = std::max(scale_[i], smallest * (i < n_ ? size_q : size_v));
  }

  /// The largest coordinate, and the largest velocity, at the start.
  double size_q() const { return size_q_; }
  double size_v() const { return size_v_; }

  /// Of component i of (q, v).
  double operator[](std::size_t i) const { return scale_[i]; }
  /// The largest velocity by the largest coordinate so far.
  double rate() const {
    const std::span<const double> all(scale_);
    return largest(all.subspan(n_)) / largest(all.first(n_));
  }
  /// x starts with q and v.
  void include(std::span<const double> x) {
    for (std::size_t i = 0; i < 2 * n_; ++i) scale_[i] = std::max(scale_[i], std::abs(x[i]));
  }
  void include(std::span<const double> x, double elapsed) {
    include(x);
    if (seen_.empty()) return;
    for (std::size_t i = 0; i < 2 * n_; ++i) seen_[i] = std::max(seen_[i], std::abs(x[i]));
    if (elapsed > start_time_) scale_ = std::exchange(seen_, {});
  }
  void include(std::size_t i, double q, double v) {
    scale_[i] = std::max(scale_[i], std::abs(q));
    scale_[n_ + i] = std::max(scale_[n_ + i], std::abs(v));
  }
  /// The largest component of (q, v) in x beside its scale; not a number where x is none.
  double norm(std::span<const double> x) const {
    double result = 0;
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      const double size = std::abs(x[i]) / scale_[i];
      if (!(size <= result)) result = size;
    }
    return result;
  }

  static double largest(std::span<const double> values) {
    double result = 0;
    for (const double value : values) result = std::max(result, std::abs(value));
    return result;
  }

 private:
  // What the largest value of all is in the unit of each coordinate, beside itself. Masses alone make units
  // of inertia differ, too: then one number is as good a measure for all.
  static std::vector<double> shares(const Start& start) {
    // a factor of masses of 1e8; chosen, not measured
    constexpr double much = 1e-4;
    std::vector<double> result(start.q.size(), 1.0);
    if (start.units.empty()) return result;
    for (const std::vector<double>* x : {&start.q, &start.v, &start.a}) {
      const double all = largest(*x);
      if (all == 0) continue;
      double in_units = 0;
      for (std::size_t i = 0; i < x->size(); ++i)
        in_units = std::max(in_units, std::abs((*x)[i]) / start.units[i]);
      for (std::size_t i = 0; i < x->size(); ++i) {
        const double share = in_units * start.units[i] / all;
        if (share < much) result[i] = share;
      }
      break;
    }
    return result;
  }

  std::size_t n_;
  double size_q_;
  double size_v_ = 0;
  std::vector<double> scale_;
  std::vector<double> seen_;  // while more is expected
  double start_time_ = 0;
};

}  // namespace dalembert

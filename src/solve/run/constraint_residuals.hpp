// g and C v + c of all constraints at a state, redundant ones included.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/system/plain_values.hpp>
#include <dalembert/system/system.hpp>

#include "series/as_double.hpp"

namespace dalembert {

template <class S>
class ConstraintResiduals {
 public:
  explicit ConstraintResiduals(const System& system)
      : g(system.holonomic(), S(0)),
        gv(system.m(), S(0)),
        system_(&system),
        dynamics_(system, system.dynamics().program) {}

  void eval(const S& t, std::span<const S> q, std::span<const S> v) {
    if (gv.empty()) return;
    dynamics_.set(System::input_t(), t);
    dynamics_.set(system_->input_q(0), q);
    dynamics_.run(Stage::position);
    for (std::size_t j = 0; j < g.size(); ++j) g[j] = dynamics_.value(system_->dynamics().g[j]);
    for (std::size_t j = 0; j < gv.size(); ++j) gv[j] = dynamics_.value(system_->dynamics().c[j]);
    for (const MatrixEntry& entry : system_->dynamics().C) {
      gv[entry.row] += dynamics_.value(entry.value) * v[entry.column];
    }
  }

  /// After eval(): how large each g would be if coordinates were off by themselves, small ones by a
  /// thousandth of the largest, which is at least `largest`.
  void eval_scales(std::span<const S> q, std::vector<double>& scales, double largest = 0) const {
    for (const S& x : q) largest = std::max(largest, std::abs(as_double(x)));
    scales.assign(g.size(), 0.0);
    for (const MatrixEntry& entry : system_->dynamics().C) {
      if (entry.row >= g.size()) continue;
      const double size = std::max(std::abs(as_double(q[entry.column])), 1e-3 * largest);
      scales[entry.row] += std::abs(as_double(dynamics_.value(entry.value))) * size;
    }
  }

  /// The same for C v + c and velocities, of which the largest so far is `fastest`, and small ones count as
  /// `share` of it.
  void eval_velocity_scales(std::span<const S> v, double fastest, std::vector<double>& scales,
                            double share = 1e-3) const {
    scales.assign(gv.size(), 0.0);
    for (std::size_t j = 0; j < gv.size(); ++j)
      scales[j] = std::abs(as_double(dynamics_.value(system_->dynamics().c[j])));
    for (const MatrixEntry& entry : system_->dynamics().C) {
      const double size = std::max(std::abs(as_double(v[entry.column])), share * fastest);
      scales[entry.row] += std::abs(as_double(dynamics_.value(entry.value))) * size;
    }
  }

  /// After eval(): the largest of g and of C v + c, each beside its scale, with coordinates and velocities
  /// whose largest is at least `least_q`, `least_v`.
  struct Relative {
    double position = 0, velocity = 0;
  };
  Relative relative(std::span<const S> q, std::span<const S> v, double least_q, double least_v) {
    // where a body turns back, the errors of its velocities are those of its motion
    constexpr double share = 0.01;
    for (const S& x : v) least_v = std::max(least_v, std::abs(as_double(x)));
    Relative result;
    eval_scales(q, scales_, least_q);
    result.position = largest_share(g);
    eval_velocity_scales(v, least_v, scales_, share);
    result.velocity = largest_share(gv);
    return result;
  }

  std::vector<S> g;   ///< holonomic
  std::vector<S> gv;  ///< all

 private:
  double largest_share(const std::vector<S>& residuals) const {
    double result = 0;
    for (std::size_t j = 0; j < residuals.size(); ++j) {
      const double size = std::abs(as_double(residuals[j]));
      if (size > 0 && !(size <= result * scales_[j])) result = size / scales_[j];
    }
    return result;
  }

  const System* system_;
  PlainValues<S> dynamics_;  // g, C and c depend on t and q alone
  std::vector<double> scales_;
};

}  // namespace dalembert

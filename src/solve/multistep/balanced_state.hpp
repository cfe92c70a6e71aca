// Where forces are stiff, K = ∂f/∂q magnifies errors of a state that are within its tolerance: forces at the
// state are nothing but K times its error. A multistep method has solved F(t, y, y') = 0, though, so that y'
// of its polynomial p, and the forces that balance it, are as good as the motion. Near p(t) the state with
//
//   F(t, y, p'(t) + β (y − p(t))) = 0,   F of the stabilized form
//
// has these forces, on the constraints and inside steps too. β is a small part of α = 1/h: what y moves to
// meet the constraints changes y' by little, and where nothing is stiff y is still near p.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "control/error_scale.hpp"
#include "multistep/motion_dae.hpp"

namespace dalembert {

/// The last step for which forces were stiff. A short one behind it, to the end of a run, is none but belongs
/// to it.
struct StiffStep {
  double t = std::numeric_limits<double>::quiet_NaN();
  double alpha = 0;

  void note(double end, const MotionDae& dae) {
    if (!dae.stiff()) return;
    t = end;
    alpha = dae.alpha();
  }
  double rate(double of_motion) const {
    const double least = std::max(0.01 * std::abs(alpha), 3 * of_motion);
    return std::copysign(std::min(least, std::abs(alpha)), alpha);
  }
  bool reaches(double time) const {
    constexpr double two_steps = 5;  // α h is 1 to 2.3
    return std::abs((time - t) * alpha) <= two_steps;
  }
};

class BalancedState {
 public:
  explicit BalancedState(const Problem& problem)
      : dae_(problem, IndexForm::ggl), y_(dae_.size()), dydt_(dae_.size()), residual_(dae_.size()) {}

  /// p and its derivative start with q and v; the others are λ of independent constraints, as far as known.
  /// False: there is no such state near p.
  bool eval(double t, double beta, std::span<const double> p, std::span<const double> dpdt) {
    const std::size_t known = std::min(p.size(), y_.size());
    std::fill(y_.begin(), y_.end(), 0.0);
    std::fill(dydt_.begin(), dydt_.end(), 0.0);
    std::copy_n(p.begin(), known, y_.begin());
    std::copy_n(dpdt.begin(), 2 * dae_.n(), dydt_.begin());
    if (!dae_.factor(t, y_, dydt_, beta)) return false;
    // the matrix is new, so that each round squares or at least tenths the error; chosen, not measured
    constexpr int most = 20;
    double first = 0, before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most; ++k) {
      dae_.eval_residual(t, y_, dydt_, residual_);
      dae_.solve(residual_);
      for (std::size_t i = 0; i < y_.size(); ++i) {
        y_[i] -= residual_[i];
        dydt_[i] -= beta * residual_[i];
      }
      const double size = largest(residual_) / largest(y_);
      if (k == 0) first = size;
      // with the matrix at p, a correction leaves its product with the first one
      if (size * first <= std::numeric_limits<double>::epsilon() / 2) return true;
      if (!(size < 0.9 * before)) return false;
      before = size;
    }
    return false;
  }
  std::span<const double> q() const { return std::span(y_).first(dae_.n()); }
  std::span<const double> v() const { return std::span(y_).subspan(dae_.n(), dae_.n()); }

 private:
  double largest(std::span<const double> x) const { return ErrorScale::largest(x.first(dae_.n())); }

  MotionDae dae_;
  std::vector<double> y_, dydt_, residual_;
};

}  // namespace dalembert

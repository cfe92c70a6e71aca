#include "run/constant_stepper.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "control/expected_forces.hpp"

namespace dalembert {

ConstantStepper::ConstantStepper(const Problem& problem, const SolveOptions& options)
    : q_(problem.system.n()),
      v_(problem.system.n()),
      old_q_(problem.system.n()),
      old_v_(problem.system.n()),
      scale_(make_error_scale(problem, options)),
      duration_(options.duration) {
  double step = options.step;
  if (options.max_step > 0) step = std::min(step, options.max_step);
  count_ = static_cast<std::size_t>(std::ceil(std::abs(duration_) / step * (1 - 1e-10)));
  count_ = std::max<std::size_t>(count_, 1);
  h_ = duration_ / static_cast<double>(count_);
}

StateStepper::Result ConstantStepper::start(double t, std::span<const double> q, std::span<const double> v,
                                            double /*direction*/) {
  start_ = t_ = old_t_ = t;
  taken_ = 0;
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(v.begin(), v.end(), v_.begin());
  counters.order = 2;
  return prepare() ? Result::done : Result::failed;
}

StateStepper::Result ConstantStepper::step(double limit) {
  improve_rows();
  old_t_ = t_;
  std::copy(q_.begin(), q_.end(), old_q_.begin());
  std::copy(v_.begin(), v_.end(), old_v_.begin());
  const std::size_t next = taken_ + 1;
  const double t =
      next >= count_ ? limit : start_ + duration_ * (static_cast<double>(next) / static_cast<double>(count_));
  if (!advance(t)) {
    std::copy(old_q_.begin(), old_q_.end(), q_.begin());
    std::copy(old_v_.begin(), old_v_.end(), v_.begin());
    return Result::failed;
  }
  taken_ = next;
  t_ = t;
  for (std::size_t i = 0; i < q_.size(); ++i) scale_.include(i, q_[i], v_[i]);
  return Result::done;
}

// Hermite's cubic through q and v at both ends, and its derivative.
void ConstantStepper::eval(double t, std::span<double> q, std::span<double> v) {
  const double h = t_ - old_t_;
  const double s = (t - old_t_) / h;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double slope = (q_[i] - old_q_[i]) / h;
    const double c2 = 3 * slope - 2 * old_v_[i] - v_[i];
    const double c3 = old_v_[i] + v_[i] - 2 * slope;
    q[i] = old_q_[i] + s * h * (old_v_[i] + s * (c2 + s * c3));
    v[i] = old_v_[i] + s * (2 * c2 + 3 * s * c3);
  }
}

ConstantStepper::Convergence::State ConstantStepper::Convergence::after(double size) {
  constexpr double small = 1e-9;      // Newton's iteration squares it: the next correction is round-off
  constexpr double round_off = 1e-5;  // of velocities, which are differences of positions over short steps
  constexpr int most_iterations = 12;
  ++iterations_;
  if (!std::isfinite(size)) return State::failed;
  if (size <= small || (size <= round_off && iterations_ > 2 && size > 0.3 * before_)) return State::done;
  before_ = size;
  return iterations_ < most_iterations ? State::going : State::failed;
}

bool ConstantStepper::fail_to_converge() {
  reason = fmt::format("Newton's method does not converge with the step {:.3g}; a shorter --step may help",
                       std::abs(h_));
  return false;
}

bool ConstantStepper::fail_singular() {
  reason =
      "Newton's matrix is singular here: constraints become dependent, or a motion that they allow has no "
      "inertia";
  return false;
}

}  // namespace dalembert

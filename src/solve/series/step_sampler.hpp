// The state at a sample inside a step: on the constraints, with accelerations and multipliers that solve the
// equations there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>

#include "series/as_double.hpp"

namespace dalembert {

template <class S>
class StepSampler {
 public:
  /// `parameters` as for Expansion.
  StepSampler(const System& system, std::span<const std::size_t> active, const StepSettings& settings,
              std::span<const ParameterValues> parameters = {})
      : step_(system, active, settings, parameters),
        q_(system.n()),
        v_(system.n()),
        a_(system.n()),
        lambda_(system.m()) {}

  /// Other constraints, as many, count for the states to come.
  void choose_rows(std::span<const std::size_t> active) { step_.choose_rows(active); }

  /// As in Expansion.
  void hold_sides(std::span<const int> sides) { step_.hold_sides(sides); }
  const S& branch_value(std::size_t i) const { return step_.branch_value(i, 0); }

  /// The state at time t, τ into a curve with eval_q, eval_v and eval_a. Near a singular configuration at τ =
  /// `singular` the curve itself is the best that is known, and the multipliers follow from its
  /// accelerations. In it they are the limit from both sides, not a number where there is none.
  template <class Curve>
  void set(const S& t, const S& tau, const Curve& curve, std::optional<double> singular) {
    // of the step: there the matrix has lost more digits than the curve. Chosen, not measured.
    constexpr double near = 0.05;
    place(tau, curve);
    const bool is_near =
        singular && std::abs(as_double(tau) - *singular) < near * std::abs(as_double(curve.h));
    if (!is_near && step_.set_close_state(t, q_, v_)) {
      std::copy(step_.a().begin(), step_.a().end(), a_.begin());
      copy_multipliers();
    } else if (step_.set_smooth_state(t, q_, v_, a_)) {
      copy_multipliers();
    } else {
      take_limit(t, tau, curve);
    }
  }
  /// A state that is given.
  void set(const S& t, std::span<const S> q, std::span<const S> v) {
    step_.set_close_state(t, q, v);
    std::copy(step_.a().begin(), step_.a().end(), a_.begin());
    copy_multipliers();
  }

  const S& t() const { return step_.t(); }
  std::span<const S> q() const { return step_.q(); }
  std::span<const S> v() const { return step_.v(); }
  std::span<const S> a() const { return a_; }
  std::span<const S> lambda() const { return lambda_; }
  std::span<const S> position_residual() const { return step_.position_residual(); }
  std::span<const S> velocity_residual() const { return step_.velocity_residual(); }

 private:
  template <class Curve>
  void place(const S& tau, const Curve& curve) {
    curve.eval_q(tau, q_);
    curve.eval_v(tau, v_);
    curve.eval_a(tau, a_);
  }
  void copy_multipliers() { std::copy(step_.lambda().begin(), step_.lambda().end(), lambda_.begin()); }

  template <class Curve>
  void take_limit(const S& t, const S& tau, const Curve& curve) {
    // the cube root of the rounding unit: the error δ² of the mean of both sides and that of solves, ε/δ,
    // balance
    constexpr double offset = 1e-5;
    const S delta = S(offset) * curve.h;
    lambda_before_.assign(lambda_.size(), S(0));
    lambda_.assign(lambda_.size(), S(0));
    for (std::vector<S>* side : {&lambda_before_, &lambda_}) {
      const S shift = side == &lambda_ ? delta : S(-delta);
      place(S(tau + shift), curve);
      if (step_.set_smooth_state(S(t + shift), q_, v_, a_)) {
        std::copy(step_.lambda().begin(), step_.lambda().end(), side->begin());
      }
    }
    double size = 0;
    for (const S& x : lambda_) size = std::max(size, std::abs(as_double(x)));
    for (std::size_t j = 0; j < lambda_.size(); ++j) {
      // a limit moves by δ λ' / λ between the sides, 1e-5 of a usual curve; chosen, not measured
      constexpr double near = 1e-3;
      const bool agree = std::abs(as_double(S(lambda_[j] - lambda_before_[j]))) <= near * size;
      lambda_[j] =
          agree ? S((lambda_[j] + lambda_before_[j]) / S(2)) : S(std::numeric_limits<double>::quiet_NaN());
    }
    place(tau, curve);
    step_.set_smooth_state(t, q_, v_, a_);
  }

  AdomianStep<S> step_;
  std::vector<S> q_, v_, a_, lambda_, lambda_before_;
};

}  // namespace dalembert

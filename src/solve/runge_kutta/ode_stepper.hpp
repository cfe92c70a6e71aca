// A stepper that integrates the motion as an ordinary differential equation by a Runge-Kutta method.
#pragma once

#include <string>

#include "run/state_stepper.hpp"
#include "runge_kutta/runge_kutta.hpp"

namespace dalembert {

/// The motion as an ordinary differential equation; its unknowns y stand for q and v.
class MotionOde : public Ode {
 public:
  /// The unknowns of a state, e.g. (q, v).
  virtual void write(double t, std::span<const double> q, std::span<const double> v, std::span<double> y) = 0;
  /// The state of unknowns. False: there is none, `reason` tells why.
  virtual bool read(double t, std::span<const double> y, std::span<double> q, std::span<double> v) = 0;
  /// Positions near those that the next read() or eval() is about, where it searches.
  virtual void expect_near(std::span<const double> /*q*/) {}
  /// The number of the group of like quantities to which each component of y belongs.
  virtual std::vector<std::size_t> groups() const = 0;
  /// Asked before each step, at its state: whether other unknowns serve better from here on.
  virtual bool choose_unknowns(double /*t*/, std::span<const double> /*q*/, std::span<const double> /*v*/) {
    return false;
  }
  /// The method's own a and λ at a state. False: it has none.
  virtual bool eval_accelerations(double /*t*/, std::span<const double> /*q*/, std::span<const double> /*v*/,
                                  std::span<double> /*a*/, std::span<double> /*lambda*/) {
    return false;
  }
  /// See StateStepper.
  virtual Accelerations* shared_accelerations() { return nullptr; }
  std::size_t iterations = 0;  ///< of Newton's or another method so far
};

class OdeStepper : public StateStepper {
 public:
  OdeStepper(MotionOde& ode, const RungeKuttaTable& table, const SolveOptions& options, std::size_t n);

  Result start(double t, std::span<const double> q, std::span<const double> v, double direction) override;
  Result step(double limit) override;
  bool chooses_steps() const override { return solver_.is_adaptive(); }
  double t() const override { return solver_.t(); }
  std::span<const double> q() const override { return q_; }
  std::span<const double> v() const override { return v_; }
  void eval(double t, std::span<double> q, std::span<double> v) override;
  bool eval_accelerations(double t, std::span<double> a, std::span<double> lambda) override;
  Accelerations* accelerations() override { return ode_.shared_accelerations(); }

 private:
  Result take_state();
  void expect_inside(double t);

  MotionOde& ode_;
  RungeKutta solver_;
  std::vector<double> q_, v_, y_;
  double begin_t_ = 0;  // of the last step
  std::vector<double> begin_q_, begin_v_, near_q_;
  double inner_t_ = 0;  // where the dense output was asked for last
  std::vector<double> inner_q_, inner_v_;
};

/// The table that the options name in `runge_kutta`, dop853 without; settings from the options.
const RungeKuttaTable& table_of(const SolveOptions& options);

}  // namespace dalembert

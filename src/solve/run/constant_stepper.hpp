// A stepper of equal steps that divide the run, with cubic interpolation of q by q and v at both ends.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "control/error_scale.hpp"
#include "run/state_stepper.hpp"

namespace dalembert {

class ConstantStepper : public StateStepper {
 public:
  ConstantStepper(const Problem& problem, const SolveOptions& options);

  Result start(double t, std::span<const double> q, std::span<const double> v, double direction) override;
  Result step(double limit) override;
  bool chooses_steps() const override { return false; }
  double t() const override { return t_; }
  std::span<const double> q() const override { return q_; }
  std::span<const double> v() const override { return v_; }
  void eval(double t, std::span<double> q, std::span<double> v) override;

 protected:
  /// Before the first step; q_, v_ and t_ are the start. False: `reason` tells why not.
  virtual bool prepare() = 0;
  /// Before each step: redundant constraints may be stood for by other rows.
  virtual void improve_rows() {}
  /// From (old_t_, old_q_, old_v_) to q_ and v_ at t. False: `reason` tells why not.
  virtual bool advance(double t) = 0;

  /// Newton's method with exact derivatives: a step's first, then each next correction, by relative size.
  class Convergence {
   public:
    enum class State { going, done, failed };
    /// Done when the correction is so small that the next would be at round-off, or when it no longer shrinks
    /// because it is there already.
    State after(double size);

   private:
    double before_ = 0;
    int iterations_ = 0;
  };
  bool fail_to_converge();
  bool fail_singular();

  double h_ = 0;
  double t_ = 0, old_t_ = 0;
  std::vector<double> q_, v_, old_q_, old_v_;
  ErrorScale scale_;

 private:
  double start_ = 0;
  double duration_;
  std::size_t count_ = 1;
  std::size_t taken_ = 0;
};

}  // namespace dalembert

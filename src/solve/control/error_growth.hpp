// How errors grow along a run, followed along one direction.
//
// The error e = (e_q, e_v) of a state obeys e' = J e with J the derivative of (v, a(t, q, v)), and every step
// adds its own error. J e comes from differences of accelerations, so this serves every method. Steps of the
// classical Runge-Kutta method are as long as e and the motion allow: many short steps of a method are one
// here, with Hermite's polynomial between their ends, and a long one is several along the method's own curve.
//
// The errors that steps add are not known, but what they do to E − W is (energy_watch.hpp): beside the
// energy that is exchanged it is twice the relative error of v, with its sign. docs/trust.md compares the
// result with the true errors.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/solve/solve.hpp>

namespace dalembert {

/// q and v at a time within the last step.
using StepCurve = std::function<void(double t, std::span<double> q, std::span<double> v)>;

class ErrorGrowth {
 public:
  ErrorGrowth(const Problem& problem, const SolveOptions& options);
  ~ErrorGrowth();
  ErrorGrowth(const ErrorGrowth&) = delete;
  ErrorGrowth& operator=(const ErrorGrowth&) = delete;

  struct StepEnd {
    double t;
    std::span<const double> q, v;
    double energy_error;  ///< what the step added to E − W, beside the energy that is exchanged
    double kinetic;       ///< beside the same
    const StepCurve& curve;
  };
  void start(double t, std::span<const double> q, std::span<const double> v);
  /// What the next part of a run goes on with, behind an event.
  struct Memory {
    std::vector<double> error, scale;
    std::vector<double> acceleration;  ///< before the event
    double sum = 0;
    bool failed = false;
    std::uint64_t signs = 0;
    double delay = 0;  ///< of the event, in the direction of e, with which `error` is at its own event
  };
  Memory memory() const;
  void go_on(double t, std::span<const double> q, std::span<const double> v, const Memory& before);
  void end_step(const StepEnd& end);
  /// Up to the last step.
  void finish();

  /// Of q and v by now, beside their largest values; not a number: it could not be followed.
  double error() const;
  /// By how much it is larger than the sum of what the steps added.
  double growth() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dalembert

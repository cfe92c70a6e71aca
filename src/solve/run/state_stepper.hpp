// Steps of a classical method: q and v, in doubles. WatchedStepper makes steps of a run of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <dalembert/solve/solve.hpp>

namespace dalembert {

class Accelerations;
class BalancedState;

class StateStepper {
 public:
  enum class Result { done, failed };

  StateStepper() = default;
  StateStepper(const StateStepper&) = delete;
  StateStepper& operator=(const StateStepper&) = delete;
  virtual ~StateStepper() = default;

  /// Goes to the consistent start; direction is 1 or −1. Failed: `reason` tells why.
  virtual Result start(double t, std::span<const double> q, std::span<const double> v, double direction) = 0;
  /// One accepted step that does not go beyond `limit`; a step that ends there ends at `limit` exactly.
  /// Failed: the state is the one before, `reason` tells why.
  virtual Result step(double limit) = 0;

  /// Whether the method chooses the lengths of its steps; they may be limited then.
  virtual bool chooses_steps() const { return true; }

  /// The state after the last step.
  virtual double t() const = 0;
  virtual std::span<const double> q() const = 0;
  virtual std::span<const double> v() const = 0;
  /// Dense output: the state inside the last step.
  virtual void eval(double t, std::span<double> q, std::span<double> v) = 0;
  /// The method's own a and λ (of all m constraints) within or at the end of the last step, before any step
  /// at the start. False: it has none, they come from the saddle-point system at the state.
  virtual bool eval_accelerations(double /*t*/, std::span<double> /*a*/, std::span<double> /*lambda*/) {
    return false;
  }

  /// The state within its errors whose a and λ are to be reported where forces are so stiff that those of the
  /// state itself are errors alone; null: the state itself.
  virtual const BalancedState* balance(double /*t*/) { return nullptr; }

  /// The saddle-point system that the method evaluates, for others to use between steps; null: it has none.
  virtual Accelerations* accelerations() { return nullptr; }

  struct Counters {
    std::size_t rejected = 0;
    std::size_t evaluations = 0;
    std::size_t factorizations = 0;
    std::size_t iterations = 0;
    int order = 0;  ///< of the last step
  };
  Counters counters;
  std::string reason;
};

/// Runs to the end, with samples as they are due. Samples are the method's own states, drift included.
RunReport run_steps(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
                    StateStepper& steps);

}  // namespace dalembert

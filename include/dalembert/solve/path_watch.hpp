// Ends, extremes and integrals of functions along whole motions, to the accuracy of the motion itself.
//
// Along a step q, v, a and λ are polynomials, and the program of the functions runs on them: each function is
//   p(τ) = Σ_{k=0..K} c_k τ^k,   τ = t − begin of the step,
// whose extremes are zeros of p' and whose integral is Σ c_k τ^(k+1) / (k+1). Nothing is sampled. Where such
// a series does not reach (a kink of abs, min, max; a singular configuration; a function with a pole near the
// step) the function is evaluated in Chebyshev's nodes, on halves of halves as far as needed.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/solve/observer.hpp>
#include <dalembert/solve/path_functions.hpp>
#include <dalembert/solve/step_polynomials.hpp>
#include <dalembert/system/lane_constants.hpp>

namespace dalembert {

/// Of a function along a motion, as far as it went; not a number where it was undefined or there was no step.
struct PathSummary {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double start_time = none, end_time = none;
  double last = none;                  ///< value at the end
  double max = none, max_time = none;  ///< the first time, as far as rounding errors tell
  double min = none, min_time = none;
  double max_there = none, min_there = none;  ///< values at these times
  double integral = none;
  double integral_lost = 0;  ///< what the sum lost so far
};

/// A step of one motion, or of several in lanes.
template <class S>
struct PathStep {
  using State = typename Observer<S>::State;
  double begin, end;                      ///< times
  const StepPolynomials<S>* polynomials;  /// in τ = t − begin; null: they do not hold all along
  State last;                             ///< at the end
  /// Within the step, on the constraints; valid until the next call.
  std::function<std::optional<State>(double t)> at;
};

class PathWatch {
 public:
  /// What is wanted of a function besides its value at the end.
  struct Wants {
    bool extremes = false, integral = false;
    bool samples = false;                                 ///< at the times of sample_at()
    bool pieces() const { return extremes || integral; }  ///< of the way, not its end alone
  };
  /// `tolerance` is that of the run; `wants` by function.
  PathWatch(std::shared_ptr<const PathFunctions> functions, std::vector<Wants> wants, double tolerance);
  ~PathWatch();
  PathWatch(const PathWatch&) = delete;
  PathWatch& operator=(const PathWatch&) = delete;

  /// Times in the order of runs; before begin().
  void sample_at(std::vector<double> times);
  /// At these times; not a number where the motion did not come. Of functions that want it.
  std::span<const double> samples(std::size_t motion, std::size_t function) const;

  /// Forgets what it has seen; so many motions are to come.
  void begin(std::size_t motions);
  const PathSummary& summary(std::size_t motion, std::size_t function) const;

  /// For solvers: the motion that is alone from here on; the system of its steps to come.
  void follow(std::size_t motion);
  void enter(const System& system);
  void add(const PathStep<double>& step);
  /// For solvers: parameters of each lane; the motion of each lane that counts.
  template <class S>
  void set_parameters(const System& system, std::span<const ParameterValues> parameters);
  void follow_lanes(std::span<const std::size_t> motions);
  template <class S>
  void add_lanes(const PathStep<S>& step);
  bool wants_accelerations() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dalembert

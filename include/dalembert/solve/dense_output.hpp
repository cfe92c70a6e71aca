// The whole motion of a run, kept as the polynomials of its steps.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/system/system.hpp>

namespace dalembert {

template <class S>
class StepPolynomials;

/// Give one to SolveOptions::dense_output; a run fills it, and it answers afterwards. Of every step n (order
/// + 3) numbers are kept.
class DenseOutput {
 public:
  /// The system must outlive it.
  explicit DenseOutput(const System& system);
  ~DenseOutput();
  DenseOutput(DenseOutput&&) noexcept;
  DenseOutput& operator=(DenseOutput&&) noexcept;

  /// Nothing is kept of a run that would take more numbers than these.
  void limit(std::size_t numbers);

  /// Takes the motions of all methods in doubles: where one has no polynomials, of each step the one of
  /// degree 5 through its ends and its middle, which is enough for pictures.
  void take_any_method() { takes_any_method_ = true; }
  bool takes_any_method() const { return takes_any_method_; }

  bool empty() const;
  std::size_t steps() const;
  double start() const;  ///< of the run; throws Error where nothing was kept, as those below
  double end() const;    ///< reached; before the start when the run went backwards
  double step_start(std::size_t i) const;

  struct State {
    double t;
    std::vector<double> q, v, a, lambda;
    std::vector<double> outputs;  ///< the user's, in the model's order
  };
  /// The motion at any time of the run. q and v are those of the polynomials, moved onto g = 0 and C v + c =
  /// 0; a and λ solve the equations there. Throws Error outside the run. λ without a limit in a singular
  /// configuration is not a number.
  State at(double t);

  /// For solvers: forgets an earlier run and names the constraints that count.
  void begin(const System& system, const std::vector<std::size_t>& active, bool project);
  /// For solvers: from here on inputs follow other polynomials.
  void go_on(const System& system, const std::vector<std::size_t>& active);
  /// For solvers: a step that starts at `time` + `time_lost`, with its length in step.h, and τ where it
  /// passes a singular configuration, if it does; `sides` as for Expansion::hold_sides.
  void append(const StepPolynomials<double>& step, double time, double time_lost,
              std::optional<double> singular, std::span<const int> sides = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  bool takes_any_method_ = false;
};

}  // namespace dalembert

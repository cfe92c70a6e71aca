// What every method needs besides its steps: samples when they are due, energies, work, residuals, limits,
// the report.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <dalembert/solve/observer.hpp>
#include <dalembert/solve/solve.hpp>

#include "constraint_residuals.hpp"
#include "error_growth.hpp"
#include "least_multipliers.hpp"
#include "run_log.hpp"

namespace dalembert {

template <class S>
class EnergyWatch;

template <class S>
class Recorder : public RunLog {
 public:
  using State = typename Observer<S>::State;

  struct Settings {
    std::string_view method;
    int quadrature_points = 0;  ///< of the work of the forces
  };
  Recorder(const Problem& problem, const SolveOptions& options, const SampleSink<S>& sink,
           const Settings& settings);
  ~Recorder();

  /// The state at the start: its energy is the one to keep, and the first samples are due.
  void start(const State& state);
  /// Emits a sample and moves on to the next time.
  void sample(const State& state);
  struct StepSize {
    double length;
    int order;
  };
  /// After each step: its size, the energy at its end, the samples due there, limits and progress. `curve`
  /// gives the states within it.
  void end_step(const State& state, const StepSize& size, const StepCurve& curve);
  /// Residuals that a method knows at the end of a step.
  void note_residuals(std::span<const S> g, std::span<const S> gv);
  /// The same, evaluated for all constraints.
  void note_residuals(const State& state);

  bool counts_work() const { return !report.conservative; }
  void add_work(const S& work) { work_ += work; }
  Observer<S>& observer() { return observer_; }

  RunReport finish(double t);

 private:
  void emit(const State& at);
  void note_energy(const State& state);
  void check_redundant(const State& state);
  std::optional<std::size_t> find_contradiction(const std::vector<S>& residuals, std::size_t first) const;
  bool has_doubled();
  void look_at_residuals(const State& state);

  const SampleSink<S>& sink_;
  Observer<S> observer_;
  std::unique_ptr<EnergyWatch<S>> energy_watch_;
  std::unique_ptr<ErrorGrowth> error_growth_;  // null: nobody asks
  const System* system_;
  ConstraintResiduals<S> residuals_;
  std::vector<bool> is_redundant_;  // by constraint; empty: none is
  std::vector<double> residual_scales_;
  double fastest_ = 0;             // the largest velocity so far, where constraints are redundant
  double size_q_, size_v_;         // at the start, or larger
  std::vector<double> looked_at_;  // residuals, g first, that were compared with their terms last
  double looked_at_most_ = 0;      // the largest of them
  LeastMultipliers<S> multipliers_;
  std::vector<double> state_q_, state_v_;  // of more digits, rounded
  S work_;
  S start_energy_;
};

extern template class Recorder<double>;
extern template class Recorder<Real>;

}  // namespace dalembert

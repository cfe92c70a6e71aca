// What is reported of a state besides itself: energies, user outputs; and the work of the forces along a
// step.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S, int W>
class Observer {
 public:
  Observer(const System& system, int max_order);

  struct State {
    S t;
    std::span<const S> q, v, a, lambda;
  };

  /// Fills kinetic, potential, energy and outputs.
  void eval(const State& state);
  S kinetic, potential, energy;
  std::vector<S> outputs;

  S eval_energy(const State& state);

  /// ∫ power dt over [0, τ] of a step, from the power's own series; expand_power first.
  void expand_power(const StepPolynomials<S>& step);
  S work(const S& tau) const;

 private:
  static void set(Series<S, W>& series, const System& system, const State& state);

  const System* system_;
  Series<S, W> observables_;
  Series<S, W> energy_;
  std::vector<S> power_;  // coefficients along the present step
  int order_ = 0;
};

}  // namespace dalembert

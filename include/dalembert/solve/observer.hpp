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
  Observer(const System& system, int quadrature_points);

  struct State {
    S t;
    std::span<const S> q, v, a, lambda;
  };

  /// Fills kinetic, potential, energy and outputs.
  void eval(const State& state);
  S kinetic, potential, energy, energy_scale;
  std::vector<S> outputs;

  /// The energy; `energy_scale` becomes |K| + |energy − K|.
  S eval_energy(const State& state);

  /// ∫ power dt along a step's polynomials from τ = from to τ = to, by Gauss-Legendre quadrature.
  S work(const StepPolynomials<S>& step, const S& from, const S& to);

 private:
  static void set(Series<S, W>& series, const System& system, const State& state);

  const System* system_;
  Series<S, W> observables_;
  Series<S, W> energy_;
  std::vector<S> nodes_, weights_;  // on [−1, 1]
  std::vector<S> q_, v_, a_, lambda_;
};

}  // namespace dalembert

// What is reported of a state besides itself: energies, user outputs; and the work of the forces along a
// step.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/system/plain_values.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

template <class S>
class Observer {
 public:
  /// `parameters` as for constants_in_lanes().
  Observer(const System& system, int quadrature_points, std::span<const ParameterValues> parameters = {});

  /// Of lanes: other values of the parameters.
  void set_parameters(std::span<const ParameterValues> parameters) {
    if constexpr (LaneMath<S>::lanes > 1) {
      observables_.set_parameters(*system_, parameters);
      energy_.set_parameters(*system_, parameters);
    }
  }

  /// In lanes: the energy and its power by compiled code of the same system.
  void use_code(const std::shared_ptr<const LanesCode>& code) {
    if constexpr (LaneMath<S>::lanes > 1) {
      code_ = code;
      energy_.use_code(code->energy);
    }
  }

  struct State {
    S t;
    std::span<const S> q, v, a, lambda;
  };

  /// Fills kinetic, potential, energy and outputs.
  void eval(const State& state);
  S kinetic, potential, energy, energy_scale;
  std::vector<S> outputs;

  /// The energy, also in `total`; `moving` becomes K, `energy_scale` |K| + |energy − K|.
  S eval_energy(const State& state);
  S total, moving;
  /// Of the forces that do work.
  S eval_power(const State& state);

  /// ∫ power dt along a path from `from` to `to`, by Gauss-Legendre quadrature; path(x) is the State at x.
  /// `share`: how much of a step that is.
  template <class Path>
  S work(const S& from, const S& to, double share, const Path& path) {
    const S half = (to - from) / LaneMath<S>::of(2);
    S sum = LaneMath<S>::of(0);
    for (const auto& [node, weight] : rule_for(share)) {
      sum += weight * eval_power(path(S(from + half * (LaneMath<S>::of(1) + node))));
    }
    return half * sum;
  }
  /// The same along a step's polynomials, in τ; before(τ) is called before a state is evaluated.
  S work(const StepPolynomials<S>& step, const S& from, const S& to,
         const std::function<void(const S&)>& before = {});

  /// From now on call i of System::switches(), a sign, has this value, until release_signs().
  void hold_sign(std::size_t i, const S& value);
  void release_signs();

 private:
  struct QuadraturePoint {  // on [−1, 1]
    S node, weight;
  };
  std::span<const QuadraturePoint> rule_for(double share);
  void set(PlainValues<S>& values, const State& state, bool with_accelerations);
  template <class F>
  void for_each_register_of(std::size_t call, F f);

  const System* system_;
  PlainValues<S> observables_;
  PlainValues<S> energy_;
  std::vector<std::vector<QuadraturePoint>> rules_;  // by the number of points
  bool reads_accelerations_;                         // the energy and its power
  bool outputs_read_accelerations_;                  // or K and V
  std::vector<S> q_, v_, a_, lambda_;
  std::vector<std::size_t> held_;  // signs
  std::shared_ptr<const LanesCode> code_;
};

}  // namespace dalembert

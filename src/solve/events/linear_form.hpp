// Functions of the motion that are linear in t, q, v, a and λ: their series are sums of rows that a step has.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/solve/step_polynomials.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

/// constant + slope · t + Σ factor · component, of a row of StepPolynomials.
struct LinearForm {
  struct Term {
    std::size_t component;
    double factor;
  };
  double constant = 0, slope = 0;
  std::vector<Term> terms;

  /// Adds factor times an output of the program of the system's events. False: that is not linear, or long.
  bool add(const System& system, std::span<const double> constants, const Scaled& output, double factor);

  /// Coefficients c_k of τ along a step that begins at time `begin`, each times powers[k].
  void eval(const StepPolynomials<double>& step, double begin, std::span<const double> powers,
            std::span<double> coefficients) const;
};

}  // namespace dalembert

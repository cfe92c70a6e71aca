// Finds where along a step constraints lose rank.
//
// With D C of rows of size one, 1/‖(D C M⁻¹ Cᵀ D)⁻¹‖ is the square of how far the rows are from dependence.
// Along a smooth motion it falls to zero like s² (τ − τ*)² at a singular configuration τ*, so a parabola
// finds it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/solve/step_polynomials.hpp>
#include <dalembert/system/expansion.hpp>

#include "singular/rank_loss_detector.hpp"

namespace dalembert {

template <class S>
class RankLossLocator {
 public:
  /// `parameters` as for Expansion.
  RankLossLocator(const System& system, std::span<const std::size_t> active,
                  std::span<const ParameterValues> parameters);

  /// τ of the first singular configuration strictly between 0 and `reach`, which has the sign of the motion.
  std::optional<double> find(const StepPolynomials<S>& step, double reach);

  /// Whether x turns round in one half of a step at least: in a long step it may swing round with the rows of
  /// C. `watch` is that of the start of the step.
  bool turns(const StepPolynomials<S>& step, double length, const RankLossDetector<S>& watch);

 private:
  double independence(const StepPolynomials<S>& step, double tau);
  bool place(const StepPolynomials<S>& step, double tau);
  using Points = std::array<double, 3>;
  std::optional<double> refine(const StepPolynomials<S>& step, Points tau, Points value);

  std::size_t n_;
  std::size_t rows_;
  Expansion<S> expansion_;
  std::vector<S> q_, v_, rhs_;
  std::vector<S> scale_;  // D, at the start of the step
  RankLossDetector<S> watch_;
  std::vector<S> direction_;  // in which the rows are nearest to dependence
};

extern template class RankLossLocator<double>;
extern template class RankLossLocator<Real>;

}  // namespace dalembert

#include "singular/rank_loss_locator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "series/as_double.hpp"

namespace dalembert {

template <class S>
RankLossLocator<S>::RankLossLocator(const System& system, std::span<const std::size_t> active,
                                    std::span<const ParameterValues> parameters)
    : n_(system.n()),
      rows_(active.size()),
      expansion_(system, active, 1, parameters),
      q_(n_),
      v_(n_),
      rhs_(n_ + rows_),
      scale_(rows_),
      watch_(n_, rows_),
      direction_(rows_) {}

template <class S>
bool RankLossLocator<S>::place(const StepPolynomials<S>& step, double tau) {
  step.eval_q(S(tau), q_);
  step.eval_v(S(tau), v_);
  expansion_.set_position(S(step.t0 + S(tau)), q_);
  expansion_.set_velocity(v_);
  return expansion_.factor();
}

// [M Cᵀ; C 0] [x; y] = [0; −r] has y = (C M⁻¹ Cᵀ)⁻¹ r: iteration in the direction that grows most.
template <class S>
double RankLossLocator<S>::independence(const StepPolynomials<S>& step, double tau) {
  if (!place(step, tau)) return 0;
  // inverse iteration: near a loss of rank one σ is far below the others, and each round gains their ratio
  // squared
  constexpr int iterations = 4;
  double growth = 1;
  for (int i = 0; i < iterations; ++i) {
    std::fill(rhs_.begin(), rhs_.end(), S(0));
    for (std::size_t j = 0; j < rows_; ++j) rhs_[n_ + j] = direction_[j] * scale_[j];
    expansion_.solve(rhs_);
    if (expansion_.inertia_share(std::span(rhs_).first(n_)) < policy::least_inertia_share)
      return std::numeric_limits<double>::max();
    double square = 0;
    for (std::size_t j = 0; j < rows_; ++j) {
      direction_[j] = rhs_[n_ + j] * scale_[j];
      square += as_double(direction_[j]) * as_double(direction_[j]);
    }
    growth = std::sqrt(square);
    if (!(growth > 0) || !std::isfinite(growth)) return 0;
    for (S& x : direction_) x /= growth;
  }
  return 1 / growth;
}

// The vertex of the parabola through three points, again and again, until it stays; singular where nothing is
// left of the value there.
template <class S>
std::optional<double> RankLossLocator<S>::refine(const StepPolynomials<S>& step, Points tau, Points value) {
  constexpr double nearest = 1e-8;  // of the interval, to a point that is known
  // parabolas converge with order 1.3: twelve go from a twelfth of the step to `nearest`
  constexpr int iterations = 12;
  const double around = std::max(value[0], value[2]);
  const double width = std::abs(tau[2] - tau[0]);
  for (int i = 0; i < iterations; ++i) {
    const double left = tau[1] - tau[0];
    const double right = tau[2] - tau[1];
    const double slope_left = (value[1] - value[0]) / left;
    const double slope_right = (value[2] - value[1]) / right;
    const double vertex =
        tau[1] - (slope_left * right + slope_right * left) / (2 * (slope_right - slope_left));
    const bool is_later = (vertex - tau[1]) * left > 0;
    if (!(std::abs(vertex - tau[1]) > nearest * width)) break;
    if (!((vertex - tau[0]) * left > 0 && (tau[2] - vertex) * left > 0)) break;
    const double found = independence(step, vertex);
    if (found < value[1]) {
      tau[is_later ? 0 : 2] = std::exchange(tau[1], vertex);
      value[is_later ? 0 : 2] = std::exchange(value[1], found);
    } else {
      tau[is_later ? 2 : 0] = vertex;
      value[is_later ? 2 : 0] = found;
    }
  }
  return value[1] < policy::lost_rank_squared * around ? std::optional(tau[1]) : std::nullopt;
}

template <class S>
std::optional<double> RankLossLocator<S>::find(const StepPolynomials<S>& step, double reach) {
  if (rows_ == 0 || !place(step, 0)) return std::nullopt;
  expansion_.eval_row_sizes(scale_);
  for (std::size_t j = 0; j < rows_; ++j) {
    const double size = std::sqrt(as_double(scale_[j]));
    scale_[j] = S(size > 0 ? 1 / size : 1);
    direction_[j] = S(1 + 0.5 * std::sin(static_cast<double>(j)));  // some direction, always the same
  }
  // the minimum of σ² is looked for between thirteen points, denser towards the start; chosen, not measured
  constexpr std::size_t parts = 12;
  std::array<double, parts + 1> tau{}, value{};
  for (std::size_t i = 0; i <= parts; ++i) {
    tau[i] = reach * static_cast<double>(i * i) / (parts * parts);
    value[i] = independence(step, tau[i]);
  }
  for (std::size_t i = 1; i < parts; ++i) {
    if (value[i] > value[i - 1] || value[i] > value[i + 1]) continue;
    const auto found = refine(step, {tau[i - 1], tau[i], tau[i + 1]}, {value[i - 1], value[i], value[i + 1]});
    if (found) return found;
  }
  return std::nullopt;
}

template <class S>
bool RankLossLocator<S>::turns(const StepPolynomials<S>& step, double length,
                               const RankLossDetector<S>& watch) {
  watch_ = watch;
  for (const double tau : {length / 2, length}) {  // NOLINT(readability-use-anyofallof): each from the last
    if (!place(step, tau) || watch_.look(expansion_) < 0) return true;
    watch_.keep();
  }
  return false;
}

template class RankLossLocator<double>;
template class RankLossLocator<Real>;

}  // namespace dalembert

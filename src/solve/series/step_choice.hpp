// How a step of the Adomian method chooses its length and the next order. Part of adomian_step.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <dalembert/linalg/policy.hpp>
#include <dalembert/solve/adomian_step.hpp>

namespace dalembert {

// p = ⌈1 − ½ ln tol⌉, the order of least cost when a step of order p costs p² [jorbazou2005]; orders far from
// it are not tried.
inline int jorba_zou_order(double log_tolerance) {
  return static_cast<int>(std::ceil(1 - 0.5 * log_tolerance));
}

// The size of a component over the step: that of its value, or of what its slope makes of it.
template <class S>
void AdomianStep<S>::measure_components() {
  using Math = SizeMath<S>;
  constexpr double smallest_share = 1e-4;  // a component below that of the largest counts as that
  const auto measure = [&](const S* c0, const S* c1, std::vector<Size>& sizes) {
    Size largest = Math::zero();
    for (std::size_t i = 0; i < n_; ++i) {
      sizes[i] = Math::max(Math::of(c0[i]), Math::product(Math::of(c1[i]), last_step_));
      largest = Math::max(largest, sizes[i]);
    }
    const Size least = Math::or_one(Math::product(largest, smallest_share));
    for (Size& size : sizes) size = Math::max(size, least);
  };
  measure(polynomials_.q(0), polynomials_.q(1), size_q_);
  measure(polynomials_.v(0), polynomials_.v(1), size_v_);
  if (!expected_.empty()) count_expected_sizes();
  if (last_step_ > 0) {  // a velocity that moves nothing, now and in the run, is not worth its own accuracy
    // the velocity at which q changes by a hundredth in a step, and a step of a thousandth of the run at
    // least: a run that begins with very short ones lost digits of velocities without it
    constexpr double share = 0.01, shortest = 1e-3;
    const double rate = share / std::max(last_step_, shortest * settings_.duration);
    for (std::size_t i = 0; i < n_; ++i) {
      size_v_[i] = Math::max(size_v_[i], Math::product(size_q_[i], rate));
    }
  }
  if (counts_rest_) count_sizes_so_far();
  for (std::size_t i = 0; i < n_; ++i) {
    most_q_[i] = Math::max(most_q_[i], Math::of(polynomials_.q(0)[i]));
    most_v_[i] = Math::max(most_v_[i], Math::of(polynomials_.v(0)[i]));
    weight_q_[i] = Math::reciprocal(size_q_[i]);
    weight_v_[i] = Math::reciprocal(size_v_[i]);
  }
}

// Rounding errors of what was, over the tolerance.
template <class S>
void AdomianStep<S>::count_sizes_so_far() {
  using Math = SizeMath<S>;
  const double log_rounding = Math::log(Math::rounding(Math::one()));
  const double share = std::min(1.0, 4 * std::exp(log_rounding - settings_.log_tolerance));
  for (std::size_t i = 0; i < n_; ++i) {
    size_q_[i] = Math::max(size_q_[i], Math::product(most_q_[i], share));
    size_v_[i] = Math::max(size_v_[i], Math::product(most_v_[i], share));
  }
}

// Forces that grow out of rounding errors, or of 1e-300, as tanh(1000 (t − 5)) + 1 does, are not worth their
// own relative accuracy, and have none: c a h in v and c a h² in q count, as in expected_forces.hpp.
template <class S>
void AdomianStep<S>::count_expected_sizes() {
  using Math = SizeMath<S>;
  const double log_rounding = Math::log(Math::rounding(Math::one()));
  const double share = std::max(1e-6, 4 * std::exp(log_rounding - settings_.log_tolerance));
  for (std::size_t i = 0; i < n_; ++i) {
    const double least = share * last_step_ * expected_[i];
    size_v_[i] = Math::max(size_v_[i], Math::product(Math::one(), least));
    size_q_[i] = Math::max(size_q_[i], Math::product(Math::one(), least * last_step_));
  }
}

// max |coefficient k of q and of v|, each relative to its component's size over the step; no number where one
// of them is none.
template <class S>
auto AdomianStep<S>::norm(int k) const -> Size {
  using Math = SizeMath<S>;
  const S* q = polynomials_.q(k);
  const S* v = polynomials_.v(k);
  Size largest = Math::zero();
  const auto count = [&](const Size& share) {  // what is no number stays
    largest = LaneMath<Size>::of_greater(share, largest, share, largest);
  };
  for (std::size_t i = 0; i < n_; ++i) {
    count(Math::times(Math::of(q[i]), weight_q_[i]));
    count(Math::times(Math::of(v[i]), weight_v_[i]));
  }
  return largest;
}

// The last two terms of the series decide [jorbazou2005]: |v_k| h^k ≤ tol, with the last but one allowed the
// ratio of two terms more.
template <class S>
void AdomianStep<S>::choose_step() {
  // terms fall by e² where the step is ρ/e² [jorbazou2005]; a little less, to be careful. Chosen, not
  // measured.
  constexpr double log_term_ratio = 1.9;
  measure_components();
  const int p = order_;
  const double last = log_norm(p);
  const double before = log_norm(p - 1);
  const double tolerance = settings_.log_tolerance;
  const double log_step = std::min((tolerance - last) / p, (tolerance + log_term_ratio - before) / (p - 1));
  proposed_step_ = std::isnan(log_step) ? log_step : std::min(std::exp(log_step), step_limit_);
  if (settings_.fixed_order == 0 && std::isfinite(log_step)) {
    // |c_k| ≈ A ρ^(−k) through the step's own order and one half as high
    const int half = p / 2;
    const Size middle = norm(half), before_middle = norm(half - 1);
    const double low =
        SizeMath<S>::log(LaneMath<Size>::of_greater(middle, before_middle, middle, before_middle));
    const double log_rho = (low - std::max(last, before)) / (p - half);
    choose_next_order(std::max(last, before) + p * log_rho, log_rho);
  }
}

// High orders allow steps so long that rounding errors grow (docs/adomian.md); low ones are never the
// cheapest.
inline constexpr int least_order = 6;
inline int highest_order_of_interpreter(const StepSettings& settings) {
  // step lengths need the last two terms and the terms of half the order
  constexpr int least_fixed_order = 4;
  if (settings.fixed_order > 0) return std::max(settings.fixed_order, least_fixed_order);
  return std::max(jorba_zou_order(settings.log_tolerance) * 5 / 3, least_order);
}
// Orders cost less in compiled code: twice the usual one, but none above what tolerances near round-off take.
inline int highest_order(const StepSettings& settings) {
  constexpr int highest_near_round_off = 31;  // 5/3 of Jorba and Zou's order at 1e-15
  const int usual = highest_order_of_interpreter(settings);
  if (settings.fixed_order > 0 || !settings.may_be_compiled) return usual;
  return std::max(usual, std::min(2 * jorba_zou_order(settings.log_tolerance), highest_near_round_off));
}
template <class S>
void AdomianStep<S>::find_costs() {
  const bool has_code = expansion_.has_code(), has_lanes_code = expansion_.has_lanes_code();
  top_order_ = has_code || has_lanes_code ? highest_order_ : highest_order_of_interpreter(settings_);
  log_costs_.clear();
  for (int p = 0; p <= highest_order_; ++p)
    log_costs_.push_back(std::log(has_code         ? cost_of_code(p)
                                  : has_lanes_code ? cost_of_lanes_code(p)
                                                   : cost(p)));
}
template <class S>
int AdomianStep<S>::lowest_order() const {
  return std::min(std::max(least_order, jorba_zou_order(settings_.log_tolerance) / 2), top_order_);
}

// The order that goes furthest per cost when |c_k| = ρ^(−k).
template <class S>
int AdomianStep<S>::cheapest_order() const {
  const auto gain = [&](int p) {
    return settings_.log_tolerance / p - log_costs_[static_cast<std::size_t>(p)];
  };
  int best = lowest_order();
  for (int p = best + 1; p <= top_order_; ++p) {
    if (gain(p) > gain(best)) best = p;
  }
  return best;
}

// The order within two of the present one that goes furthest per cost.
template <class S>
void AdomianStep<S>::choose_next_order(double log_a, double log_rho) {
  const double log_limit = std::isfinite(step_limit_) ? std::log(step_limit_) : step_limit_;
  double best = -std::numeric_limits<double>::infinity();
  const int first = std::min(std::max(lowest_order(), order_ - 2), top_order_);
  for (int p = first; p <= std::min(top_order_, order_ + 2); ++p) {
    const double log_h = std::min(log_rho + (settings_.log_tolerance - log_a) / p, log_limit);
    const double gain = log_h - log_costs_[static_cast<std::size_t>(p)];
    if (gain > best) {
      best = gain;
      next_order_ = p;
    }
  }
}

// Of one step, in units of a fused multiplication in lanes: a fixed part, a part per order, a part per order
// squared (the convolutions). The weights fit measured times.
template <class S>
double AdomianStep<S>::cost(int order) const {
  const auto size = static_cast<double>(rhs_.size());
  const Program& program = system_->dynamics().program;
  const double fixed =
      size * size * size / 2 + 8 * size * size + 6.0 * static_cast<double>(program.register_count());
  const double per_order = size * size + static_cast<double>(program.terms.size()) + 2.3 * convolutions_;
  constexpr double at_once = std::is_same_v<S, double> ? 2.0 * native_lanes
                             : LaneMath<S>::lanes > 1  ? 12.0
                                                       : 5.0;
  return fixed + order * per_order + order * order * convolutions_ / at_once;
}

// The same of compiled code, in ns. The weights fit steps of the orders 6 to 30 of pendulum_cartesian,
// double_pendulum, slider_crank and andrews to 9 % (docs/adomian.md), and steps of andrews_bodies,
// spatial_four_bar and iftomm_a05, whose matrices are too large for an inverse or whose code for the first
// cache, to a third.
template <class S>
double AdomianStep<S>::cost_of_code(int order) const {
  // part of the fit above
  constexpr double rows_in_cache = 200;
  const auto size = static_cast<double>(rhs_.size());
  const bool has_inverse = rhs_.size() <= policy::largest_inverse;
  const double rows = static_cast<double>(system_->expansion_program().plan->rows.size());
  const double fixed = 162 + (has_inverse ? 2.41 * size * size : 70 * size);
  const double per_order = 10 + 0.336 * rows + 1.8 * std::max(rows - rows_in_cache, 0.0) +
                           (has_inverse ? 0.084 * size * size : 8 * size);
  return fixed + order * per_order + 0.00414 * order * order * convolutions_;
}

// The same of code for eight trajectories, in ns. The weights fit steps of the orders 12 to 26 of
// double_pendulum, four_bar, slider_crank and andrews to a tenth (docs/adomian.md); energies and what is
// recorded stand beside them.
template <class S>
double AdomianStep<S>::cost_of_lanes_code(int order) const {
  const auto size = static_cast<double>(rhs_.size());
  const double rows = static_cast<double>(system_->expansion_program().plan->rows.size());
  constexpr double beside = 400;
  return beside + 442 + 17.5 * rows + 1.41 * order * size * size + 0.127 * order * order * convolutions_;
}

}  // namespace dalembert

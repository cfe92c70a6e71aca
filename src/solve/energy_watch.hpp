// How far the energy balance of a run may be off by what its method was asked for.
//
// E − W, the energy without the work of the forces, is constant along every motion, so the errors that steps
// make of it add up and do not grow. A step that chooses its length may be off by tol·s_i in component y_i of
// (q, v), with s_i its scale. It then changes E − W by up to tol·G,
//
//   G = Σ |∂E/∂y_i| s_i + |h| Σ |∂P/∂y_i| s_i,   P the power of the forces.
//
// G is about the energy that is exchanged, X = max (|K| + |V − V(0)| + |W|), or less. Where E − W is off by a
// tenth of what X explains, G itself is worked out by differences: stiff springs beside long ways make it
// large. Rounding errors are ε (|K| + |V|) and ε G with the largest scale for all s_i: a constraint that
// carries a large force leaves velocities those of the others. A constant step has no tolerance: `percent` of
// X is what a step that suits the motion keeps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include <dalembert/solve/observer.hpp>
#include <dalembert/solve/solve.hpp>

#include "as_double.hpp"
#include "expected_forces.hpp"

namespace dalembert {

template <class S>
class EnergyWatch {
 public:
  using State = typename Observer<S>::State;

  EnergyWatch(const Problem& problem, const SolveOptions& options, Observer<S>& observer)
      : problem_(problem), options_(options), observer_(observer), tolerance_(step_tolerance(options)) {
    if constexpr (!std::is_same_v<S, double>) unit_ = std::pow(10.0, -options.digits);
  }

  /// After Observer::eval_energy() at the start.
  void start() { start_potential_ = potential(); }
  /// After Observer::eval_energy() at the end of a step of length h, where `balance` is E − E(0) − W.
  void end_step(const State& state, const S& balance, const S& work, double h) {
    ++steps_;
    kinetic_ = std::abs(as_double(observer_.moving));
    const double exchanged =
        kinetic_ + std::abs(as_double(S(potential() - start_potential_))) + std::abs(as_double(work));
    exchanged_ = std::max(exchanged_, exchanged);
    size_ = std::max(size_, as_double(observer_.energy_scale));
    last_change_ = as_double(S(balance - balance_));
    balance_ = balance;
    constexpr double early = 0.1;
    const bool is_much = std::abs(as_double(balance)) > early * explained();
    const double share = tolerance_ > 0 ? tolerance_ : percent;
    const bool is_cause = std::abs(last_change_) > share * std::max(exchanged_, gradient_) + unit_ * size_;
    if (is_much && is_cause && looked_ < most_looks) {
      ++looked_;
      raise_gradients(state, h);
    }
  }

  /// What the last step added to E − W, and K at its end, both beside X.
  double last_change() const { return exchanged_ > 0 ? last_change_ / exchanged_ : 0; }
  double kinetic_share() const { return exchanged_ > 0 ? kinetic_ / exchanged_ : 0; }
  /// How large |E − E(0) − W| may be by now.
  double explained() const {
    // The worst of all shipped models and methods is below a tenth of it. A step of a series passes where the
    // last acceleration differs by 4 tol v (p + 1)/h, as it does if the first term that is left out is that
    // large; rounding errors of all terms may be, and then v is off by 4 (p + 1) tol.
    const double safety = options_.method == "adomian" ? 100 : 30;
    const double count = static_cast<double>(std::max<std::size_t>(steps_, 1));
    const double rounding = safety * unit_ * count * std::max({size_, rounding_gradient_, exchanged_});
    if (tolerance_ == 0) return percent * exchanged_ + rounding;
    const double allowed = safety * tolerance_ * count * std::max(exchanged_, gradient_);
    return std::min(allowed, std::max(percent, 10 * tolerance_) * std::max(exchanged_, gradient_)) + rounding;
  }

 private:
  static constexpr double percent = 0.01;
  static constexpr int most_looks = 64;  // a run that is wrong everywhere shall not take much longer

  static double step_tolerance(const SolveOptions& options) {
    if (has_constant_step(options)) return 0;
    return options.digits > 0 ? std::min(options.tolerance, std::pow(10.0, -options.digits))
                              : options.tolerance;
  }
  S potential() const { return S(observer_.total - observer_.moving); }

  // By differences of a millionth of each scale; where E is least, its curvature counts instead.
  void raise_gradients(const State& state, double h) {
    constexpr double part = 1e-6;
    if (!scale_) scale_.emplace(make_error_scale(problem_, options_));
    const std::size_t n = state.q.size();
    y_.assign(state.q.begin(), state.q.end());
    y_.insert(y_.end(), state.v.begin(), state.v.end());
    for (std::size_t i = 0; i < n; ++i) scale_->include(i, as_double(state.q[i]), as_double(state.v[i]));
    const State moved{state.t, std::span(y_).first(n), std::span(y_).last(n), state.a, state.lambda};
    const S energy = observer_.eval_energy(moved);
    const S power = observer_.eval_power(moved);
    double largest[] = {0, 0};  // scale of q, of v
    for (std::size_t i = 0; i < 2 * n; ++i) largest[i / n] = std::max(largest[i / n], (*scale_)[i]);
    double sum = 0, rounding = 0;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const S kept = y_[i];
      y_[i] = kept + S(part * (*scale_)[i]);
      const double energy_change = std::abs(as_double(S(observer_.eval_energy(moved) - energy)));
      const double power_change = std::abs(as_double(S(observer_.eval_power(moved) - power)));
      y_[i] = kept;
      const double change = energy_change + h * power_change;
      if (!std::isfinite(change)) continue;
      sum += change;
      rounding += change * largest[i / n] / (*scale_)[i];
    }
    gradient_ = std::max(gradient_, sum / part);
    rounding_gradient_ = std::max(rounding_gradient_, rounding / part);
  }

  const Problem& problem_;
  const SolveOptions& options_;
  Observer<S>& observer_;
  double tolerance_;  // of a step; 0: steps are constant
  double unit_ = std::numeric_limits<double>::epsilon();
  S start_potential_{0};
  S balance_{0};
  double last_change_ = 0, kinetic_ = 0;
  double exchanged_ = 0, size_ = 0, gradient_ = 0, rounding_gradient_ = 0;
  std::size_t steps_ = 0;
  int looked_ = 0;
  std::optional<ErrorScale> scale_;  // made when it is needed first
  std::vector<S> y_;
};

}  // namespace dalembert

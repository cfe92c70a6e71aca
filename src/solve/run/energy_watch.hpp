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
#include <span>
#include <type_traits>
#include <vector>

#include <dalembert/solve/observer.hpp>
#include <dalembert/solve/solve.hpp>

#include "control/expected_forces.hpp"
#include "series/as_double.hpp"

namespace dalembert {

/// By how much E − W changes where each component of a state is off by its scale: G, and the same with the
/// largest scale for all.
struct EnergySlopes {
  double own = 0, common = 0;
};

/// G at a state, by differences.
template <class S>
class EnergyGradients {
 public:
  using State = typename Observer<S>::State;

  EnergyGradients(const Problem& problem, const SolveOptions& options)
      : scale_(make_error_scale(problem, options)) {}

  /// For a step of length h that ends there.
  EnergySlopes eval(Observer<S>& observer, const State& state, double h) {
    constexpr double part = 1e-6;  // of each scale; where E is least, its curvature counts instead
    const std::size_t n = state.q.size();
    y_.assign(state.q.begin(), state.q.end());
    y_.insert(y_.end(), state.v.begin(), state.v.end());
    for (std::size_t i = 0; i < n; ++i) scale_.include(i, as_double(state.q[i]), as_double(state.v[i]));
    const State moved{state.t, std::span(y_).first(n), std::span(y_).last(n), state.a, state.lambda};
    const S energy = observer.eval_energy(moved);
    const S power = observer.eval_power(moved);
    double largest[] = {0, 0};  // scale of q, of v
    for (std::size_t i = 0; i < 2 * n; ++i) largest[i / n] = std::max(largest[i / n], scale_[i]);
    EnergySlopes slopes;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const S kept = y_[i];
      y_[i] = kept + S(part * scale_[i]);
      const double energy_change = std::abs(as_double(S(observer.eval_energy(moved) - energy)));
      const double power_change = std::abs(as_double(S(observer.eval_power(moved) - power)));
      y_[i] = kept;
      const double change = energy_change + h * power_change;
      if (!std::isfinite(change)) continue;
      slopes.own += change / part;
      slopes.common += change / part * largest[i / n] / scale_[i];
    }
    return slopes;
  }

 private:
  ErrorScale scale_;
  std::vector<S> y_;
};

template <class S>
class EnergyWatch {
 public:
  explicit EnergyWatch(const SolveOptions& options)
      : tolerance_(step_tolerance(options)), safety_(options.method == "adomian" ? 100 : 30) {
    if constexpr (!std::is_same_v<S, double>) unit_ = std::pow(10.0, -options.digits);
  }

  struct Energies {
    S total, kinetic;
    double scale;  ///< |K| + |V|
  };
  void start(const Energies& energies) {
    start_energy_ = energies.total;
    start_potential_ = energies.total - energies.kinetic;
  }
  const S& start_energy() const { return start_energy_; }
  /// At the end of a step of length h. slopes() is called where E − W is off so much that they count.
  template <class F>
  void end_step(const Energies& energies, const S& work, double h, F slopes) {
    const S balance = energies.total - start_energy_ - work;
    const S potential = energies.total - energies.kinetic;
    ++steps_;
    kinetic_ = std::abs(as_double(energies.kinetic));
    const double exchanged =
        kinetic_ + std::abs(as_double(S(potential - start_potential_))) + std::abs(as_double(work));
    exchanged_ = std::max(exchanged_, exchanged);
    size_ = std::max(size_, energies.scale);
    last_change_ = as_double(S(balance - balance_));
    balance_ = balance;
    constexpr double early = 0.1;  // slopes are there before they are needed; chosen, not measured
    const bool is_much = std::abs(as_double(balance)) > early * explained();
    const double share = tolerance_ > 0 ? tolerance_ : percent;
    const bool is_cause = std::abs(last_change_) > share * std::max(exchanged_, gradient_) + unit_ * size_;
    if (is_much && is_cause && looked_ < most_looks) {
      ++looked_;
      const EnergySlopes found = slopes(h);
      gradient_ = std::max(gradient_, found.own);
      rounding_gradient_ = std::max(rounding_gradient_, found.common);
    }
  }

  /// What the last step added to E − W, and K at its end, both beside X.
  double last_change() const { return exchanged_ > 0 ? last_change_ / exchanged_ : 0; }
  double kinetic_share() const { return exchanged_ > 0 ? kinetic_ / exchanged_ : 0; }
  /// How large |E − E(0) − W| may be by now.
  double explained() const {
    const double count = static_cast<double>(std::max<std::size_t>(steps_, 1));
    const double rounding = safety_ * unit_ * count * std::max({size_, rounding_gradient_, exchanged_});
    if (tolerance_ == 0) return percent * exchanged_ + rounding;
    const double allowed = safety_ * tolerance_ * count * std::max(exchanged_, gradient_);
    return std::min(allowed, std::max(percent, 10 * tolerance_) * std::max(exchanged_, gradient_)) + rounding;
  }

 private:
  static constexpr double percent = 0.01;  // more is seen in a curve; chosen, not measured
  static constexpr int most_looks = 64;    // a run that is wrong everywhere shall not take much longer

  static double step_tolerance(const SolveOptions& options) {
    if (has_constant_step(options)) return 0;
    return options.digits > 0 ? std::min(options.tolerance, std::pow(10.0, -options.digits))
                              : options.tolerance;
  }

  double tolerance_;  // of a step; 0: steps are constant
  // The worst of all shipped models and methods is below a tenth of it. A step of a series passes where the
  // last acceleration differs by 4 tol v (p + 1)/h, as it does if the first term that is left out is that
  // large; rounding errors of all terms may be, and then v is off by 4 (p + 1) tol.
  double safety_;
  double unit_ = std::numeric_limits<double>::epsilon();
  S start_energy_{0}, start_potential_{0}, balance_{0};
  double last_change_ = 0, kinetic_ = 0;
  double exchanged_ = 0, size_ = 0, gradient_ = 0, rounding_gradient_ = 0;
  std::size_t steps_ = 0;
  int looked_ = 0;
};

}  // namespace dalembert

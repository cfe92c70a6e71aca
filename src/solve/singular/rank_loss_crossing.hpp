// How steps pass configurations where constraints lose rank.
//
// The motion goes on smoothly there, but the matrix [M Cᵀ; C 0] is singular, and multipliers may have a pole.
// At a distance d from it rounding errors of the coefficient k grow like d⁻ᵏ. So nothing is expanded near it:
// as soon as the series reach, a step of as many terms as fall leaps over it, and the following ones are no
// longer than their distance from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>

#include "series/as_double.hpp"
#include "singular/rank_loss_detector.hpp"
#include "singular/rank_loss_locator.hpp"

namespace dalembert {

template <class S>
class RankLossCrossing {
 public:
  using Step = AdomianStep<S>;
  using Check = typename Step::Check;

  /// `parameters` as for Expansion.
  RankLossCrossing(const System& system, std::span<const std::size_t> active,
                   std::span<const ParameterValues> parameters)
      : system_(&system),
        active_(active.begin(), active.end()),
        parameters_(parameters.begin(), parameters.end()),
        watch_(system.n(), active.size()) {}

  /// Other constraints, as many: what was seen of the others tells nothing of these.
  void choose_rows(std::span<const std::size_t> active) {
    active_.assign(active.begin(), active.end());
    search_.reset();
    watch_.restart();
    looked_at_.reset();
    usual_pivot_ = 0;
    searched_pivot_ = std::numeric_limits<double>::infinity();
    ahead_.reset();
  }

  /// At the start of a step, at time t: the proposed length, shorter behind a singular configuration.
  double prepare(Step& step, double t, double proposed) {
    if (!looked_at_ || t != *looked_at_) look_at(step, t);
    if (!watch_.empty()) watch_.keep();
    start_pivot_ = pivot_;
    usual_pivot_ = std::max(usual_pivot_, start_pivot_);
    return passed_ ? std::min(proposed, std::abs(t - *passed_)) : proposed;
  }
  /// After the first attempt at a step from time t: whether a singular configuration was found ahead.
  bool look(Step& step, Check check, double t, double wanted) {
    if (ahead_) return false;
    search(step, check, t, wanted);
    return ahead_.has_value();
  }
  bool is_ahead() const { return ahead_.has_value(); }
  /// Near enough for a step of length h to feel it.
  bool is_near(double t, double h) const {
    // series converge no farther than the singular configuration, of which a step is a part. Chosen, not
    // measured.
    constexpr double lengths = 3;
    return ahead_ || (passed_ && std::abs(t - *passed_) < lengths * h);
  }
  bool is_too_near() const { return ahead_ && start_pivot_ < smallest * usual_pivot_; }
  /// A step that comes nearer without coming near.
  double limit(double t, double wanted) const { return std::min(wanted, std::abs(*ahead_ - t) / 2); }
  /// Over the singular configuration, by a part of the distance: rounding errors grow with its powers.
  double leap(double t) const { return (1 + landing) * (*ahead_ - t); }

  /// The time of the singular configuration that a step from `from` to `to` passed, if any.
  std::optional<double> finish(double from, double to) {
    if (!ahead_ || (*ahead_ - from) * (*ahead_ - to) > 0) return std::nullopt;
    passed_ = ahead_;
    ahead_.reset();
    return passed_;
  }

 private:
  static constexpr double small = 0.2;  // a pivot, beside the usual one
  static constexpr double less = 0.75;  // where a step fails
  static constexpr double smallest = 1e-8;
  static constexpr double landing = 0.125;  // behind a singular configuration, beside the distance before it

  // How far the matrix at the present state is from being singular, to be compared with other states: the
  // pivots of sparse factors tell little. True: constraints have lost rank since the start of the step.
  bool look_at(Step& step, double t) {
    looked_at_ = t;
    const bool turned = !watch_.empty() && watch_.look(step) < 0;
    pivot_ = !watch_.empty() && step.is_sparse() ? watch_.independence() : step.smallest_pivot();
    return turned;
  }

  // Where constraints have lost rank within the step; where the smallest pivot is far below its usual size,
  // and again only where it is halved.
  void search(Step& step, Check check, double t, double wanted) {
    const bool turned = check != Check::singular && look_at(step, as_double(step.t()));
    const double pivot = std::min(start_pivot_, check == Check::singular ? 0 : pivot_);
    if (pivot > small * usual_pivot_) searched_pivot_ = std::numeric_limits<double>::infinity();
    const bool failed = check != Check::good && pivot < less * usual_pivot_;
    const bool worse = pivot < std::min(small * usual_pivot_, searched_pivot_ / 2);
    if (!turned && !failed && !worse) return;
    if (!search_) search_.emplace(*system_, active_, parameters_);
    if (!failed && !worse && !search_->turns(step.polynomials(), wanted, watch_)) return;
    searched_pivot_ = pivot;
    // of the step: the next one needs no search of its own, or the place makes the step short already
    const double reach = failed ? 4 : 2;
    if (const auto tau = search_->find(step.polynomials(), reach * wanted)) ahead_ = t + *tau;
  }

  const System* system_;
  std::vector<std::size_t> active_;
  std::vector<ParameterValues> parameters_;
  std::optional<RankLossLocator<S>> search_;  // made when it is needed first
  RankLossDetector<S> watch_;
  std::optional<double> looked_at_;  // time of the state
  double pivot_ = 0;                 // there
  double start_pivot_ = 0;
  double usual_pivot_ = 0;
  double searched_pivot_ = std::numeric_limits<double>::infinity();
  std::optional<double> ahead_, passed_;  // times of singular configurations
};

}  // namespace dalembert

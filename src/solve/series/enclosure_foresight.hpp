// How far from a state a method may step without stepping over something: where forces or constraints can
// hide what they do between two states, the series of the motion there tell (enclosure_guard.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/tape/hiding_calls.hpp>

#include "events/hidden_zeros.hpp"

namespace dalembert {

class EnclosureForesight {
 public:
  EnclosureForesight(const Problem& problem, const SolveOptions& options)
      : direction_(options.duration < 0 ? -1 : 1),
        end_(options.start + options.duration),
        run_(std::abs(options.duration)),
        longest_(options.max_step > 0 ? options.max_step : run_),
        log_tolerance_(std::log(options.tolerance)),
        proven_(options.start) {
    const System& system = problem.with_kinks != nullptr ? *problem.with_kinks : problem.system;
    hidden_.emplace(problem.system, HiddenZeros::Settings{series_order, std::log(series_tolerance)});
    if (hidden_->empty()) hidden_.reset();
    const bool may_hide = !find_hiding_calls(system.dynamics().program).empty();
    if (!may_hide && !hidden_) return;
    StepSettings settings{};
    settings.log_tolerance = std::log(series_tolerance);
    settings.fixed_order = series_order;
    settings.project = false;
    if (may_hide) step_.emplace(system, problem.active, settings);
    if (hidden_) held_.emplace(problem.system, problem.active, settings);
  }

  /// Up to where a step from this state may go, no further than the end of the run. `last`: the length of the
  /// step before; 0: there was none.
  double limit(double t, std::span<const double> q, std::span<const double> v, double last) {
    // methods hardly lengthen their steps by more at once
    constexpr double growth = 10;
    if (!step_ && !held_) return end_;
    const double wanted = std::min({last > 0 ? growth * last : longest_, longest_, direction_ * (end_ - t)});
    if (direction_ * (proven_ - t) < wanted) {
      proven_ = end_;
      if (step_) look(t, q, v, {last, wanted});
      if (held_) look_for_zeros(t, q, v, wanted);
    }
    if (direction_ * (proven_ - t) < wanted) stop_ = proven_;
    return proven_;  // behind a step that was cut short, the next may be as long as the one before it
  }

 private:
  // Of the motion itself, for the length of a few steps of other methods.
  static constexpr int series_order = 10;
  static constexpr double series_tolerance = 1e-3;

  struct Lengths {
    double last, wanted;  // of steps
  };

  void look(double t, std::span<const double> q, std::span<const double> v, const Lengths& lengths) {
    // one enclosure serves several steps. Chosen, not measured.
    constexpr double steps_ahead = 4;
    if (!step_->set_state(t, q, v, 0)) return;
    step_->expand();
    const double reach = step_->proposed_step();
    if (!(reach > 0)) return;
    const double length = std::min({steps_ahead * lengths.wanted, reach, direction_ * (end_ - t)});
    const double share = step_->proven_share(direction_ * length, log_tolerance_);
    if (share == 1 && reach < lengths.wanted) return look_beyond(t, reach, lengths);
    proven_ = t + direction_ * length * share;
  }

  // The series do not reach as far as the step may. Implicit methods go beyond them where forces are stiff:
  // there is known what happens at certain times, whatever the motion. Elsewhere steps grow by and by.
  void look_beyond(double t, double reach, const Lengths& lengths) {
    // less than the largest factor of the step control, so that an unseen pulse is met by short steps;
    // chosen, not measured
    constexpr double growth = 2;
    const double share = step_->proven_time_share(direction_ * lengths.wanted, log_tolerance_);
    const bool is_stiff = lengths.last > reach && t != stop_;
    if (share < 1) {
      proven_ = t + direction_ * std::max(share * lengths.wanted, reach);
    } else if (!is_stiff) {
      proven_ = t + direction_ * std::max(reach, growth * std::min(lengths.last, reach));
    }
  }

  // A step that ends between two changes of a sign shows the first by the sign at its end. Where they are
  // far, the motion's series tell them roughly: a step ends before the first, and from there they are near.
  void look_for_zeros(double t, std::span<const double> q, std::span<const double> v, double wanted) {
    // Series hold over some steps of other methods; ends a tenth before a zero leave room for the errors of
    // both. Chosen, not measured.
    constexpr double steps_ahead = 4, far = 0.1, before = 0.9;
    // of the run: towards poles and ends of domains parts that are shown become ever shorter. Chosen, not
    // measured.
    constexpr double least = 1e-9;
    if (!held_->set_state(t, q, v, 0)) return;
    held_->expand();
    const double reach = held_->proposed_step();
    if (!(reach > 0)) return;
    const double length = std::min({steps_ahead * wanted, reach, direction_ * (end_ - t)});
    double shown = length * hidden_->shown_share(held_->polynomials(), direction_ * length);
    const auto [first, second] = hidden_->first_zeros();
    if (first > 0) {
      const bool is_far = std::isfinite(reach) && first > far * reach;
      if (is_far) shown = before * first;
      if (!is_far && second > 0) shown = (first + second) / 2;
    }
    shown = std::max(shown, least * run_);
    if (direction_ * (proven_ - t) > shown) proven_ = t + direction_ * shown;
  }

  double direction_;
  double end_;
  double run_;  // its length
  double longest_;
  double log_tolerance_;
  double proven_;                                           // nothing is hidden up to this time
  double stop_ = std::numeric_limits<double>::quiet_NaN();  // where a step was told to end
  std::optional<AdomianStep<double>> step_;
  std::optional<HiddenZeros> hidden_;        // of events and signs that are held
  std::optional<AdomianStep<double>> held_;  // with signs as the method holds them
};

}  // namespace dalembert

// Steps of a motion whose forces have branches: abs, sign, min, max and atan2 are held to one, and a step
// ends where an argument changes its sign.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/observer.hpp>

#include "methods/adomian.hpp"
#include "series/as_double.hpp"
#include "switches/switch_detector.hpp"

namespace dalembert {

template <class S>
class SwitchingStep {
 public:
  /// `direction` of time: 1 or −1.
  SwitchingStep(const System& system, const SolveOptions& options, AdomianStep<S>& step, double direction)
      : system_(system),
        options_(options),
        step_(step),
        watch_(system, step.max_order(), adomian_settings(options).log_tolerance, direction),
        direction_(direction) {}

  /// Whether the forces have no branches.
  bool empty() const { return watch_.empty(); }
  std::span<const int> sides() const { return watch_.sides(); }
  /// Whether the present step ends at a change of sign.
  bool at_switch() const { return at_switch_; }
  /// Why one of the functions below returned false.
  const std::string& reason() const { return reason_; }

  /// Makes the series that was expanded one of the branch that holds behind the start of the step: where an
  /// argument is zero there, of the side to which it goes. False: there is none.
  bool take_branch(bool is_first_step, double remaining) {
    const auto length = [&] { return std::min(step_.proposed_step(), remaining); };
    const auto is_finite = [&] { return !std::isnan(step_.proposed_step()); };
    if (!is_finite()) {
      if (!is_first_step || switches_here_ > 0) return true;
      watch_.read(step_);
      if (!watch_.hold_roots_off()) return true;
      if (!expand_on_branch()) return false;
      if (!is_finite()) return true;
    }
    watch_.read(step_);
    if (watch_.has_moved()) step_.hold_sides(watch_.sides());
    if (is_first_step && switches_here_ == 0) {
      watch_.begin(length());
      if (!expand_on_branch()) return false;
    }
    while (is_finite() && !watch_.settle(length())) {
      if (watch_.is_stuck()) return fail(stuck());
      if (!expand_on_branch()) return false;
    }
    return !step_.drives_apart(direction_) || fail(not_unique());
  }

  /// The length, at most h, over which the arguments' series hold.
  double limit(double h) { return watch_.limit(h); }

  /// The step that is wanted, or the one to the first change of sign.
  S up_to_switch(const S& wanted, double t) {
    const S length = wanted * S(direction_);
    const auto found = watch_.find(length, S(smallest_step(options_, t)));
    at_switch_ = found.crosses;
    return found.reach < length ? S(found.reach * S(direction_)) : wanted;
  }

  /// After a step h, instead of the one that was wanted: ends it at the change of sign. The series ends at
  /// some tolerance, and the projection moved the state: the time is corrected for both.
  S land(S h, const S& wanted, double t, double remaining) {
    using Check = typename AdomianStep<S>::Check;
    if (as_double(S((h - wanted) * S(direction_))) > 0) {  // over a singular configuration
      const S shorter = up_to_switch(h, t);
      if (at_switch_ && step_.advance(shorter) == Check::good) h = shorter;
    } else {
      at_switch_ = at_switch_ && h == wanted;
    }
    constexpr int most_corrections = 3;  // Newton's iteration from an error of the tolerance
    constexpr double largest = 1e-3;     // more is no error of the series: something else has moved the zero
    for (int i = 0; at_switch_ && i < most_corrections; ++i) {
      const S more = watch_.correction(S(h * S(direction_)), step_.t(), step_.q(), step_.v());
      const double size = std::abs(as_double(more));
      const double length = std::abs(as_double(h));
      const double least = 2 * rounding_of<S>() * std::max(std::abs(t), length);
      if (!(size > least) || size > largest * length || length + size > remaining) break;
      const S corrected = h + more * S(direction_);
      if (step_.advance(corrected) == Check::singular) break;
      h = corrected;
    }
    return h;
  }

  /// Takes the other branch if the step ended at a change of sign. False: it has no accelerations.
  bool end_step() {
    switches_here_ = 0;
    if (at_switch_) return cross();
    watch_.pass();
    return true;
  }
  /// The same where the change of sign is at the start of the step. False also: it never ends.
  bool switch_here() {
    const std::size_t most = 3 * watch_.size() + 3;
    if (++switches_here_ > most) return fail(stuck());
    return cross();
  }

  /// Whether a sign slides in the present step, or rests, and holds those that do at their values τ into it.
  bool slides() const {
    for (std::size_t i = 0; i < watch_.size(); ++i)
      if (watch_.is_held(i)) return true;
    return false;
  }
  void hold_signs(Observer<S>& observer, const S& tau) const {
    for (std::size_t i = 0; i < watch_.size(); ++i) {
      if (watch_.is_held(i)) observer.hold_sign(i, watch_.held_value(i, tau));
    }
  }

  /// The functions that have branches.
  std::string calls() const { return join(system_.non_analytic(), ", "); }

 private:
  bool fail(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }
  bool cross() {
    using Cut = typename SwitchDetector<S>::Cut;
    const Switch& call = system_.switches().calls[watch_.culprit()];
    const Cut cut = watch_.cut_at_crossing();
    if (cut == Cut::origin) {
      return fail(
          fmt::format("{} has no value here: both of its arguments are zero, and it jumps", call.text));
    }
    if (cut == Cut::jump && call.in_constraint) {
      return fail(
          fmt::format("{} jumps here by a full turn, and a constraint with it: no motion satisfies it "
                      "beyond; let the angle "
                      "be a coordinate, with x*sin(angle) - y*cos(angle) = 0",
                      call.text));
    }
    watch_.cross(step_.t(), step_.q(), step_.v());
    return evaluate_on_branch();
  }
  bool expand_on_branch() {
    if (!evaluate_on_branch()) return false;
    step_.expand();
    watch_.read(step_);
    return true;
  }
  bool evaluate_on_branch() {
    step_.hold_sides(watch_.sides());
    step_.count_rest(slides());
    return step_.evaluate_again() || fail(singular_reason);
  }
  std::string stuck() const {
    return fmt::format(
        "the motion stays where the argument of {} is zero: either side drives it back, and no value of it "
        "between keeps it there; a smooth force, tanh(x/w) with a small w instead of sign(x), goes on",
        system_.switches().calls[watch_.culprit()].text);
  }

  std::string not_unique() const {
    std::string names;
    for (std::size_t i = 0; i < watch_.size(); ++i) {
      if (watch_.slides(i)) names += (names.empty() ? "" : ", ") + system_.switches().calls[i].text;
    }
    return fmt::format(
        "the motion is not unique from here on: it is where the argument of {} is zero, and on either side "
        "the forces drive it away from there; a start or a disturbance beside it decides",
        names);
  }

  const System& system_;
  const SolveOptions& options_;
  AdomianStep<S>& step_;
  SwitchDetector<S> watch_;
  double direction_;
  bool at_switch_ = false;
  std::size_t switches_here_ = 0;  // without a step between them
  std::string reason_;
};

}  // namespace dalembert

// Watches the arguments of calls that have branches: a series is that of one branch, and valid as long as
// none of the arguments changes sign. Their own series tell when they do. Of a sign that slides (Sliding) the
// value is watched instead: it slides as long as it is between −1 and 1.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/size_math.hpp>
#include <dalembert/solve/step_polynomials.hpp>
#include <dalembert/system/expansion.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

#include "switches/side_combinations.hpp"
#include "switches/sign_change_locator.hpp"
#include "switches/switch_arguments.hpp"

namespace dalembert {

template <class S>
class SwitchDetector {
 public:
  using Found = typename SignChangeLocator<S>::Found;

  /// `direction` of time: 1 or −1. Lengths are positive either way.
  SwitchDetector(const System& system, int max_order, double log_tolerance, double direction)
      : system_(&system),
        count_(system.switches().size()),
        direction_(direction),
        arguments_(system, max_order, log_tolerance),
        search_(max_order),
        directions_(
            switch_directions(system.switches(), system.constants<double>(system.switches().program))),
        sides_(count_, 0),
        switches_(count_),
        crossing_(count_),
        released_(count_, 0),
        offsets_(count_, S(0)),
        scales_(count_, S(0)) {
    release_.reserve(static_cast<std::size_t>(max_order) + 1);
  }

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  /// Of the branch that is followed.
  std::span<const int> sides() const { return sides_; }
  /// The call that crosses() and is_stuck() speak of.
  std::size_t culprit() const { return culprit_; }

  /// Takes the arguments' series along a step that was expanded.
  void read(const AdomianStep<S>& step) {
    const StepPolynomials<S>& p = step.polynomials();
    arguments_.set_order(p.order);
    S power(1);
    for (int k = 0; k <= p.order; ++k) {
      const S t = k == 0 ? p.t0 : S(k == 1 ? 1 : 0);
      arguments_.evaluate(k, t, {p.q(k), system_->n()}, {p.v(k), system_->n()});
      for (std::size_t i = 0; i < count_; ++i) {
        arguments_.take_cut(i, k, power);
        if (slides(i)) {
          arguments_.at(i, k) = k < p.order ? S(step.branch_value(i, k) * power) : S(0);
        } else {
          const S value = arguments_.argument(i, k);
          arguments_.at(i, k) = (k == 0 ? S(value - offsets_[i]) : value) * power;
        }
      }
      power *= S(direction_);
    }
    can_slide_ = step.can_slide();
    for (std::size_t i = 0; i < count_; ++i) {
      if (!slides(i)) scales_[i] = std::max<S>(scales_[i], size_of(arguments_.at(i, 0)));
    }
    follow_cuts();
  }
  /// Whether read() took other sides, of no consequence for the series that was read.
  bool has_moved() const { return has_moved_; }

  /// After read() at the start of a run, where a root or a power of a max or min has no series because that
  /// is zero: takes the branch on which it stays zero. Whether there is such a call.
  bool hold_roots_off() {
    bool any = false;
    for (std::size_t i = 0; i < count_; ++i) {
      const S& value = arguments_.at(i, 0);
      sides_[i] = value > 0 ? 1 : value < 0 ? -1 : 0;
      const int side = call(i).rooted_side;
      if (side == 0 || sides_[i] != 0) continue;
      sides_[i] = -side;
      any = true;
    }
    if (any) hold();
    return any;
  }
  /// After read() at the start of a run: takes the branches of the values there, none where they are zero.
  void begin(double length) {
    rounds_ = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      choose_offset(i, length);
      sides_[i] = arguments_.sign_at_start(i, length, slides(i));
      switches_[i] = {sides_[i] == 0};
      switches_[i].try_side(sides_[i]);
    }
    hold();
  }

  /// Whether the arguments that are zero go to the side that is followed. If not, other sides are taken, to
  /// be expanded again; if no side is left is_stuck().
  bool settle(double length) {
    if (combinations_.is_running()) return settle_combination(length);
    const bool is_long = ++rounds_ > 4 * count_ + 8;
    if (!is_long && follow_jumps(length)) return false;
    bool agree = true;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!is_open(i) || is_led(i)) continue;
      int side = side_to_take(i, length);
      // of a kink any side will do where the argument is zero
      if (side == sides_[i] || (is_long && has_kink(i))) continue;
      agree = false;
      if (!has_kink(i) && switches_[i].was_tried(side))
        side = may_slide(i) && switches_[i].was_tried(0) ? sliding : 0;
      if (is_long || (!has_kink(i) && switches_[i].was_tried(side))) {
        culprit_ = i;
        begin_combinations();
        return false;
      }
      sides_[i] = side;
      switches_[i].is_zero = true;
      switches_[i].try_side(side);
    }
    if (!agree) hold();
    return agree;
  }
  bool is_stuck() const { return is_stuck_; }

  /// The length, at most h, over which the last terms of the arguments' series are below the tolerance.
  double limit(double h) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (sides_[i] == 0) continue;  // zero but for rounding errors
      if (!is_off_cut(i, S(h))) h = arguments_.limit_of(i, h, slides(i));
    }
    return h;
  }

  /// The first change of sign up to `length`. Those that follow within `resolution` are the same.
  Found find(const S& length, const S& resolution) {
    Found first{length};
    for (std::size_t i = 0; i < count_; ++i) {
      crossing_[i] = is_led(i) ? Found{length} : find_crossing(i, length);
      if (crossing_[i].reach < first.reach || (crossing_[i].crosses && !first.crosses)) {
        first = crossing_[i];
        culprit_ = i;
      }
    }
    for (std::size_t i = 0; i < count_; ++i) {
      if (is_led(i)) crossing_[i] = crossing_[call(i).leader];
    }
    for (Found& other : crossing_) other.crosses = other.crosses && other.reach <= first.reach + resolution;
    return first;
  }

  /// The end of the step, in the state (t, q, v), is where find() said: the other sides are next.
  void cross(const S& t, std::span<const S> q, std::span<const S> v) {
    rounds_ = 0;
    find_zeros(t, q, v);
    for (std::size_t i = 0; i < count_; ++i) {
      switches_[i] = {crossing_[i].crosses};
      if (crossing_[i].crosses) sides_[i] = slides(i) ? released_[i] : -sides_[i];
      switches_[i].try_side(sides_[i]);
    }
    hold();
  }
  /// The end of the step is elsewhere.
  void pass() {
    rounds_ = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      switches_[i] = {};
      switches_[i].try_side(sides_[i]);
    }
  }

  /// How much longer the step to a change of sign must be, given the state at its end: Newton's step.
  S correction(const S& length, const S& t, std::span<const S> q, std::span<const S> v) {
    if (slides(culprit_)) return S(0);  // the forces are the same before and behind
    const std::span<const S> c = arguments_.of(culprit_);
    S slope(0);
    for (std::size_t k = c.size() - 1; k > 0; --k) slope = slope * length + S(static_cast<int>(k)) * c[k];
    arguments_.evaluate(0, t, q, v);
    return slope == 0 ? S(0) : S((offsets_[culprit_] - arguments_.argument(culprit_, 0)) / slope);
  }

  /// Whether call i slides, and its value τ into the step.
  bool slides(std::size_t i) const { return sides_[i] == sliding; }
  /// The same, or it rests on its jump with the value zero.
  bool is_held(std::size_t i) const {
    return slides(i) || (sides_[i] == 0 && branch_of(call(i).op) == Branch::jump);
  }
  S held_value(std::size_t i, const S& tau) const {
    if (!slides(i)) return S(0);
    const std::span<const S> c = arguments_.of(i);
    S sum(0);
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * (tau * S(direction_)) + c[k];
    return sum;
  }
  /// Where an atan2 is at the change of sign that find() found first: nowhere near its cut, on it, or where
  /// it has no value, atan2(0, 0).
  enum class Cut { none, jump, origin };
  Cut cut_at_crossing() const {
    if (call(culprit_).cut == no_register || !crossing_[culprit_].crosses) return Cut::none;
    const std::span<const S> c = arguments_.cut(culprit_);
    S value(0), scale(0);
    for (std::size_t k = c.size(); k-- > 0;) {
      value = value * crossing_[culprit_].reach + c[k];
      scale = scale * crossing_[culprit_].reach + size_of(c[k]);
    }
    if (size_of(value) <= scale * S(std::sqrt(rounding_of<S>()))) return Cut::origin;
    return value < 0 ? Cut::jump : Cut::none;
  }

 private:
  static constexpr int sliding = Expansion<S>::sliding;
  struct State {
    bool is_zero = false;  // at the start of the step
    unsigned tried = 0;    // a bit for each side

    void try_side(int side) { tried |= 1U << static_cast<unsigned>(side + 1); }
    bool was_tried(int side) const { return (tried >> static_cast<unsigned>(side + 1) & 1U) != 0; }
  };

  static S size_of(const S& x) { return x < 0 ? S(-x) : x; }
  bool may_slide(std::size_t i) const { return branch_of(call(i).op) == Branch::jump && !call(i).is_nested; }

  // Several frictions that come to rest together choose together: where one after the other leads to no
  // choice, all are tried. Those that slide are independent; of others that rest with them any side will do.
  void begin_combinations() {
    std::vector<std::size_t> open;
    std::vector<int> sides;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!is_open(i) || is_led(i)) continue;
      open.push_back(i);
      sides.push_back(may_slide(i) ? 3 : 2);
    }
    is_stuck_ = !combinations_.begin(std::move(open), std::move(sides));
    if (!is_stuck_) take_combination();
  }
  void take_combination() {
    constexpr std::array<int, 3> all{1, -1, sliding};
    for (std::size_t k = 0; k < combinations_.calls().size(); ++k)
      sides_[combinations_.calls()[k]] = all[combinations_.choice(k)];
    hold();
  }
  bool settle_combination(double length) {
    if (combination_fits(length)) {
      for (const std::size_t i : combinations_.calls()) {
        switches_[i] = {true};
        switches_[i].try_side(sides_[i]);
      }
      combinations_.end();
      hold();
      return true;
    }
    is_stuck_ = !combinations_.next();
    if (!is_stuck_) take_combination();
    return false;
  }
  bool combination_fits(double length) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (is_led(i)) continue;
      const bool is_tried = std::ranges::find(combinations_.calls(), i) != combinations_.calls().end();
      const int side = is_tried ? side_to_take(i, length) : side_at_start(i, length);
      if (side != sides_[i] && (side != 0 || slides(i))) return false;
    }
    return true;
  }

  const Switch& call(std::size_t i) const { return system_->switches().calls[i]; }
  // s^p of s = max(x, 0) has no series at x = 0 for most p, and hardly any force there: it begins where x is
  // a small part of its size. With steps that grow by a third each, 1e-9 takes about seventy; the impulse
  // that is left out is less than 1e-18 of those that are not.
  void choose_offset(std::size_t i, double length) {
    constexpr double share = 1e-9;
    const int side = call(i).rooted_side;
    if (side == 0 || offsets_[i] != 0) return;
    const S size = arguments_.largest_term(i, S(arguments_.limit_of(i, length, slides(i))), 0);
    offsets_[i] = S(side * share) * (size > 0 ? size : S(1));
    arguments_.at(i, 0) -= offsets_[i];
  }
  bool is_led(std::size_t i) const { return call(i).leader != i; }
  bool is_open(std::size_t i) const { return switches_[i].is_zero || sides_[i] == 0 || slides(i); }
  // Arguments with a common factor, x' and x x', are zero together, and their truncated series are not.
  void find_zeros(const S& t, std::span<const S> q, std::span<const S> v) {
    const S share(1e3 * rounding_of<S>());
    arguments_.evaluate(0, t, q, v);
    for (std::size_t i = 0; i < count_; ++i) {
      if (is_led(i) || slides(i) || sides_[i] == 0) continue;
      if (size_of(S(arguments_.argument(i, 0) - offsets_[i])) <= share * scales_[i])
        crossing_[i].crosses = true;
    }
    for (std::size_t i = 0; i < count_; ++i) {
      if (is_led(i)) crossing_[i].crosses = crossing_[call(i).leader].crosses;
    }
  }
  // Takes the sides of arguments that have jumped with a call that they depend on; whether there were any.
  bool follow_jumps(double length) {
    bool any = false;
    for (std::size_t i = 0; i < count_; ++i) {
      const int side = is_open(i) || is_led(i) ? sides_[i] : side_at_start(i, length);
      if (side == sides_[i] || side == 0) continue;
      sides_[i] = side;
      any = true;
    }
    if (any) hold();
    return any;
  }
  int side_at_start(std::size_t i, double length) const {
    const bool rests = is_negligible(i, S(arguments_.limit_of(i, length, false)));
    return rests ? 0 : arguments_.sign_at_start(i, length, slides(i));
  }
  bool has_kink(std::size_t i) const {
    const Branch branch = branch_of(call(i).op);
    return branch == Branch::kink || branch == Branch::comparison;
  }
  int side_to_take(std::size_t i, double length) const {
    if (slides(i)) return side_of_sliding(i, length);
    const S limit(arguments_.limit_of(i, length, false));
    return is_negligible(i, limit) ? 0 : arguments_.side_ahead(i, limit);
  }
  // Along the jump of a sign that slides the arguments of other calls may be zero too, but for rounding
  // errors.
  bool is_negligible(std::size_t i, const S& length) const {
    constexpr double share = 1e-11;  // rounding errors of a solve and of a series; chosen, not measured
    const bool any = std::find(sides_.begin(), sides_.end(), sliding) != sides_.end();
    return any && arguments_.largest_term(i, length, 0) <= S(share) * scales_[i];
  }

  // The side that a sign which slides goes to: it slides on while it is between −1 and 1.
  int side_of_sliding(std::size_t i, double length) const {
    // 1e-11 is round-off of the value, which then may be at its limit; 1e-9 is none. Chosen, not measured.
    constexpr double beyond = 1e-9, at_limit = 1e-11;
    const S& value = arguments_.at(i, 0);
    if (!can_slide_) return 0;
    const int nearest = value > 0 ? 1 : -1;
    const S excess = S(nearest) * value - S(1);
    if (excess > S(beyond)) return nearest;
    const bool leaves =
        excess > S(-at_limit) && arguments_.side_ahead(i, S(arguments_.limit_of(i, length, true))) == nearest;
    return leaves ? nearest : sliding;
  }

  // Where it does not jump, an atan2 may have passed a zero of its argument unseen.
  void follow_cuts() {
    has_moved_ = false;
    for (std::size_t i = 0; i < count_; ++i) {
      const S& value = arguments_.at(i, 0);
      if (call(i).cut == no_register || arguments_.cut(i)[0] < 0 || value == 0 || switches_[i].is_zero)
        continue;
      const int side = value > 0 ? 1 : -1;
      has_moved_ = has_moved_ || side != sides_[i];
      sides_[i] = side;
    }
    if (has_moved_) hold();
  }
  // Whether an atan2 comes nowhere near its cut.
  bool is_off_cut(std::size_t i, const S& length) {
    if (call(i).cut == no_register || !(arguments_.cut(i)[0] > 0)) return false;
    return !search_.find(arguments_.cut(i), length, 1, false).crosses;
  }

  Found find_crossing(std::size_t i, const S& length) {
    if (slides(i)) return find_release(i, length);
    if (is_off_cut(i, length) || is_negligible(i, length)) return {length};
    if (sides_[i] != 0) return search_.find(arguments_.of(i), length, sides_[i], switches_[i].is_zero);
    const bool is_on_axis = call(i).cut != no_register && arguments_.cut(i)[0] != 0;
    return is_on_axis ? search_.find(arguments_.cut(i), length, arguments_.cut(i)[0] > 0 ? 1 : -1, false)
                      : Found{length};
  }

  // Where a sign that slides reaches −1 or 1.
  Found find_release(std::size_t i, const S& length) {
    Found first{length};
    const std::span<const S> c = arguments_.of(i);
    release_.assign(c.begin(), c.end());
    for (const int side : {1, -1}) {  // 1 − s and 1 + s
      release_[0] = S(1) - S(side) * c[0];
      for (std::size_t k = 1; k < release_.size(); ++k) release_[k] = S(-side) * c[k];
      const Found found = search_.find(release_, length, 1, !(release_[0] > S(1e-12)));
      if (!found.crosses || !(found.reach < first.reach)) continue;
      first = found;
      released_[i] = side;
    }
    return first;
  }

  void hold() {
    for (std::size_t i = 0; i < count_; ++i) {
      if (!is_led(i)) continue;
      const int side = sides_[call(i).leader];
      sides_[i] = side == sliding && directions_[i] != 0 ? sliding : directions_[i] * side;
      switches_[i] = switches_[call(i).leader];
    }
    for (std::size_t i = 0; i < count_; ++i) {
      if (call(i).is_nested) arguments_.hold_side(i, sides_[i]);
    }
  }

  const System* system_;
  std::size_t count_;
  double direction_;
  SwitchArguments<S> arguments_;  // of time in its direction; of a sign that slides, its value
  SignChangeLocator<S> search_;
  std::vector<int> directions_;  // of calls beside those that lead them
  std::vector<int> sides_;
  std::vector<State> switches_;
  std::vector<Found> crossing_;
  std::vector<int> released_;  // to which side, of calls that slide
  std::vector<S> release_;
  std::vector<S> offsets_;  // of the arguments: their switch is where they have this value
  std::vector<S> scales_;   // the largest values of the arguments so far
  SideCombinations combinations_;
  std::size_t rounds_ = 0;  // of settle() at the present place
  bool can_slide_ = true;
  bool has_moved_ = false;
  std::size_t culprit_ = 0;
  bool is_stuck_ = false;
};

}  // namespace dalembert

// Watches the arguments of abs, sign, min and max: a series is that of one branch, and valid as long as none
// of the arguments changes sign. Their own series tell when they do.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <dalembert/solve/size_math.hpp>
#include <dalembert/solve/step_polynomials.hpp>
#include <dalembert/system/expansion.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

#include "sign_search.hpp"

namespace dalembert {

template <class S, int W>
class SwitchWatch {
 public:
  using Found = typename SignSearch<S>::Found;

  /// `direction` of time: 1 or −1. Lengths are positive either way.
  SwitchWatch(const System& system, int max_order, double log_tolerance, double direction)
      : system_(&system),
        count_(system.switches().arguments.size()),
        log_tolerance_(log_tolerance),
        direction_(direction),
        room_(static_cast<std::size_t>(max_order) + 1),
        series_(system.switches().program, system.constants<S>(system.switches().program),
                count_ > 0 ? max_order : 0),
        registers_(switch_registers(system, system.switches().program)),
        search_(max_order),
        coefficients_(count_ * room_, S(0)),
        sides_(count_, 0),
        switches_(count_),
        crossing_(count_) {}

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  /// Of the branch that is followed.
  std::span<const int> sides() const { return sides_; }
  /// The call that crosses() and is_stuck() speak of.
  std::size_t culprit() const { return culprit_; }

  /// Takes the arguments' series along a step.
  void read(const StepPolynomials<S>& p) {
    order_ = p.order;
    S power(1);
    for (int k = 0; k <= order_; ++k) {
      const S t = k == 0 ? p.t0 : S(k == 1 ? 1 : 0);
      evaluate(k, t, {p.q(k), system_->n()}, {p.v(k), system_->n()});
      for (std::size_t i = 0; i < count_; ++i) coefficients_[i * room_ + k] = argument(i, k) * power;
      power *= S(direction_);
    }
  }

  /// After read() at the start of a run: takes the branches of the values there, none where they are zero.
  void begin(double length) {
    for (std::size_t i = 0; i < count_; ++i) {
      const S& value = coefficients_[i * room_];
      const S noise = S(16 * rounding_of<S>()) * largest_term(i, S(limit_of(i, length)), 0);
      const bool is_zero = !(value > noise) && !(-value > noise);
      sides_[i] = is_zero ? 0 : (value > 0 ? 1 : -1);
      switches_[i] = {is_zero};
      switches_[i].try_side(sides_[i]);
    }
    hold();
  }

  /// Whether the arguments that are zero go to the side that is followed. If not, other sides are taken, to
  /// be expanded again; if no side is left is_stuck().
  bool settle(double length) {
    bool agree = true;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!switches_[i].is_zero && sides_[i] != 0) continue;
      int side = side_ahead(i, S(limit_of(i, length)));
      if (side == sides_[i]) continue;
      agree = false;
      if (switches_[i].was_tried(side)) side = 0;
      if (switches_[i].was_tried(side)) {
        is_stuck_ = true;
        culprit_ = i;
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
  double limit(double h) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (sides_[i] != 0) h = limit_of(i, h);  // the others are zero but for rounding errors
    }
    return h;
  }

  /// The first change of sign up to `length`. Those that follow within `resolution` are the same.
  Found find(const S& length, const S& resolution) {
    Found first{length};
    for (std::size_t i = 0; i < count_; ++i) {
      crossing_[i] = {length};
      if (sides_[i] == 0) continue;
      crossing_[i] = search_.find(coefficients(i), length, sides_[i], switches_[i].is_zero);
      if (crossing_[i].reach < first.reach || (crossing_[i].crosses && !first.crosses)) {
        first = crossing_[i];
        culprit_ = i;
      }
    }
    for (Found& other : crossing_) other.crosses = other.crosses && other.reach <= first.reach + resolution;
    return first;
  }

  /// The end of the step is where find() said: the other sides are next.
  void cross() {
    for (std::size_t i = 0; i < count_; ++i) {
      switches_[i] = {crossing_[i].crosses};
      if (crossing_[i].crosses) sides_[i] = -sides_[i];
      switches_[i].try_side(sides_[i]);
    }
    hold();
  }
  /// The end of the step is elsewhere.
  void pass() {
    for (std::size_t i = 0; i < count_; ++i) {
      switches_[i] = {};
      switches_[i].try_side(sides_[i]);
    }
  }

  /// How much longer the step to a change of sign must be, given the state at its end: Newton's step.
  S correction(const S& length, const S& t, std::span<const S> q, std::span<const S> v) {
    const std::span<const S> c = coefficients(culprit_);
    S slope(0);
    for (std::size_t k = c.size() - 1; k > 0; --k) slope = slope * length + S(static_cast<int>(k)) * c[k];
    evaluate(0, t, q, v);
    return slope == 0 ? S(0) : S(-argument(culprit_, 0) / slope);
  }

 private:
  struct Switch {
    bool is_zero = false;  // at the start of the step
    unsigned tried = 0;    // a bit for each side

    void try_side(int side) { tried |= 1U << static_cast<unsigned>(side + 1); }
    bool was_tried(int side) const { return (tried >> static_cast<unsigned>(side + 1) & 1U) != 0; }
  };

  std::span<const S> coefficients(std::size_t i) const {
    return {coefficients_.data() + i * room_, static_cast<std::size_t>(order_) + 1};
  }
  S argument(std::size_t i, int k) const { return series_.output(system_->switches().arguments[i], k); }

  void evaluate(int k, const S& t, std::span<const S> q, std::span<const S> v) {
    series_.inputs(System::input_t(), 1, k)[0] = t;
    std::copy(q.begin(), q.end(), series_.inputs(system_->input_q(0), q.size(), k).begin());
    std::copy(v.begin(), v.end(), series_.inputs(system_->input_v(0), v.size(), k).begin());
    series_.run(Stage::position, k);
    series_.run(Stage::velocity, k);
  }

  double limit_of(std::size_t i, double h) const {
    constexpr int most_rounds = 50;
    for (int round = 0; round < most_rounds; ++round) {
      const double log_h = std::log(h);
      double scale = -std::numeric_limits<double>::infinity();
      for (int k = 0; k < order_ - 1; ++k) scale = std::max(scale, log_term(i, k, log_h));
      if (!std::isfinite(scale)) break;
      double shorter = 0;
      for (const int k : {order_ - 1, order_}) {
        const double excess = log_term(i, k, log_h) - scale - log_tolerance_;
        if (excess > 0) shorter = std::min(shorter, -std::min(excess, 10.0 * k) / k);
      }
      if (shorter == 0) break;
      h *= std::exp(1.01 * shorter);
    }
    return h;
  }

  void hold() {
    for (std::size_t i = 0; i < count_; ++i) {
      if (registers_[i] != no_register) series_.hold_side(registers_[i], sides_[i]);
    }
  }

  S largest_term(std::size_t i, const S& length, std::size_t from) const {
    const std::span<const S> c = coefficients(i);
    S largest(0);
    S power(1);
    for (std::size_t k = 0; k < c.size(); ++k) {
      const S term = (c[k] < 0 ? S(-c[k]) : c[k]) * power;
      if (k >= from && term > largest) largest = term;
      power *= length;
    }
    return largest;
  }

  // The sign of an argument just behind its zero: of the first coefficient that is more than rounding errors.
  int side_ahead(std::size_t i, const S& length) const {
    const std::span<const S> c = coefficients(i);
    const S least = largest_term(i, length, 1) * S(std::pow(rounding_of<S>(), 0.625));
    S power(1);
    for (std::size_t k = 1; k < c.size(); ++k) {
      power *= length;
      const S term = c[k] * power;
      if (term > least) return 1;
      if (-term > least) return -1;
    }
    return 0;
  }

  double log_term(std::size_t i, int k, double log_h) const {
    const S& c = coefficients_[i * room_ + static_cast<std::size_t>(k)];
    return SizeMath<S>::log(SizeMath<S>::of(c)) + k * log_h;
  }

  const System* system_;
  std::size_t count_;
  double log_tolerance_;
  double direction_;
  std::size_t room_;
  Series<S, W> series_;
  std::vector<Register> registers_;
  SignSearch<S> search_;
  std::vector<S> coefficients_;  // [argument][order], of time in its direction
  int order_ = 0;
  std::vector<int> sides_;
  std::vector<Switch> switches_;
  std::vector<Found> crossing_;
  std::size_t culprit_ = 0;
  bool is_stuck_ = false;
};

}  // namespace dalembert

// Watches functions that are not the continuation of their own series: √ and powers go on with the other sign
// where they touch zero (√x² is |x|, not x), asin and acos where they reach the end of their range; a
// quotient, a logarithm and a tangent have no value at a pole, which a step could leap over where it is weak.
//
// A root, a power and the cosine of an asin must keep their sign over a step. Where a divisor is not known to
// keep away from zero, the terms of the quotient must fall: they do not where a pole is within the step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>
#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/system/expansion_program.hpp>
#include <dalembert/tape/operations.hpp>

#include "series/as_double.hpp"
#include "switches/sign_change_locator.hpp"

namespace dalembert {

template <class S>
class DomainDetector {
 public:
  /// `direction` of time: 1 or −1. Lengths are positive either way.
  DomainDetector(const System& system, int max_order, double direction)
      : program_(&system.expansion_program().program),
        direction_(direction),
        search_(max_order),
        terms_(static_cast<std::size_t>(max_order) + 1, Scalar(0)) {
    for (const Instruction& i : program_->instructions) add(i);
    // of asin and its root the former is named
    std::stable_sort(guards_.begin(), guards_.end(),
                     [](const Guard& a, const Guard& b) { return (a.op != Op::sqrt) > (b.op != Op::sqrt); });
  }

  /// After expand(): the length, at most h, over which all functions are what their series say, in all lanes.
  double limit(const AdomianStep<S>& step, double h) {
    end_ = infinite;
    cause_ = nullptr;
    for (lane_ = 0; lane_ < static_cast<std::size_t>(LaneMath<S>::lanes); ++lane_) h = limit_of_lane(step, h);
    lane_ = 0;
    return h;
  }
  /// Whether a kink that no series follows ends the length that limit() gave.
  bool has_end() const { return end_ < infinite; }
  /// Whether a step of length h ends where a function has a kink that no series follows.
  bool ends_at(double h) const { return h >= end_; }
  std::string reason() const {
    const std::string text = text_of(cause_->call);
    if (cause_->watched == cause_->call) {
      return fmt::format(
          "{} comes to zero here and turns round, which is a kink that no series follows: if it stands for "
          "the size of something, write abs",
          text);
    }
    return fmt::format(
        "{} comes to the end of its range here and turns round, which is a kink that no series "
        "follows",
        text);
  }
  /// The function whose series converges least far from the present point, if that is no farther than `near`:
  /// the one that ends or has a pole there. Else nothing.
  std::string singular_call(const AdomianStep<S>& step, double near) const {
    const Guard* nearest = nullptr;
    for (const Guard& guard : guards_) {
      const Register r = guard.result == no_register ? guard.watched : guard.call;
      const double distance = radius(step, r);
      if (!(distance <= near)) continue;
      nearest = &guard;
      near = distance;
    }
    return nearest != nullptr ? text_of(nearest->call) : "";
  }
  /// The function whose coefficients are the first that are no numbers though its value is one: it is so near
  /// to its end or to a pole. Else nothing.
  std::string overflowing_call(const AdomianStep<S>& step) const {
    const Guard* first = nullptr;
    int least = count(step);
    for (const Guard& guard : guards_) {
      const Register r = guard.result == no_register ? guard.watched : guard.call;
      int k = 0;
      while (k < least && std::isfinite(value(step, r, k))) ++k;
      if (k == 0 || k >= least) continue;
      first = &guard;
      least = k;
    }
    return first != nullptr ? text_of(first->call) : "";
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  using Scalar = typename LaneMath<S>::Scalar;
  struct Guard {
    Op op;
    Register call;
    Register watched;               // keeps away from zero, or else
    Register result = no_register;  // the terms of this fall; none: `watched` keeps its sign
  };

  double limit_of_lane(const AdomianStep<S>& step, double h) {
    for (const Guard& guard : guards_) {
      if (guard.watched != no_register && keeps_away_from_zero(step, guard.watched, h)) continue;
      const double shorter =
          guard.result == no_register ? first_zero(step, guard, h) : falling_length(step, guard.result, h);
      if (!(shorter < h)) continue;
      h = shorter;
      cause_ = &guard;
      end_ = guard.result == no_register ? h : infinite;
    }
    return h;
  }
  void add(const Instruction& i) {
    const Domain domain = domain_of(i.op);
    switch (domain.end) {
      case DomainEnd::none:
        break;
      case DomainEnd::turns:
        guards_.push_back({i.op, i.result, operand(i, domain.watched)});
        break;
      case DomainEnd::pole:
      case DomainEnd::falls:
        guards_.push_back({i.op, i.result, operand(i, domain.watched), i.result});
        break;
    }
  }
  std::string text_of(Register r) const {
    const Expr meaning = program_->meaning[r];
    return meaning ? text_excerpt(meaning) : std::string("a quotient");
  }
  // Coefficient k of a register in the present lane.
  const Scalar& coefficient(const AdomianStep<S>& step, Register r, int k) const {
    return reinterpret_cast<const Scalar*>(&step.series().get(r, k))[lane_];
  }
  double value(const AdomianStep<S>& step, Register r, int k) const {
    return as_double(coefficient(step, r, k));
  }
  // Coefficients of registers are known below the order of the expansion.
  static int count(const AdomianStep<S>& step) { return step.polynomials().order; }

  // |c_0| > Σ_{k≥1} |c_k| h^k
  bool keeps_away_from_zero(const AdomianStep<S>& step, Register r, double h) const {
    double sum = 0;
    for (int k = count(step) - 1; k > 0; --k) sum = (sum + std::abs(value(step, r, k))) * h;
    return std::abs(value(step, r, 0)) > sum;
  }

  // |c_{k−1} / c_k| for the last k
  double radius(const AdomianStep<S>& step, Register r) const {
    const int last = count(step) - 1;
    const double before = std::abs(value(step, r, last - 1));
    return before / std::abs(value(step, r, last));
  }

  double first_zero(const AdomianStep<S>& step, const Guard& guard, double h) {
    const auto size = static_cast<std::size_t>(count(step));
    Scalar power(1);
    for (std::size_t k = 0; k < size; ++k) {
      terms_[k] = coefficient(step, guard.watched, static_cast<int>(k)) * power;
      power *= Scalar(direction_);
    }
    if (terms_[0] == 0) return h;
    const auto found =
        search_.find(std::span<const Scalar>(terms_).first(size), Scalar(h), terms_[0] > 0 ? 1 : -1, false);
    // a root that ends has no series there: the terms tell, and the step is chosen by them
    return found.crosses && has_fallen(step, guard.watched, as_double(found.reach), 1e-3)
               ? as_double(found.reach)
               : h;
  }

  // Terms of a function with a pole at the distance R are like (h/R)^k: of 15 terms and more they have fallen
  // to this at 0.8 R.
  double falling_length(const AdomianStep<S>& step, Register r, double h) const {
    constexpr double fallen = 0.04;   // about 0.8^15
    constexpr double shorter = 0.8;   // as the least that is told of R
    constexpr int most_rounds = 300;  // down to 1e-29 of the step
    for (int round = 0; round < most_rounds && !has_fallen(step, r, h, fallen); ++round) h *= shorter;
    return h;
  }
  // Whether the last two terms are no more than a share of the largest of the others.
  bool has_fallen(const AdomianStep<S>& step, Register r, double h, double share) const {
    const int last = count(step) - 1;
    double largest = 0, tail = 0, power = 1;
    for (int k = 0; k <= last; ++k, power *= h) {
      double& size = k < last - 1 ? largest : tail;
      size = std::max(size, std::abs(value(step, r, k)) * power);
    }
    return !(tail > share * largest);
  }

  const Program* program_;
  double direction_;
  SignChangeLocator<Scalar> search_;
  std::vector<Scalar> terms_;
  std::size_t lane_ = 0;
  std::vector<Guard> guards_;
  const Guard* cause_ = nullptr;
  double end_ = infinite;
};

}  // namespace dalembert

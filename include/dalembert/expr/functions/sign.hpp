// sign, −1, 0 or 1, with a jump at zero.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

struct Sign : OfOne<Sign> {
  static constexpr Branch branch = Branch::jump;
  static constexpr FunctionInfo info{"sign", "\\operatorname{sign}", 1, branch, UnitRule::any};

  static std::optional<Rational> exact(const Rational& x) { return Rational(x < 0 ? -1 : (x > 0 ? 1 : 0)); }
  static Expr derivative(Expr, Expr x) { return x.graph().number(0); }  // wherever it has one
  template <class T>
  static T value(const T& x) {
    return LaneMath<T>::sign(x);
  }
  static double slope(double, double) { return 0; }
  static constexpr bool is_rounded = false;
  template <class S>
  static void evaluate(const S& x, const S&, S& u, S&) {
    u = LaneMath<S>::sign(x);
  }
  template <class S>
  static S held_value(const S& side, const S&, const S&, const S&) {
    return side;
  }

  // constant, or what it is held to
  static constexpr std::array rows{RecurrenceRow{nothing, none, given}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>&) {
    const S zero = LaneMath<S>::of(0);
    return {{{zero, zero, LaneMath<S>::of(1)}}};
  }

  using OfOne::enclose;
  static Interval enclose(const Interval& x) {
    if (x.low > 0) return 1;
    if (x.high < 0) return -1;
    return {-1, 1};
  }
  static constexpr double jump = 2;
  static double steepness(const Ranges&) { return 0; }
};

}  // namespace dalembert::functions

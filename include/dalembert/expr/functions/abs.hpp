// abs, with a kink at zero.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

struct Abs : OfOne<Abs> {
  static constexpr Branch branch = Branch::kink;
  static constexpr FunctionInfo info{"abs",  "\\operatorname{abs}", 1,
                                     branch, UnitRule::kept,        {"\\left|", "\\right|", true}};

  static std::optional<Rational> exact(const Rational& x) { return x < 0 ? Rational(-x) : x; }
  static Expr derivative(Expr, Expr x) { return sign(x); }
  template <class T>
  static T value(const T& x) {
    return ScalarMath<T>::abs(x);
  }
  static double slope(double, double) { return 1; }
  static constexpr bool is_rounded = false;
  template <class S>
  static void evaluate(const S& x, const S&, S& u, S&) {
    u = ScalarMath<S>::abs(x);
  }
  template <class S>
  static S held_value(const S& side, const S& x, const S&, const S&) {
    return side * x;
  }

  // u' = sign(x) x'
  static constexpr std::array rows{RecurrenceRow{nothing, x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    const S zero = LaneMath<S>::of(0);
    return {{{zero, LaneMath<S>::sign(at.side_x), zero}}};
  }

  using OfOne::enclose;
  static Interval enclose(const Interval& x) {
    if (x.contains(0)) return {0, x.magnitude()};
    return x.low > 0 ? x : -x;
  }
  static double steepness(const Ranges&) { return 1; }
};

}  // namespace dalembert::functions

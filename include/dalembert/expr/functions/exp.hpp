// exp.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

struct Exp : OfOne<Exp> {
  static constexpr FunctionInfo info{
      .name = "exp", .latex = "\\exp", .enclosing = {"\\mathrm{e}^{", "}", false, "\\mathrm{e}"}};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 1, x); }
  static Expr derivative(Expr u, Expr) { return u; }
  template <class T>
  static T value(const T& x) {
    using std::exp;
    return exp(x);
  }
  static double slope(double, double u) { return u; }
  static constexpr bool grows = true;

  // u' = x' u
  static constexpr std::array rows{RecurrenceRow{weighted(x, u), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {unless_infinite(at.u, recurrence::integral_of_product(at.u))};
  }

  using OfOne::enclose;
  static Interval enclose(const Interval& x) {
    return monotonous(x, [](double v) { return std::exp(v); });
  }
  static double steepness(const Ranges& r) { return r.u.magnitude(); }

  // The last term of its series, rᵖ/p!, is comparable with e^r up to r = p.
  static constexpr bool hides = true;
  static double visible_move(double, double, int order) { return 0.5 * order; }
  static bool is_visible(const Interval& x, int order) { return x.width() <= 0.5 * order; }
};

}  // namespace dalembert::functions

// atan.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

struct Atan : OfOne<Atan> {
  static constexpr FunctionInfo info{"atan", "\\arctan"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 0, x); }
  static Expr derivative(Expr, Expr x) { return 1 / (1 + pow(x, 2)); }
  template <class T>
  static T value(const T& x) {
    using std::atan;
    return atan(x);
  }
  static double slope(double x, double) { return 1 / (1 + x * x); }

  // u' = x'/w with w = 1 + x²
  static std::vector<Expr> operands(Expr call) {
    const Expr x = call.operand(0);
    return {x, 1 + pow(x, 2)};
  }
  static constexpr std::array rows{RecurrenceRow{weighted(u, y), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {recurrence::integral_of_quotient(at.y)};
  }

  using OfOne::enclose;
  static Interval enclose(const Interval& x) {
    return monotonous(x, [](double v) { return std::atan(v); });
  }
  static double steepness(const Ranges&) { return 1; }

  static constexpr bool hides = true;
  static double visible_move(double x, double, int) { return nearly * std::hypot(x, 1.0); }
  static bool is_visible(const Interval& x, int) {
    return 1 + x.magnitude() * x.magnitude() <= few * (1 + least(x) * least(x));
  }
};

}  // namespace dalembert::functions

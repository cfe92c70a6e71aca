// erf, the error function 2/√π ∫ exp(−s²) ds from 0 to x.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

struct Erf : OfOne<Erf> {
  static constexpr FunctionInfo info{"erf", "\\operatorname{erf}"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 0, x); }
  static Expr derivative(Expr, Expr x) {
    return 2 * pow(x.graph().pi(), x.graph().number(Rational(-1, 2))) * exp(-pow(x, 2));
  }
  template <class T>
  static T value(const T& x) {
    using std::erf;
    return erf(x);
  }
  static double slope(double x, double) { return 2 * std::exp(-x * x) / std::sqrt(2 * half_pi); }

  // u' = x' w with w = 2/√π exp(−x²)
  static std::vector<Expr> operands(Expr call) {
    const Expr x = call.operand(0);
    return {x, derivative(call, x)};
  }
  static constexpr std::array rows{RecurrenceRow{weighted(x, y), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {recurrence::integral_of_product(at.y)};
  }

  using OfOne::enclose;
  static Interval enclose(const Interval& x) {
    const Interval u = monotonous(x, [](double v) { return std::erf(v); });
    return {std::max(u.low, -1.0), std::min(u.high, 1.0)};
  }
  static double steepness(const Ranges& r) { return r.y.magnitude(); }

  // As far as exp shows what exp(−x²) does: (|x| + r)² − x² ≤ order/2. Nothing is lost beside 1: the
  // coefficients of u are those of w.
  static constexpr bool hides = true;
  static double visible_move(double x, double, int order) {
    return 0.5 * order / (std::abs(x) + std::sqrt(x * x + 0.5 * order));
  }
  static bool is_visible(const Interval& x, int order) {
    return x.magnitude() * x.magnitude() - least(x) * least(x) <= 0.5 * order;
  }
};

}  // namespace dalembert::functions

// tan, with 1 + tan² for its recurrence.
#pragma once

#include <dalembert/expr/functions/sin_cos.hpp>

namespace dalembert::functions {

struct Tan : OfOne<Tan> {
  static constexpr FunctionInfo info{"tan", "\\tan"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 0, x); }
  static Expr derivative(Expr u, Expr) { return 1 + pow(u, 2); }
  template <class T>
  static T value(const T& x) {
    using std::tan;
    return tan(x);
  }
  static double slope(double, double u) { return 1 + u * u; }

  static Results results(Expr call) { return {call, 1 + pow(call, 2)}; }
  template <class S>
  static void evaluate(const S& x, const S&, S& u, S& second) {
    u = value_of<Tan>(x);
    second = LaneMath<S>::of(1) + u * u;
  }
  // u' = x' w with w = 1 + u²
  static constexpr std::array rows{RecurrenceRow{weighted(x, second), x}, RecurrenceRow{sum(u, u), u}};
  template <class S>
  static std::array<recurrence::Factors<S>, 2> factors(const Known<S>& at) {
    return {recurrence::integral_of_product(at.second), recurrence::square(at.u)};
  }

  using OfOne::enclose;
  static Interval enclose(const Interval& x) {
    if (!(x.width() < 2 * half_pi) || meets(x, half_pi) || meets(x, -half_pi)) return Interval::everything();
    return monotonous(x, [](double v) { return std::tan(v); });
  }
  static Interval enclose_second(const Interval& x) { return Interval(1) + square(enclose(x)); }
  static double steepness(const Ranges& r) { return r.second.magnitude(); }
  static double second_deviation(const Ranges& r, double dx) {
    return carried(r.second.magnitude() * 2 * r.u.magnitude(), dx);
  }

  static constexpr bool hides = true;
  static double visible_move(double x, double, int) {
    return nearly * (half_pi - std::abs(std::remainder(x, 2 * half_pi)));
  }
  static constexpr Domain domain{DomainEnd::pole};
};

}  // namespace dalembert::functions

// tanh, with 1 − tanh² for its recurrence.
#pragma once

#include <dalembert/expr/functions/sinh_cosh.hpp>

namespace dalembert::functions {

struct Tanh : OfOne<Tanh> {
  static constexpr FunctionInfo info{"tanh", "\\tanh"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 0, x); }
  static Expr derivative(Expr u, Expr) { return 1 - pow(u, 2); }
  template <class T>
  static T value(const T& x) {
    using std::tanh;
    return tanh(x);
  }
  static double slope(double, double u) { return 1 - u * u; }

  static Results results(Expr call) { return {call, 1 - pow(call, 2)}; }
  static constexpr bool is_difference = true;
  template <class S>
  static void evaluate(const S& x, const S&, S& u, S& second) {
    u = value_of<Tanh>(x);
    second = LaneMath<S>::of(1) - u * u;
  }
  // u' = x' w with w = 1 − u²
  static constexpr std::array rows{RecurrenceRow{weighted(x, second), x}, RecurrenceRow{sum(u, u), u}};
  template <class S>
  static std::array<recurrence::Factors<S>, 2> factors(const Known<S>& at) {
    return {recurrence::integral_of_product(at.second), opposite(recurrence::square(at.u))};
  }

  using OfOne::enclose;
  static Interval enclose(const Interval& x) {
    return monotonous(x, [](double v) { return std::tanh(v); });
  }
  // 1 / cosh²: the difference would have no digits far from zero
  static Interval enclose_second(const Interval& x) {
    return Interval(1) / square(SinhCosh::enclose_second(x));
  }
  static double steepness(const Ranges&) { return 1; }
  static double second_deviation(const Ranges&, double dx) { return dx; }

  // Half as far as exp, since it nears ±1 like exp(−2x); what 1 − tanh² loses beside 1 is lost.
  static constexpr bool hides = true;
  static double visible_move(double x, double, int order) {
    return std::min(0.25 * order, nearly * std::hypot(x, half_pi));
  }
  static bool is_visible(const Interval& x, int order) { return x.width() <= 0.25 * order; }
};

}  // namespace dalembert::functions

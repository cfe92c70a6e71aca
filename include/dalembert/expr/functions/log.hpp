// log, the natural logarithm.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

struct Log : OfOne<Log> {
  static constexpr FunctionInfo info{"log", "\\ln"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(1, 0, x); }
  static Expr derivative(Expr, Expr x) { return 1 / x; }
  template <class T>
  static T value(const T& x) {
    using std::log;
    return log(x);
  }
  static double slope(double x, double) { return 1 / x; }
  template <class T>
  static bool has_value(const T& x) {
    return !(x <= 0);
  }

  // u' = x'/x
  static constexpr std::array rows{RecurrenceRow{weighted(u, x), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {recurrence::integral_of_quotient(at.x)};
  }

  using OfOne::enclose;
  static Interval enclose(const Interval& x) {
    if (!(x.low > 0)) return Interval::everything();
    return monotonous(x, [](double v) { return std::log(v); });
  }
  static double steepness(const Ranges& r) { return 1 / least(r.x); }

  static constexpr bool hides = true;
  static double visible_move(double x, double, int) { return nearly * std::abs(x); }
  static bool is_visible(const Interval& x, int) { return x.magnitude() <= few * least(x); }
  static constexpr Domain domain{DomainEnd::falls, x};
};

}  // namespace dalembert::functions

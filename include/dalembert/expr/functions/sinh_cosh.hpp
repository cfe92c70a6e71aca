// sinh and cosh, which one operation computes.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

struct SinhCosh;

struct Sinh : OfOne<Sinh> {
  using Operation = SinhCosh;
  static constexpr FunctionInfo info{"sinh", "\\sinh"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 0, x); }
  static Expr derivative(Expr, Expr x) { return cosh(x); }
  template <class T>
  static T value(const T& x) {
    using std::sinh;
    return sinh(x);
  }
  static double slope(double x, double) { return std::cosh(x); }
};

struct Cosh : OfOne<Cosh> {
  using Operation = SinhCosh;
  static constexpr FunctionInfo info{"cosh", "\\cosh"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 1, x); }
  static Expr derivative(Expr, Expr x) { return sinh(x); }
  template <class T>
  static T value(const T& x) {
    using std::cosh;
    return cosh(x);
  }
  static double slope(double x, double) { return std::sinh(x); }
};

struct SinhCosh : OfBoth<Sinh, Cosh> {
  static Results results(Expr call) { return {sinh(call.operand(0)), cosh(call.operand(0))}; }
  static constexpr bool grows = true;

  // s' = x' c, c' = x' s
  static constexpr std::array rows{RecurrenceRow{weighted(x, second), x}, RecurrenceRow{weighted(x, u), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 2> factors(const Known<S>& at) {
    return {unless_infinite(at.u, recurrence::integral_of_product(at.second)),
            unless_infinite(at.second, recurrence::integral_of_product(at.u))};
  }

  static Interval enclose(const Interval& x, const Interval&) {
    return monotonous(x, [](double v) { return std::sinh(v); });
  }
  static Interval enclose_second(const Interval& x) {
    const Interval result = hull({std::cosh(x.low), std::cosh(x.high)}, library_units);
    return x.contains(0) ? Interval(1, result.high) : Interval(std::max(result.low, 1.0), result.high);
  }
  static double deviation(const Ranges& r, double dx, double) { return second_deviation(r, dx); }
  // |sinh| < cosh
  static double second_deviation(const Ranges& r, double dx) { return carried(r.second.magnitude(), dx); }

  static constexpr bool hides = true;
  static double visible_move(double, double, int order) { return 0.5 * order; }
  static bool is_visible(const Interval& x, int order) { return x.width() <= 0.5 * order; }
};

}  // namespace dalembert::functions

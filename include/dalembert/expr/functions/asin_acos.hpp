// asin and acos.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

/// u' = x'/w with w = √(1 − x²), or its opposite.
template <class Self>
struct Arc : OfOne<Self> {
  static double slope(double x, double) { return 1 / std::sqrt(1 - x * x); }
  template <class T>
  static bool has_value(const T& x) {
    return !(x > 1 || x < -1);
  }

  static constexpr std::array rows{RecurrenceRow{weighted(u, y), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {recurrence::integral_of_quotient(at.y)};
  }

  using OfOne<Self>::enclose;
  static Interval enclose(const Interval& x) {
    if (!(x.low >= -1 && x.high <= 1)) return Interval::everything();
    return monotonous(x, [](double v) { return Self::value(v); });
  }
  static double steepness(const Ranges& r) { return 1 / least(r.y); }

  static constexpr bool hides = true;
  static double visible_move(double x, double, int) { return nearly * (1 - std::abs(x)); }
  static bool is_visible(const Interval& x, int) {
    const double most = x.magnitude();
    return most < 1 && 1 - least(x) * least(x) <= few * (1 - most * most);
  }
  static constexpr Domain domain{DomainEnd::turns, y};
};

struct Asin : Arc<Asin> {
  static constexpr FunctionInfo info{"asin", "\\arcsin"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 0, x); }
  static Expr derivative(Expr, Expr x) { return 1 / sqrt(1 - pow(x, 2)); }
  template <class T>
  static T value(const T& x) {
    using std::asin;
    return asin(x);
  }
  static std::vector<Expr> operands(Expr call) {
    const Expr x = call.operand(0);
    return {x, sqrt(1 - pow(x, 2))};
  }
};

struct Acos : Arc<Acos> {
  static constexpr FunctionInfo info{"acos", "\\arccos"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(1, 0, x); }
  static Expr derivative(Expr, Expr x) { return -1 / sqrt(1 - pow(x, 2)); }
  template <class T>
  static T value(const T& x) {
    using std::acos;
    return acos(x);
  }
  static std::vector<Expr> operands(Expr call) {
    const Expr x = call.operand(0);
    return {x, -sqrt(1 - pow(x, 2))};
  }
};

}  // namespace dalembert::functions

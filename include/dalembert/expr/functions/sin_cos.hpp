// sin and cos, which one operation computes.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

struct SinCos;

/// Whether phase + 2πk lies in x for some k; in doubt it does.
inline bool meets(const Interval& x, double phase) {
  constexpr double turn = 4 * half_pi;
  const double doubt = 1e-12 * (1 + x.magnitude());
  const double turns = std::ceil((x.low - phase - doubt) / turn);
  return phase + turn * turns <= x.high + doubt;
}

/// The values 0, 1, 0, −1 of a sine at multiples of half of π.
inline std::optional<Rational> sine_of_half_turns(Expr x, long quarter) {
  Rational turns = 0;  // x / π
  if (x.kind() == Kind::pi) turns = 1;
  const bool scaled = x.kind() == Kind::sum && x.size() == 1 && x.constant() == 0;
  if (scaled && x.operand(0).kind() == Kind::pi) turns = x.coefficient(0);
  const Rational twice = 2 * turns + quarter;
  if (turns == 0 || !is_integer(twice)) return std::nullopt;
  constexpr std::array values{0, 1, 0, -1};
  Integer remainder = numerator(twice) % 4;
  if (remainder < 0) remainder += 4;
  return Rational(values[static_cast<std::size_t>(remainder)]);
}

struct Sin : OfOne<Sin> {
  using Operation = SinCos;
  static constexpr FunctionInfo info{"sin", "\\sin"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 0, x); }
  static std::optional<Rational> exact_at(Expr x) { return sine_of_half_turns(x, 0); }
  static Expr derivative(Expr, Expr x) { return cos(x); }
  template <class T>
  static T value(const T& x) {
    using std::sin;
    return sin(x);
  }
  static double slope(double x, double) { return std::cos(x); }
};

struct Cos : OfOne<Cos> {
  using Operation = SinCos;
  static constexpr FunctionInfo info{"cos", "\\cos"};

  static std::optional<Rational> exact(const Rational& x) { return only_at(0, 1, x); }
  static std::optional<Rational> exact_at(Expr x) { return sine_of_half_turns(x, 1); }
  static Expr derivative(Expr, Expr x) { return -sin(x); }
  template <class T>
  static T value(const T& x) {
    using std::cos;
    return cos(x);
  }
  static double slope(double x, double) { return std::sin(x); }
};

struct SinCos : OfBoth<Sin, Cos> {
  static Results results(Expr call) { return {sin(call.operand(0)), cos(call.operand(0))}; }

  // s' = x' c, c' = −x' s
  static constexpr std::array rows{RecurrenceRow{weighted(x, second), x}, RecurrenceRow{weighted(x, u), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 2> factors(const Known<S>& at) {
    return {recurrence::integral_of_product(at.second), opposite(recurrence::integral_of_product(at.u))};
  }

  static Interval enclose(const Interval& x, const Interval&) {
    return between(x, {std::sin(x.low), std::sin(x.high)}, half_pi, -half_pi);
  }
  static Interval enclose_second(const Interval& x) {
    return between(x, {std::cos(x.low), std::cos(x.high)}, 0, 2 * half_pi);
  }
  static double deviation(const Ranges&, double dx, double) { return dx; }
  static double second_deviation(const Ranges&, double dx) { return dx; }

 private:
  // From the values at both ends, and 1 and −1 where they are taken between.
  static Interval between(const Interval& x, std::initializer_list<double> ends, double top, double bottom) {
    if (!(x.width() < 4 * half_pi)) return {-1, 1};
    Interval result = hull(ends, library_units);
    if (meets(x, top)) result.high = 1;
    if (meets(x, bottom)) result.low = -1;
    return {std::max(result.low, -1.0), std::min(result.high, 1.0)};
  }
};

}  // namespace dalembert::functions

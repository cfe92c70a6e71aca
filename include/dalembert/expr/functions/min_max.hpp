// min and max, with a kink where their arguments are equal.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

/// The argument that Self::chosen(a, b, x, y) takes by comparing a with b; a NaN of either is the result.
template <class Self>
struct Chosen : OfTwo<Self> {
  static constexpr Branch branch = Branch::comparison;
  static constexpr bool is_rounded = false;

  static std::optional<Rational> exact(const Rational& x, const Rational& y) { return value(x, y); }
  template <class T>
  static T value(const T& x, const T& y) {
    return Self::chosen(x, y, x, y);
  }
  template <class S>
  static void evaluate(const S& x, const S& y, S& u, S&) {
    u = value(x, y);
  }
  static std::array<double, 2> slopes(double x, double y) {
    return {Self::chosen(x, y, 1.0, 0.0), Self::chosen(x, y, 0.0, 1.0)};
  }
  template <class S>
  static S held_value(const S& side, const S& x, const S& y, const S&) {
    return Self::chosen(side, LaneMath<S>::of(0), x, y);
  }

  // u' = x' or y'
  static constexpr std::array rows{RecurrenceRow{nothing, x, y}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    const S zero = LaneMath<S>::of(0);
    const S one = LaneMath<S>::of(1);
    return {{{zero, Self::chosen(at.side_x, at.side_y, one, zero),
              Self::chosen(at.side_x, at.side_y, zero, one)}}};
  }

  static Interval enclose(const Interval& x, const Interval& y) {
    return {Self::chosen(x.low, y.low, x.low, y.low), Self::chosen(x.high, y.high, x.high, y.high)};
  }
  static double deviation(const Ranges&, double dx, double dy) { return std::max(dx, dy); }
};

struct Min : Chosen<Min> {
  static constexpr FunctionInfo info{"min", "\\min", 2, branch, UnitRule::kept};

  static Expr derivative(Expr, Expr x, Expr y, std::size_t i) {
    const Expr side = sign(x - y);
    return Rational(1, 2) * (i == 0 ? 1 - side : 1 + side);  // where both are equal, the mean
  }
  template <class S>
  static S chosen(const S& a, const S& b, const S& x, const S& y) {
    return LaneMath<S>::of_lesser(a, b, x, y);
  }
};

struct Max : Chosen<Max> {
  static constexpr FunctionInfo info{"max", "\\max", 2, branch, UnitRule::kept};

  static Expr derivative(Expr, Expr x, Expr y, std::size_t i) {
    const Expr side = sign(x - y);
    return Rational(1, 2) * (i == 0 ? 1 + side : 1 - side);  // where both are equal, the mean
  }
  template <class S>
  static S chosen(const S& a, const S& b, const S& x, const S& y) {
    return LaneMath<S>::of_greater(a, b, x, y);
  }
};

}  // namespace dalembert::functions

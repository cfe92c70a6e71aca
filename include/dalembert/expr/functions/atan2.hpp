// atan2, the angle of a point with its ordinate first: here x is the ordinate and y the abscissa.
#pragma once

#include <dalembert/expr/functions/unit.hpp>

namespace dalembert::functions {

struct Atan2 : OfTwo<Atan2> {
  static constexpr Branch branch = Branch::cut;
  static constexpr FunctionInfo info{"atan2", "\\operatorname{atan2}", 2, branch, UnitRule::ratio};

  static std::optional<Rational> exact(const Rational& x, const Rational& y) {
    return x == 0 && y > 0 ? std::optional<Rational>(0) : std::nullopt;
  }
  static Expr derivative(Expr, Expr x, Expr y, std::size_t i) {
    const Expr square = pow(x, 2) + pow(y, 2);
    return i == 0 ? y / square : -x / square;
  }
  template <class T>
  static T value(const T& x, const T& y) {
    using std::atan2;
    return atan2(x, y);
  }
  static std::array<double, 2> slopes(double x, double y) {
    const double square = x * x + y * y;
    return {std::abs(y) / square, std::abs(x) / square};
  }
  /// On the cut, and where rounding errors lie beyond it: the value of the side that is held.
  template <class S>
  static S held_value(const S& side, const S&, const S& y, const S& u) {
    if constexpr (LaneMath<S>::lanes == 1 && !std::is_same_v<S, Rational>) {
      const bool is_beyond = y < 0 && side * u < 0;
      if (is_beyond) return u + side * (ScalarMath<S>::pi() * S(2));
    }
    return u;
  }

  // u' = (y x' − x y') / z with z = x² + y²:
  // u_k = (Σ' j (x_j y_{k−j} − y_j x_{k−j} − u_j z_{k−j}) / k + y_0 x_k − x_0 y_k) / z_0
  static std::vector<Expr> operands(Expr call) {
    const Expr x = call.operand(0);
    const Expr y = call.operand(1);
    return {x, y, pow(x, 2) + pow(y, 2)};
  }
  static constexpr std::array rows{RecurrenceRow{weighted(y, x)}, RecurrenceRow{weighted(u, z), none, row0},
                                   RecurrenceRow{weighted(x, y), x, y}, RecurrenceRow{nothing, row1, row2}};
  template <class S>
  static std::array<recurrence::Factors<S>, 4> factors(const Known<S>& at) {
    const S zero = LaneMath<S>::of(0);
    const S one = LaneMath<S>::of(1);
    const S reciprocal = LaneMath<S>::divide(one, at.z);
    return {{{-reciprocal, zero, zero},
             {-reciprocal, zero, one},
             {reciprocal, at.y * reciprocal, -at.x * reciprocal},
             {zero, one, one}}};
  }

  // between the corners, unless the cut or the origin is met
  static Interval enclose(const Interval& x, const Interval& y) {
    if (y.low <= 0 && x.contains(0)) return {-3.1415926535897936, 3.1415926535897936};
    return hull({std::atan2(x.low, y.low), std::atan2(x.low, y.high), std::atan2(x.high, y.low),
                 std::atan2(x.high, y.high)},
                library_units);
  }
  static double deviation(const Ranges& r, double dx, double dy) {
    return (carried(r.x.magnitude(), dy) + carried(r.y.magnitude(), dx)) / least(r.z);
  }

  static constexpr bool hides = true;
  static double visible_move(double x, double y, int) { return nearly * std::hypot(x, y); }
};

}  // namespace dalembert::functions

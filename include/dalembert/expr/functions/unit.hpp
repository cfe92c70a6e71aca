// The words in which a function says what it is, and what most functions have in common.
//
// A unit has no objects: its members are static, and what needs them is a template on the unit or a table
// made from all of them. A function says
//
//   info         names, LaTeX, arity, branches, units
//   exact        its value at rational arguments, where that is rational
//   derivative   as an expression
//   value        in double and in Real; of Rational it follows from exact, of lanes it is taken one by one
//   slope        |f'| in double, for the round-off of an argument
//
// and an operation of a program says how it computes one function or two of the same argument:
//
//   results, operands   what its registers hold: u and a second result; x, y, z
//   rows, factors       the recurrence of its Taylor coefficients, as data and as values at order 0
//   enclose             interval enclosures
//   deviation           how far u moves with its operands, by the mean value theorem: steepness bounds
//   |∂u/∂x| visible_move, ...   where its series at a point shows what it does (tape/hiding_calls.hpp) domain
//   where its values end
//
// with u' = x' w and u' = x'/w as the forms of most recurrences (recurrence.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include <dalembert/expr/function.hpp>
#include <dalembert/expr/graph.hpp>
#include <dalembert/expr/interval.hpp>
#include <dalembert/expr/lanes.hpp>
#include <dalembert/expr/recurrence.hpp>
#include <dalembert/expr/scalar.hpp>

namespace dalembert {

/// A series that a recurrence reads: operands, results, earlier rows; `given` is set from outside.
enum class Source : std::uint8_t { none, x, y, z, u, second, row0, row1, row2, given };

/// Σ' a_j b_{k−j}, or Σ' j a_j b_{k−j} / k; Σ' stands for Σ_{j=1..k−1}
struct Convolution {
  Source a = Source::none;
  Source b = Source::none;
  bool is_weighted = false;

  bool is_empty() const { return a == Source::none; }
};

/// factor · sum + factor · x_k + factor · y_k. The last rows of a recurrence are its results.
struct RecurrenceRow {
  Convolution sum;
  Source x = Source::none;
  Source y = Source::none;
};

/// Values at order 0, from which the factors of rows are found. What has branches chooses by side_x and
/// side_y: x and y, or the side that is held and zero.
template <class S>
struct Known {
  const S& x;
  const S& y;
  const S& z;
  const S& u;
  const S& second;
  const S& side_x;
  const S& side_y;
};

struct Results {
  Expr u;
  Expr second = {};
};

/// Of the registers of an instruction.
struct Ranges {
  Interval x, y, z, u, second;
};

/// What becomes of an operation where its values end.
enum class DomainEnd : std::uint8_t {
  none,
  turns,  ///< where `watched` is zero it goes on with the other sign, unlike its series: √, asin
  pole,   ///< where `watched` is zero, on both sides of which it has values
  falls,  ///< where `watched` is zero, on one side: log
};
struct Domain {
  DomainEnd end = DomainEnd::none;
  Source watched = Source::none;
};

namespace functions {

// The letters of the rows.
using enum Source;
constexpr Convolution sum(Source a, Source b) { return {a, b, false}; }
constexpr Convolution weighted(Source a, Source b) { return {a, b, true}; }
inline constexpr Convolution nothing{};

inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr double half_pi = 1.57079632679489661923;
/// Of the distance to the nearest singularity: the series converges there, if slowly.
inline constexpr double nearly = 0.9;
/// Where a function or its inverse may change by a factor along a step that its series shows.
inline constexpr double few = 8;

/// 0 · ∞ = 0: what has no error carries none.
inline double carried(double slope, double error) { return slope == 0 || error == 0 ? 0 : slope * error; }

inline double least(const Interval& x) {
  return x.contains(0) ? 0 : std::min(std::abs(x.low), std::abs(x.high));
}

/// The enclosure of an increasing or decreasing function.
template <class F>
Interval monotonous(const Interval& x, F f) {
  return hull({f(x.low), f(x.high)}, library_units);
}

[[noreturn]] void throw_not_rational(const FunctionInfo& info, bool is_real,
                                     std::initializer_list<const Rational*> arguments);

/// In any type of number.
template <class Unit, class S>
S value_of(const S& x) {
  if constexpr (std::is_same_v<S, Rational>) {
    const std::optional<Rational> exact = Unit::exact(x);
    if (!exact) throw_not_rational(Unit::info, Unit::Operation::has_value(x), {&x});
    return *exact;
  } else if constexpr (LaneMath<S>::lanes > 1) {
    S u{};
    for (int i = 0; i < LaneMath<S>::lanes; ++i) u[i] = Unit::value(static_cast<double>(x[i]));
    return u;
  } else {
    return Unit::value(x);
  }
}

template <class Unit, class S>
S value_of(const S& x, const S& y) {
  if constexpr (std::is_same_v<S, Rational>) {
    const std::optional<Rational> exact = Unit::exact(x, y);
    if (!exact) throw_not_rational(Unit::info, true, {&x, &y});
    return *exact;
  } else if constexpr (LaneMath<S>::lanes > 1) {
    S u{};
    for (int i = 0; i < LaneMath<S>::lanes; ++i)
      u[i] = Unit::value(static_cast<double>(x[i]), static_cast<double>(y[i]));
    return u;
  } else {
    return Unit::value(x, y);
  }
}

/// `value` at `place`: by Lindemann and Weierstrass sin, exp, their kind and their inverses are rational at
/// one rational place only.
inline std::optional<Rational> only_at(long place, long value, const Rational& x) {
  return x == place ? std::optional<Rational>(value) : std::nullopt;
}

/// What a function or an operation has unless it says otherwise.
struct Usual {
  static constexpr bool is_rounded = true;      ///< values have a rounding error
  static constexpr bool grows = false;          ///< like exp: beyond a limit its values count as infinite
  static constexpr bool hides = false;          ///< it can do what its series does not show
  static constexpr bool is_difference = false;  ///< the second result is a difference of numbers near 1
  static constexpr double jump = 0;             ///< where x changes its sign
  static constexpr Branch branch = Branch::none;
  static constexpr Domain domain{};

  template <class T>
  static bool has_value(const T&) {
    return true;
  }
  static std::optional<Rational> exact_at(Expr) { return std::nullopt; }  // beyond numbers
  static Results results(Expr call) { return {call}; }
  static std::vector<Expr> operands(Expr call) {
    std::vector<Expr> x;
    for (std::size_t i = 0; i < call.size(); ++i) x.push_back(call.operand(i));
    return x;
  }
  static Interval enclose_second(const Interval&) { return Interval::everything(); }
  static double second_deviation(const Ranges&, double) { return infinite; }
  static double visible_move(double, double, int) { return infinite; }
  static bool is_visible(const Interval&, int) { return false; }
};

/// A function of one argument that computes itself.
template <class Self>
struct OfOne : Usual {
  using Operation = Self;

  template <class S>
  static void evaluate(const S& x, const S&, S& u, S&) {
    u = value_of<Self>(x);
  }
  static Interval enclose(const Interval& x, const Interval&) { return Self::enclose(x); }
  static double deviation(const Ranges& r, double dx, double) { return carried(Self::steepness(r), dx); }
};

/// A function of two arguments that computes itself.
template <class Self>
struct OfTwo : Usual {
  using Operation = Self;

  template <class S>
  static void evaluate(const S& x, const S& y, S& u, S&) {
    u = value_of<Self>(x, y);
  }
};

/// An operation that computes two functions of one argument: both values, the second by the same bounds.
template <class First, class Second>
struct OfBoth : Usual {
  template <class S>
  static void evaluate(const S& x, const S&, S& u, S& second) {
    u = value_of<First>(x);
    second = value_of<Second>(x);
  }
};

}  // namespace functions
}  // namespace dalembert

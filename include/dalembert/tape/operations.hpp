// What the operations of programs are, arithmetic here and functions in expr/functions/, in the same words
// (expr/functions/unit.hpp). Sums have any number of operands: what runs them looks at their terms.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include <dalembert/expr/functions/all.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {
namespace operations {

using functions::carried;
using functions::few;
using functions::infinite;
using functions::least;
using functions::monotonous;
using functions::nearly;
using functions::nothing;
using functions::sum;
using functions::weighted;
using enum Source;

/// c + Σ cᵢ xᵢ
struct Linear : functions::Usual {};

/// z_k + c (Σ' x_j y_{k−j} + y_0 x_k)
struct PastProduct : functions::Usual {
  static constexpr std::array rows{RecurrenceRow{sum(x, y), x, z}};
};

struct Product : functions::Usual {
  template <class S>
  static void evaluate(const S& x, const S& y, S& u, S&) {
    u = x * y;
  }
  static constexpr std::array rows{RecurrenceRow{sum(x, y), x, y}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {unless_infinite(at.u, recurrence::product(at.x, at.y))};
  }
  static Interval enclose(const Interval& x, const Interval& y) { return x * y; }
  static double deviation(const Ranges& r, double dx, double dy) {
    return carried(r.x.magnitude(), dy) + carried(r.y.magnitude() + dy, dx);
  }
};

struct Square : functions::Usual {
  template <class S>
  static void evaluate(const S& x, const S&, S& u, S&) {
    u = x * x;
  }
  static constexpr std::array rows{RecurrenceRow{sum(x, x), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {unless_infinite(at.u, recurrence::square(at.x))};
  }
  static Interval enclose(const Interval& x, const Interval&) { return square(x); }
  static double deviation(const Ranges& r, double dx, double) {
    return carried(2 * r.x.magnitude() + dx, dx);
  }
};

/// What has a pole where a divisor is zero.
struct Reciprocal : functions::Usual {
  static constexpr bool hides = true;
  static double visible_move(double x, double, int) { return nearly * std::abs(x); }
  static bool is_visible(const Interval& x, int) { return x.magnitude() <= few * least(x); }
};

struct Quotient : Reciprocal {
  template <class S>
  static void evaluate(const S& x, const S& y, S& u, S&) {
    u = LaneMath<S>::divide(x, y);
  }
  static constexpr std::array rows{RecurrenceRow{sum(y, u), x, y}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {recurrence::quotient(at.y, at.u)};
  }
  static Interval enclose(const Interval& x, const Interval& y) { return x / y; }
  static double deviation(const Ranges& r, double dx, double dy) {
    return (dx + carried(r.u.magnitude(), dy)) / least(r.y);
  }
  static constexpr Domain domain{DomainEnd::pole, y};
};

struct Inverse : Reciprocal {
  template <class S>
  static void evaluate(const S& x, const S&, S& u, S&) {
    u = LaneMath<S>::divide(LaneMath<S>::of(1), x);
  }
  static constexpr std::array rows{RecurrenceRow{sum(x, u), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {recurrence::inverse(at.u)};
  }
  static Interval enclose(const Interval& x, const Interval&) { return Interval(1) / x; }
  static double deviation(const Ranges& r, double dx, double) {
    return carried(r.u.magnitude() / least(r.x), dx);
  }
  static constexpr Domain domain{DomainEnd::pole, x};
};

/// What has no series where its argument is zero. A root of what is zero is zero as long as that is;
/// coefficients that are not make it infinite.
struct Root : Reciprocal {
  template <class S>
  static constexpr bool knows_zero = std::is_same_v<S, double> || std::is_same_v<S, Real>;
  template <class S>
  static bool is_zero(const S& value) {
    if constexpr (knows_zero<S>) return value == 0;
    return false;
  }
  template <class S>
  static recurrence::Factors<S> at_branch_point() {
    if constexpr (knows_zero<S>) return {S(0), S(std::numeric_limits<double>::max()), S(0)};
    return recurrence::Factors<S>{};
  }
  template <class T>
  static bool has_value(const T& x) {
    return !(x < 0);
  }
  static constexpr Domain domain{DomainEnd::turns, u};
};

struct Sqrt : Root {
  template <class S>
  static void evaluate(const S& x, const S&, S& u, S&) {
    u = ScalarMath<S>::sqrt(x);
  }
  static constexpr std::array rows{RecurrenceRow{sum(u, u), x}};
  template <class S>
  static std::array<recurrence::Factors<S>, 1> factors(const Known<S>& at) {
    return {is_zero(at.x) ? at_branch_point<S>() : recurrence::sqrt(at.u)};
  }
  static Interval enclose(const Interval& x, const Interval&) {
    if (!(x.low >= 0)) return Interval::everything();
    return monotonous(x, [](double v) { return std::sqrt(v); });
  }
  static double deviation(const Ranges& r, double dx, double) { return dx / (2 * least(r.u)); }
};

/// x^c. A natural power of zero has a recurrence of its own (recurrence::power_at_zero).
struct Power : Root {
  template <class S>
  static void evaluate(const S& x, const S& c, S& u, S&) {
    u = ScalarMath<S>::pow(x, c);
  }
  static constexpr std::array rows{RecurrenceRow{weighted(u, x)}, RecurrenceRow{weighted(x, u), x, row0}};
  /// y is c
  template <class S>
  static std::array<recurrence::Factors<S>, 2> factors(const Known<S>& at) {
    const recurrence::Factors<S> f =
        is_zero(at.x) && is_zero(at.u) ? at_branch_point<S>() : recurrence::power(at.x, at.u, at.y);
    const S zero = LaneMath<S>::of(0);
    return {{{f.y, zero, zero}, {f.sum, f.x, LaneMath<S>::of(1)}}};
  }
  /// Monotonous on either side of zero for whole c, on x > 0 otherwise.
  static Interval enclose(const Interval& x, const Interval& exponent);
  /// y is c
  static double deviation(const Ranges& r, double dx, double) {
    return carried(r.y.magnitude() * r.u.magnitude() / least(r.x), dx);
  }
};

}  // namespace operations

/// f(unit) with the unit of an operation; its result is of the same type for all. Inlined, so that what f
/// refers to stays in registers: whole runs took 1.3 to 2 times as long without it.
template <class F>
[[gnu::always_inline]] inline decltype(auto) with_operation(Op op, F&& f) {
  switch (op) {
    case Op::linear:
      return f(operations::Linear{});
    case Op::product:
      return f(operations::Product{});
    case Op::square:
      return f(operations::Square{});
    case Op::quotient:
      return f(operations::Quotient{});
    case Op::inverse:
      return f(operations::Inverse{});
    case Op::sqrt:
      return f(operations::Sqrt{});
    case Op::power:
      return f(operations::Power{});
    case Op::past_product:
      return f(operations::PastProduct{});
#define DALEMBERT_CASE(name, Unit) \
  case Op::name:                   \
    return f(functions::Unit{});
      DALEMBERT_FUNCTION_OPERATIONS(DALEMBERT_CASE)
#undef DALEMBERT_CASE
  }
  throw Error("no such operation");
}

/// The operation that a unit of an operation is.
template <class Unit>
inline constexpr Op op_of = Op::linear;
#define DALEMBERT_OP(name, Unit) \
  template <>                    \
  inline constexpr Op op_of<functions::Unit> = Op::name;
DALEMBERT_FUNCTION_OPERATIONS(DALEMBERT_OP)
#undef DALEMBERT_OP

/// The recurrence of an operation's Taylor coefficients; none of a sum, which has a row for each term.
std::span<const RecurrenceRow> rows_of(Op op);
Domain domain_of(Op op);

/// The register that a source names; of rows and `given` there is none.
Register operand(const Instruction& i, Source source);

}  // namespace dalembert

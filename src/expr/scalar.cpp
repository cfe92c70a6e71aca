#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <mpfr.h>

#include <dalembert/expr/scalar.hpp>

namespace dalembert {
namespace {

std::string shown(const Rational& x) {
  constexpr std::size_t longest = 40;
  const std::string text = x.str();
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

[[noreturn]] void not_rational(std::string_view function, const Rational& x) {
  throw NotRational(fmt::format("{}({}) is not rational", function, shown(x)));
}

// By Lindemann and Weierstrass sin, exp, their kind and their inverses are rational at one rational place
// only.
Rational only_at(const Rational& place, const Rational& value, std::string_view function, const Rational& x) {
  if (x != place) not_rational(function, x);
  return value;
}

std::string shown_power(const Rational& x, const Rational& y) {
  const auto atom = [](const Rational& number) {
    return number < 0 || !is_integer(number) ? '(' + shown(number) + ')' : shown(number);
  };
  return atom(x) + '^' + atom(y);
}

}  // namespace

Real ScalarMath<Real>::from(const Rational& x) {
  Real result;
  mpfr_set_q(result.backend().data(), x.backend().data(), MPFR_RNDN);
  return result;
}

Real ScalarMath<Real>::pi() {
  Real result;
  mpfr_const_pi(result.backend().data(), MPFR_RNDN);
  return result;
}

using RationalMath = ScalarMath<Rational>;

Rational RationalMath::pi() { throw NotRational("pi is not rational"); }
Rational RationalMath::exp(const Rational& x) { return only_at(0, 1, "exp", x); }
Rational RationalMath::log(const Rational& x) {
  if (x <= 0) throw NotRational(fmt::format("log({}) is not a real number", shown(x)));
  return only_at(1, 0, "log", x);
}
Rational RationalMath::sin(const Rational& x) { return only_at(0, 0, "sin", x); }
Rational RationalMath::cos(const Rational& x) { return only_at(0, 1, "cos", x); }
Rational RationalMath::tan(const Rational& x) { return only_at(0, 0, "tan", x); }
Rational RationalMath::asin(const Rational& x) { return only_at(0, 0, "asin", x); }
Rational RationalMath::acos(const Rational& x) { return only_at(1, 0, "acos", x); }
Rational RationalMath::atan(const Rational& x) { return only_at(0, 0, "atan", x); }
Rational RationalMath::atan2(const Rational& y, const Rational& x) {
  if (y == 0 && x > 0) return 0;
  throw NotRational(fmt::format("atan2({}, {}) is not rational", shown(y), shown(x)));
}
Rational RationalMath::sinh(const Rational& x) { return only_at(0, 0, "sinh", x); }
Rational RationalMath::cosh(const Rational& x) { return only_at(0, 1, "cosh", x); }
Rational RationalMath::tanh(const Rational& x) { return only_at(0, 0, "tanh", x); }

Rational RationalMath::sqrt(const Rational& x) {
  if (x < 0) throw NotRational(fmt::format("sqrt({}) is not a real number", shown(x)));
  const std::optional<Rational> root = exact_root(x, 2);
  if (!root) not_rational("sqrt", x);
  return *root;
}

Rational RationalMath::pow(const Rational& x, const Rational& y) {
  if (x == 0 && y < 0) throw NotRational(fmt::format("{} divides by zero", shown_power(x, y)));
  std::optional<Rational> base = x;
  if (!is_integer(y)) {
    if (x < 0) throw NotRational(fmt::format("{} is not a real number", shown_power(x, y)));
    const Integer degree = denominator(y);
    // A root of a degree beyond the bits of a number is rational for 0 and 1 only.
    if (degree > std::numeric_limits<unsigned>::max()) {
      if (x != 0 && x != 1) base.reset();
    } else {
      base = exact_root(x, degree.convert_to<unsigned>());
    }
    if (!base) throw NotRational(fmt::format("{} is not rational", shown_power(x, y)));
  }
  const std::optional<Rational> result = integer_power(*base, numerator(y));
  if (!result) throw NotRational(fmt::format("{} is too long for an exact number", shown_power(x, y)));
  return *result;
}

}  // namespace dalembert

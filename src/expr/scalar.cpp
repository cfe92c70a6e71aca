#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <mpfr.h>

#include <dalembert/expr/scalar.hpp>

namespace dalembert {
namespace {

[[noreturn]] void not_rational(std::string_view function, const Rational& x) {
  throw NotRational(fmt::format("{}({}) is not rational", function, number_excerpt(x)));
}

std::string shown_power(const Rational& x, const Rational& y) {
  const auto atom = [](const Rational& number) {
    return number < 0 || !is_integer(number) ? '(' + number_excerpt(number) + ')' : number_excerpt(number);
  };
  return atom(x) + '^' + atom(y);
}

}  // namespace

Real ScalarMath<Real>::pi() {
  Real result;
  mpfr_const_pi(result.data(), MPFR_RNDN);
  return result;
}

using RationalMath = ScalarMath<Rational>;

Rational RationalMath::pi() { throw NotRational("pi is not rational"); }

Rational RationalMath::sqrt(const Rational& x) {
  if (x < 0) throw NotRational(fmt::format("sqrt({}) is not a real number", number_excerpt(x)));
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
      base = exact_root(x, static_cast<unsigned>(degree));
    }
    if (!base) throw NotRational(fmt::format("{} is not rational", shown_power(x, y)));
  }
  const std::optional<Rational> result = integer_power(*base, numerator(y));
  if (!result) throw NotRational(fmt::format("{} is too long for an exact number", shown_power(x, y)));
  return *result;
}

}  // namespace dalembert

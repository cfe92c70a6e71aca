#include "print_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/print.hpp>

namespace dalembert {
namespace {

bool has_number_exponent(Expr e) { return e.kind() == Kind::power && e.operand(1).is_number(); }

// (x^-2)^-3 must not be written as 1/(x^-2)^3, which would be made as 1/x^-6.
bool is_inverse_of_inverse(Expr base, const Rational& exponent) {
  return exponent < -1 && is_integer(exponent) && has_number_exponent(base) && base.operand(1).number() < 0 &&
         is_integer(base.operand(1).number());
}

int reading_class(const Factor& factor) {
  switch (factor.base.kind()) {
    case Kind::number:
    case Kind::pi:
      return 0;
    case Kind::symbol:
      return is_integer(factor.exponent) ? 1 : 3;
    case Kind::sum:
      return is_integer(factor.exponent) ? 2 : 3;
    case Kind::function: {
      const bool is_named = info(factor.base.function()).enclosing.before.empty();
      return is_named && is_integer(factor.exponent) ? 4 : 3;
    }
    case Kind::power:
      return factor.exponent == 1 && factor.base.operand(0).is_number() ? 0 : 3;
    case Kind::product:
      break;
  }
  return 3;
}

auto reading_order(const Factor& factor) {
  const Expr base = factor.base;
  const auto primes =
      base.kind() == Kind::symbol ? std::count(base.name().begin(), base.name().end(), '\'') : 0;
  return std::tuple(reading_class(factor), primes, base.id());
}

void sort_for_reading(std::vector<Factor>& factors) {
  std::stable_sort(factors.begin(), factors.end(),
                   [](const Factor& a, const Factor& b) { return reading_order(a) < reading_order(b); });
}

void add_factor(Expr e, Fraction& fraction) {
  if (!has_number_exponent(e)) {
    fraction.above.push_back({e, 1});
    return;
  }
  const Expr base = e.operand(0);
  const Rational& exponent = e.operand(1).number();
  if (exponent > 0 || is_inverse_of_inverse(base, exponent)) {
    fraction.above.push_back({base, exponent});
  } else {
    fraction.below.push_back({base, -exponent});
  }
}

// How often `divisor` divides `value`, which loses these divisors.
long remove_divisor(Integer& value, unsigned long divisor) {
  const Integer by(divisor);
  return static_cast<long>(mpz_remove(value.data(), value.data(), by.data()));
}

// digits * 10^exponent, the point inside where that is short, else with one digit before the point and a
// power.
NumberParts decimal(std::string digits, long exponent) {
  // 100000 and 0.00001 are written out, as %g of C does
  constexpr long most_zeros = 5;
  const long size = static_cast<long>(digits.size());
  if (exponent >= 0 && exponent <= most_zeros)
    return {digits + std::string(static_cast<std::size_t>(exponent), '0'), "", 0};
  const long leading = size - 1 + exponent;  // the power of ten of the first digit
  if (exponent < 0 && leading >= -most_zeros) {
    if (leading < 0) digits = std::string(static_cast<std::size_t>(-leading), '0') + digits;
    const std::size_t point = digits.size() - static_cast<std::size_t>(-exponent);
    return {digits.substr(0, point) + '.' + digits.substr(point), "", 0};
  }
  if (size == 1) return {digits, "", leading};
  return {digits.substr(0, 1) + '.' + digits.substr(1), "", leading};
}

}  // namespace

Fraction split_fraction(const Rational& coefficient, Expr e) {
  Fraction fraction{coefficient, {}, {}};
  if (e.kind() == Kind::product) {
    for (std::size_t i = 0; i < e.size(); ++i) add_factor(e.operand(i), fraction);
  } else {
    add_factor(e, fraction);
  }
  sort_for_reading(fraction.above);
  sort_for_reading(fraction.below);
  return fraction;
}

std::vector<Summand> ordered_summands(Expr sum) {
  std::vector<Summand> summands;
  for (std::size_t i = 0; i < sum.size(); ++i) summands.push_back({sum.coefficient(i), sum.operand(i)});
  const auto is_positive = [](const Summand& summand) { return summand.coefficient > 0; };
  if (!is_positive(summands.front())) std::stable_partition(summands.begin(), summands.end(), is_positive);
  if (sum.constant() != 0) {
    const bool first = sum.constant() > 0 && !is_positive(summands.front());
    summands.insert(first ? summands.begin() : summands.end(), Summand{sum.constant(), {}});
  }
  return summands;
}

bool is_half(const Rational& value) { return 2 * value == 1; }

bool is_scaled_term(Expr e) { return e.kind() == Kind::sum && e.size() == 1 && e.constant() == 0; }

NumberParts split_number(const Rational& value) {
  constexpr std::size_t longest_decimal = 40;
  constexpr long largest_binary = 64;  // halves, quarters ... stay fractions
  if (value == 1 || value == -1) return {"1", "", 0};
  Integer above = abs(numerator(value));
  if (above == 0) return {"0", "", 0};
  Integer below = denominator(value);
  const Integer whole_below = below;
  const long twos = remove_divisor(below, 2);
  const long fives = remove_divisor(below, 5);
  const bool terminates = below == 1 && (whole_below == 1 || fives > 0 || whole_below > largest_binary);
  if (terminates) {
    const long places = std::max(twos, fives);
    above *= pow(Integer(2), static_cast<unsigned>(places - twos)) *
             pow(Integer(5), static_cast<unsigned>(places - fives));
    const long zeros = places == 0 ? remove_divisor(above, 10) : 0;
    const std::string digits = above.str();
    if (places == 0 || digits.size() <= longest_decimal) return decimal(digits, zeros - places);
  }
  return {Integer(abs(numerator(value))).str(), whole_below.str(), 0};
}

void throw_too_long() {
  throw Error(fmt::format("an expression is longer than {} characters when written out", longest_printed));
}

}  // namespace dalembert

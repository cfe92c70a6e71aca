// Exact numbers of expressions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <boost/multiprecision/gmp.hpp>

namespace dalembert {

using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// Numbers longer than this are not made by folding, and literals beyond it are errors.
inline constexpr std::size_t longest_number_bits = 20000;

/// The exact value of a decimal literal such as 12, 0.1, .5 or 1e-3; nothing if it is not one or is out of
/// range.
std::optional<Rational> parse_decimal(std::string_view text);

/// The exact value of a finite double's shortest decimal text: rational(0.1) is 1/10. Throws Error if not
/// finite.
Rational rational(double value);

bool is_integer(const Rational& value);
std::size_t bit_size(const Rational& value);

/// value^exponent for an integer exponent; nothing when it is 0^negative or too long.
std::optional<Rational> integer_power(const Rational& value, const Rational& exponent);

/// The exact n-th root of a non-negative number, if there is one among the rationals.
std::optional<Rational> exact_root(const Rational& value, unsigned n);

double to_double(const Rational& value);

/// For messages: shortened where it is long.
std::string number_excerpt(const Rational& value);

}  // namespace dalembert

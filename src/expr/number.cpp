#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmp.h>
#include <mpfr.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/number.hpp>

namespace dalembert {
namespace {

// log2(10) > 3.3: a literal with more digits or a larger exponent than this is longer than
// longest_number_bits.
constexpr std::size_t longest_digits = longest_number_bits * 10 / 33;

std::size_t bits(mpz_srcptr value) { return mpz_sgn(value) == 0 ? 0 : mpz_sizeinbase(value, 2); }
std::size_t bits(const Integer& value) { return bits(value.data()); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits from `place` on; moves `place` behind them.
std::string_view take_digits(std::string_view text, std::size_t& place) {
  const std::size_t begin = place;
  while (place < text.size() && is_digit(text[place])) ++place;
  return text.substr(begin, place - begin);
}

// "e-3", "E+10"; a far too large exponent is cut, which keeps it too large.
std::optional<long long> take_exponent(std::string_view text, std::size_t& place) {
  if (place == text.size()) return 0;
  if (text[place] != 'e' && text[place] != 'E') return std::nullopt;
  ++place;
  const bool negative = place < text.size() && text[place] == '-';
  if (place < text.size() && (text[place] == '-' || text[place] == '+')) ++place;
  const std::string_view digits = take_digits(text, place);
  if (digits.empty()) return std::nullopt;
  constexpr long long largest = 1'000'000'000'000;
  long long value = 0;
  for (const char c : digits) value = std::min(value * 10 + (c - '0'), largest);
  return negative ? -value : value;
}

Integer power_of_ten(unsigned long exponent) {
  Integer result;
  mpz_ui_pow_ui(result.data(), 10, exponent);
  return result;
}

// digits * 10^exponent
std::optional<Rational> scaled(std::string_view digits, long long exponent) {
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) return Rational(0);
  const std::size_t last = digits.find_last_not_of('0');
  exponent += static_cast<long long>(digits.size() - 1 - last);
  const std::string significant(digits.substr(first, last - first + 1));
  if (significant.size() > longest_digits) return std::nullopt;
  if (std::abs(exponent) > static_cast<long long>(longest_digits)) return std::nullopt;
  const Integer mantissa(significant);
  const Integer scale = power_of_ten(static_cast<unsigned long>(std::abs(exponent)));
  const Rational value = exponent < 0 ? Rational(mantissa, scale) : Rational(Integer(mantissa * scale));
  if (bit_size(value) > longest_number_bits) return std::nullopt;
  return value;
}

// Of a text that GMP allocated.
std::string text_by(char* text) {
  std::string result = text;
  void (*release)(void*, std::size_t) = nullptr;
  mp_get_memory_functions(nullptr, nullptr, &release);
  release(text, result.size() + 1);
  return result;
}

template <void (*operation)(mpz_ptr, mpz_srcptr, mpz_srcptr)>
Integer made(const Integer& a, const Integer& b) {
  Integer result;
  operation(result.data(), a.data(), b.data());
  return result;
}

std::optional<Integer> exact_root(const Integer& value, unsigned n) {
  Integer root;
  if (mpz_root(root.data(), value.data(), n) == 0) return std::nullopt;
  return root;
}

}  // namespace

Integer::Integer(const std::string& decimals) {
  if (mpz_init_set_str(value_, decimals.c_str(), 10) == 0) return;
  mpz_clear(value_);
  throw Error(fmt::format("'{}' is not a whole number", decimals));
}

std::string Integer::str() const { return text_by(mpz_get_str(nullptr, 10, value_)); }

Integer operator+(const Integer& a, const Integer& b) { return made<mpz_add>(a, b); }
Integer operator-(const Integer& a, const Integer& b) { return made<mpz_sub>(a, b); }
Integer operator*(const Integer& a, const Integer& b) { return made<mpz_mul>(a, b); }
Integer operator/(const Integer& a, const Integer& b) { return made<mpz_tdiv_q>(a, b); }
Integer operator%(const Integer& a, const Integer& b) { return made<mpz_tdiv_r>(a, b); }
Integer gcd(const Integer& a, const Integer& b) { return made<mpz_gcd>(a, b); }
Integer lcm(const Integer& a, const Integer& b) { return made<mpz_lcm>(a, b); }

Integer operator-(const Integer& a) {
  Integer result;
  mpz_neg(result.data(), a.data());
  return result;
}

Integer abs(const Integer& a) { return a < 0 ? -a : a; }

Integer pow(const Integer& base, unsigned exponent) {
  Integer result;
  mpz_pow_ui(result.data(), base.data(), exponent);
  return result;
}

Rational::Rational(double value) : Rational() { mpq_set_d(value_, value); }
Rational::Rational(const Integer& value) : Rational() { mpq_set_z(value_, value.data()); }

Rational::Rational(const Integer& above, const Integer& below) : Rational() {
  if (below == 0) throw Error("division by zero");
  mpq_set_num(value_, above.data());
  mpq_set_den(value_, below.data());
  mpq_canonicalize(value_);
}

std::string Rational::str() const { return text_by(mpq_get_str(nullptr, 10, value_)); }
Rational::operator double() const { return to_double(*this); }
int Rational::compare_signed(long b) const { return mpq_cmp_si(value_, b, 1); }
int Rational::compare_unsigned(unsigned long b) const { return mpq_cmp_ui(value_, b, 1); }

Rational& Rational::operator+=(const Rational& b) {
  mpq_add(value_, value_, b.value_);
  return *this;
}
Rational& Rational::operator-=(const Rational& b) {
  mpq_sub(value_, value_, b.value_);
  return *this;
}
Rational& Rational::operator*=(const Rational& b) {
  mpq_mul(value_, value_, b.value_);
  return *this;
}
Rational& Rational::operator/=(const Rational& b) {
  if (b == 0) throw Error("division by zero");
  mpq_div(value_, value_, b.value_);
  return *this;
}

Rational operator+(const Rational& a, const Rational& b) { return Rational(a) += b; }
Rational operator-(const Rational& a, const Rational& b) { return Rational(a) -= b; }
Rational operator*(const Rational& a, const Rational& b) { return Rational(a) *= b; }
Rational operator/(const Rational& a, const Rational& b) { return Rational(a) /= b; }

Rational operator-(const Rational& a) {
  Rational result;
  mpq_neg(result.data(), a.data());
  return result;
}

Rational abs(const Rational& a) { return a < 0 ? -a : a; }

Integer numerator(const Rational& value) {
  Integer result;
  mpz_set(result.data(), mpq_numref(value.data()));
  return result;
}

Integer denominator(const Rational& value) {
  Integer result;
  mpz_set(result.data(), mpq_denref(value.data()));
  return result;
}

std::ostream& operator<<(std::ostream& out, const Integer& value) { return out << value.str(); }
std::ostream& operator<<(std::ostream& out, const Rational& value) { return out << value.str(); }

std::optional<Rational> parse_decimal(std::string_view text) {
  std::size_t place = 0;
  const std::string_view whole = take_digits(text, place);
  std::string_view fraction;
  if (place < text.size() && text[place] == '.') {
    ++place;
    fraction = take_digits(text, place);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  const std::optional<long long> exponent = take_exponent(text, place);
  if (!exponent || place != text.size()) return std::nullopt;
  std::string digits(whole);
  digits += fraction;
  return scaled(digits, *exponent - static_cast<long long>(fraction.size()));
}

Rational rational(double value) {
  if (!std::isfinite(value)) throw Error(fmt::format("{} is not a finite number", value));
  const Rational magnitude = parse_decimal(shortest(std::abs(value))).value();
  return std::signbit(value) ? Rational(-magnitude) : magnitude;
}

bool is_integer(const Rational& value) { return mpz_cmp_ui(mpq_denref(value.data()), 1) == 0; }

std::size_t bit_size(const Rational& value) {
  const mpq_srcptr parts = value.data();  // numerator() would copy
  return std::max(bits(mpq_numref(parts)), bits(mpq_denref(parts)));
}

std::optional<Rational> integer_power(const Rational& value, const Rational& exponent) {
  if (!is_integer(exponent)) return std::nullopt;
  if (exponent == 0 || value == 1) return Rational(1);
  if (value == 0) return exponent < 0 ? std::nullopt : std::optional<Rational>(0);
  const Integer n = abs(numerator(exponent));
  if (value == -1) return Rational(n % 2 == 0 ? 1 : -1);
  // |value|^n has more than n (bits - 1) bits.
  if (n * (bit_size(value) - 1) > longest_number_bits) return std::nullopt;
  const unsigned power = static_cast<unsigned>(n);
  const Integer above = pow(numerator(value), power);
  const Integer below = pow(denominator(value), power);
  const Rational result = exponent > 0 ? Rational(above, below) : Rational(below, above);
  if (bit_size(result) > longest_number_bits) return std::nullopt;
  return result;
}

std::optional<Rational> exact_root(const Rational& value, unsigned n) {
  if (value < 0 || n == 0) return std::nullopt;
  const std::optional<Integer> above = exact_root(numerator(value), n);
  if (!above) return std::nullopt;
  const std::optional<Integer> below = exact_root(denominator(value), n);
  if (!below) return std::nullopt;
  return Rational(*above, *below);
}

double to_double(const Rational& value) {
  if (value == 0) return 0;
  // |value| = (quotient + remainder/below) 2^-shift with a quotient of 70 bits or so. A remainder only
  // matters as "a little more": it becomes an odd last bit, and the one rounding to double (or to a
  // subnormal) is correct.
  Integer above = abs(numerator(value));
  Integer below = denominator(value);
  const long shift = 70 - (static_cast<long>(bits(above)) - static_cast<long>(bits(below)));
  Integer& longer = shift > 0 ? above : below;
  mpz_mul_2exp(longer.data(), longer.data(), static_cast<mp_bitcnt_t>(std::abs(shift)));
  Integer quotient;
  Integer remainder;
  mpz_tdiv_qr(quotient.data(), remainder.data(), above.data(), below.data());
  if (remainder != 0) mpz_setbit(quotient.data(), 0);
  mpfr_t exact;
  mpfr_init2(exact, 80);
  mpfr_set_z_2exp(exact, quotient.data(), -shift, MPFR_RNDN);
  const double magnitude = mpfr_get_d(exact, MPFR_RNDN);
  mpfr_clear(exact);
  return value < 0 ? -magnitude : magnitude;
}

std::string number_excerpt(const Rational& value) {
  constexpr std::size_t longest = 40;
  const std::string text = value.str();
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

}  // namespace dalembert

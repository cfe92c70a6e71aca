// Exact numbers of expressions: GMP's integers and rationals with operators, which src/expr defines. The
// header holds no templates of a library of numbers, since nearly every unit of the project reads it.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gmp.h>

namespace dalembert {

/// A whole number of any size.
class Integer {
 public:
  Integer() { mpz_init(value_); }
  template <std::integral T>
  Integer(T value) {
    if constexpr (std::signed_integral<T>) {
      mpz_init_set_si(value_, value);
    } else {
      mpz_init_set_ui(value_, value);
    }
  }
  explicit Integer(const std::string& decimals);  ///< digits, a sign before them
  Integer(const Integer& other) { mpz_init_set(value_, other.value_); }
  Integer(Integer&& other) noexcept : Integer() { mpz_swap(value_, other.value_); }
  Integer& operator=(const Integer& other) {
    mpz_set(value_, other.value_);
    return *this;
  }
  Integer& operator=(Integer&& other) noexcept {
    mpz_swap(value_, other.value_);
    return *this;
  }
  ~Integer() { mpz_clear(value_); }

  mpz_ptr data() { return value_; }
  mpz_srcptr data() const { return value_; }
  std::string str() const;
  template <std::integral T>
  requires(!std::same_as<T, bool>) explicit operator T() const {  ///< of a number that fits
    return static_cast<T>(std::signed_integral<T> ? mpz_get_si(value_)
                                                  : static_cast<long>(mpz_get_ui(value_)));
  }

  friend Integer operator+(const Integer& a, const Integer& b);
  friend Integer operator-(const Integer& a, const Integer& b);
  friend Integer operator-(const Integer& a);
  friend Integer operator*(const Integer& a, const Integer& b);
  friend Integer operator/(const Integer& a, const Integer& b);  ///< towards zero
  friend Integer operator%(const Integer& a, const Integer& b);  ///< with the sign of a
  Integer& operator+=(const Integer& b) { return *this = *this + b; }
  Integer& operator*=(const Integer& b) { return *this = *this * b; }
  friend bool operator==(const Integer& a, const Integer& b) { return mpz_cmp(a.value_, b.value_) == 0; }
  friend auto operator<=>(const Integer& a, const Integer& b) { return mpz_cmp(a.value_, b.value_) <=> 0; }

 private:
  mpz_t value_;
};

Integer abs(const Integer& a);
Integer pow(const Integer& base, unsigned exponent);
Integer gcd(const Integer& a, const Integer& b);
Integer lcm(const Integer& a, const Integer& b);

class Rational;
Integer numerator(const Rational& value);
Integer denominator(const Rational& value);

/// A fraction in lowest terms with a positive denominator.
class Rational {
 public:
  Rational() { mpq_init(value_); }
  template <std::integral T>
  Rational(T value) : Rational() {
    if constexpr (std::signed_integral<T>) {
      mpq_set_si(value_, value, 1);
    } else {
      mpq_set_ui(value_, value, 1);
    }
  }
  explicit Rational(double value);  ///< exactly, of a finite one
  Rational(const Integer& value);
  Rational(const Integer& above, const Integer& below);  ///< throws Error where `below` is zero
  Rational(const Rational& other) : Rational() { mpq_set(value_, other.value_); }
  Rational(Rational&& other) noexcept : Rational() { mpq_swap(value_, other.value_); }
  Rational& operator=(const Rational& other) {
    mpq_set(value_, other.value_);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    mpq_swap(value_, other.value_);
    return *this;
  }
  ~Rational() { mpq_clear(value_); }

  mpq_ptr data() { return value_; }
  mpq_srcptr data() const { return value_; }
  std::string str() const;  ///< 2/3, -1
  explicit operator double() const;
  template <std::signed_integral T>
  explicit operator T() const {  ///< towards zero, of a number that fits
    return static_cast<T>(numerator(*this) / denominator(*this));
  }

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);  ///< throws Error where b is zero
  Rational& operator+=(const Rational& b);
  Rational& operator-=(const Rational& b);
  Rational& operator*=(const Rational& b);
  Rational& operator/=(const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b) { return mpq_equal(a.value_, b.value_) != 0; }
  friend auto operator<=>(const Rational& a, const Rational& b) { return mpq_cmp(a.value_, b.value_) <=> 0; }
  template <std::integral T>
  friend bool operator==(const Rational& a, T b) {
    return a.compare(b) == 0;
  }
  template <std::integral T>
  friend auto operator<=>(const Rational& a, T b) {
    return a.compare(b) <=> 0;
  }

 private:
  template <std::integral T>
  int compare(T b) const {  // mpq_cmp_si is a macro of mpq_cmp_ui and others
    if constexpr (std::signed_integral<T>) {
      return compare_signed(b);
    } else {
      return compare_unsigned(b);
    }
  }
  int compare_signed(long b) const;
  int compare_unsigned(unsigned long b) const;

  mpq_t value_;
};

Rational abs(const Rational& a);
std::ostream& operator<<(std::ostream& out, const Integer& value);
std::ostream& operator<<(std::ostream& out, const Rational& value);

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

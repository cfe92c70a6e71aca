// Real numbers of any precision: MPFR's with operators, which src/expr defines. Every result is rounded to
// the nearest number of its precision.
#pragma once

#include <compare>
#include <concepts>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>

#include <mpfr.h>

#include <dalembert/expr/number.hpp>

namespace dalembert {

/// An operation of two has the longer precision of both; an assignment takes over the precision; what is made
/// from another type has the thread's default precision (DigitsScope).
class Real {
 public:
  /// Decimal digits of what this thread makes from now on. DigitsScope brings the former ones back.
  static void default_precision(unsigned digits);
  static unsigned default_precision();

  enum class Bits : mpfr_prec_t {};
  explicit Real(Bits precision) { mpfr_init2(value_, static_cast<mpfr_prec_t>(precision)); }  ///< NaN
  Real() { mpfr_init2(value_, default_bits()), mpfr_set_zero(value_, 1); }
  template <class T>
  requires std::is_arithmetic_v<T> Real(T value) {
    mpfr_init2(value_, default_bits());
    set(value);
  }
  explicit Real(const std::string& decimals);  ///< throws Error unless they are a number
  explicit Real(const char* decimals) : Real(std::string(decimals)) {}
  explicit Real(const Rational& value);
  Real(const Real& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Real(Real&& other) noexcept { take(other); }
  Real& operator=(const Real& other);
  Real& operator=(Real&& other) noexcept {
    if (this != &other) release(), take(other);
    return *this;
  }
  template <class T>
  requires std::is_arithmetic_v<T> Real& operator=(T value) {
    if (is_taken()) mpfr_init2(value_, default_bits());
    set(value);
    return *this;
  }
  ~Real() { release(); }

  mpfr_ptr data() { return value_; }
  mpfr_srcptr data() const { return value_; }
  unsigned precision() const;  ///< in decimal digits
  /// As %g of C: so many digits, or all that the precision gives, without zeros behind them.
  std::string str(int digits = 0) const;
  explicit operator double() const { return mpfr_get_d(value_, MPFR_RNDN); }
  template <std::signed_integral T>
  explicit operator T() const {  ///< towards zero, of a number that fits
    return static_cast<T>(mpfr_get_si(value_, MPFR_RNDZ));
  }

  Real& operator+=(const Real& b);
  Real& operator-=(const Real& b);
  Real& operator*=(const Real& b);
  Real& operator/=(const Real& b);
  friend Real operator-(const Real& a);
  friend Real operator+(const Real& a, const Real& b);
  friend Real operator-(const Real& a, const Real& b);
  friend Real operator*(const Real& a, const Real& b);
  friend Real operator/(const Real& a, const Real& b);

  // What is not a number equals nothing and has no order.
  friend bool operator==(const Real& a, const Real& b) { return mpfr_equal_p(a.value_, b.value_) != 0; }
  friend std::partial_ordering operator<=>(const Real& a, const Real& b) {
    if (mpfr_unordered_p(a.value_, b.value_) != 0) return std::partial_ordering::unordered;
    return mpfr_cmp(a.value_, b.value_) <=> 0;
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  friend bool operator==(const Real& a, T b) { return (a <=> b) == 0; }
  template <class T>
  requires std::is_arithmetic_v<T>
  friend std::partial_ordering operator<=>(const Real& a, T b) {
    if constexpr (std::floating_point<T>) {
      return a.compare(static_cast<double>(b));
    } else if constexpr (std::is_signed_v<T>) {
      return a.compare(static_cast<long>(b));
    } else {
      return a.compare(static_cast<unsigned long>(b));
    }
  }

 private:
  static mpfr_prec_t default_bits();
  template <class T>
  void set(T value) {
    if constexpr (std::floating_point<T>) {
      mpfr_set_d(value_, static_cast<double>(value), MPFR_RNDN);
    } else if constexpr (std::is_signed_v<T>) {
      mpfr_set_si(value_, value, MPFR_RNDN);
    } else {
      mpfr_set_ui(value_, value, MPFR_RNDN);
    }
  }
  std::partial_ordering compare(double b) const;
  std::partial_ordering compare(long b) const;
  std::partial_ordering compare(unsigned long b) const;
  void take(Real& other) noexcept {
    value_[0] = other.value_[0];
    other.value_[0]._mpfr_d = nullptr;
  }
  bool is_taken() const { return value_[0]._mpfr_d == nullptr; }
  void release() {
    if (!is_taken()) mpfr_clear(value_);
  }

  mpfr_t value_;  // without a place for its digits after it was moved from
};

Real abs(const Real& x);
Real sqrt(const Real& x);
Real pow(const Real& x, const Real& y);
Real exp(const Real& x);
Real log(const Real& x);
Real sin(const Real& x);
Real cos(const Real& x);
Real tan(const Real& x);
Real asin(const Real& x);
Real acos(const Real& x);
Real atan(const Real& x);
Real atan2(const Real& y, const Real& x);
Real sinh(const Real& x);
Real cosh(const Real& x);
Real tanh(const Real& x);
Real erf(const Real& x);
bool isfinite(const Real& x);
std::ostream& operator<<(std::ostream& out, const Real& x);

}  // namespace dalembert

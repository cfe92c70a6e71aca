#include <algorithm>
#include <compare>
#include <memory>
#include <new>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <mpfr.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/real.hpp>

namespace dalembert {
namespace {

thread_local unsigned digits_of_thread = 20;
mpfr_prec_t bits_of(unsigned digits) {
  return 1000L * digits / 301 +
         (1000L * digits % 301 == 0 ? 1 : 2);  // 301/1000 < log10(2), and one for rounding
}
thread_local mpfr_prec_t bits_of_thread = bits_of(20);

using OfOne = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using OfTwo = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

template <OfOne operation>
Real made(const Real& x) {
  Real result(Real::Bits{mpfr_get_prec(x.data())});
  operation(result.data(), x.data(), MPFR_RNDN);
  return result;
}

template <OfTwo operation>
Real made(const Real& x, const Real& y) {
  Real result(Real::Bits{std::max(mpfr_get_prec(x.data()), mpfr_get_prec(y.data()))});
  operation(result.data(), x.data(), y.data(), MPFR_RNDN);
  return result;
}

std::partial_ordering order(mpfr_srcptr a, int comparison) {
  return mpfr_nan_p(a) != 0 ? std::partial_ordering::unordered : comparison <=> 0;
}

}  // namespace

void Real::default_precision(unsigned digits) {
  // what MPFR keeps for a thread goes with it
  struct Caches {
    ~Caches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local const Caches caches;
  static_cast<void>(&caches);
  digits_of_thread = digits;
  bits_of_thread = bits_of(digits);
}
unsigned Real::default_precision() { return digits_of_thread; }
mpfr_prec_t Real::default_bits() { return bits_of_thread; }

Real::Real(const std::string& decimals) : Real() {
  if (mpfr_set_str(value_, decimals.c_str(), 10, MPFR_RNDN) != 0)
    throw Error(fmt::format("'{}' is not a number", decimals));
}

Real::Real(const Rational& value) : Real() { mpfr_set_q(value_, value.data(), MPFR_RNDN); }

Real& Real::operator=(const Real& other) {
  if (this == &other) return *this;
  if (is_taken()) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
  } else if (mpfr_get_prec(value_) != mpfr_get_prec(other.value_)) {
    mpfr_set_prec(value_, mpfr_get_prec(other.value_));
  }
  mpfr_set(value_, other.value_, MPFR_RNDN);
  return *this;
}

unsigned Real::precision() const { return static_cast<unsigned>((mpfr_get_prec(value_) - 1) * 301 / 1000); }

std::string Real::str(int digits) const {
  char* text = nullptr;
  if (mpfr_asprintf(&text, "%.*Rg", digits > 0 ? digits : static_cast<int>(precision()), value_) < 0)
    throw std::bad_alloc();
  const std::unique_ptr<char, void (*)(char*)> owner(text, mpfr_free_str);
  return text;
}

Real& Real::operator+=(const Real& b) {
  mpfr_add(value_, value_, b.value_, MPFR_RNDN);
  return *this;
}
Real& Real::operator-=(const Real& b) {
  mpfr_sub(value_, value_, b.value_, MPFR_RNDN);
  return *this;
}
Real& Real::operator*=(const Real& b) {
  mpfr_mul(value_, value_, b.value_, MPFR_RNDN);
  return *this;
}
Real& Real::operator/=(const Real& b) {
  mpfr_div(value_, value_, b.value_, MPFR_RNDN);
  return *this;
}

Real operator+(const Real& a, const Real& b) { return made<mpfr_add>(a, b); }
Real operator-(const Real& a, const Real& b) { return made<mpfr_sub>(a, b); }
Real operator*(const Real& a, const Real& b) { return made<mpfr_mul>(a, b); }
Real operator/(const Real& a, const Real& b) { return made<mpfr_div>(a, b); }

Real operator-(const Real& a) {
  Real result = a;
  mpfr_neg(result.data(), result.data(), MPFR_RNDN);
  return result;
}

Real abs(const Real& x) {
  Real result = x;
  mpfr_abs(result.data(), result.data(), MPFR_RNDN);
  return result;
}

Real sqrt(const Real& x) { return made<mpfr_sqrt>(x); }
Real pow(const Real& x, const Real& y) { return made<mpfr_pow>(x, y); }
Real exp(const Real& x) { return made<mpfr_exp>(x); }
Real log(const Real& x) { return made<mpfr_log>(x); }
Real sin(const Real& x) { return made<mpfr_sin>(x); }
Real cos(const Real& x) { return made<mpfr_cos>(x); }
Real tan(const Real& x) { return made<mpfr_tan>(x); }
Real asin(const Real& x) { return made<mpfr_asin>(x); }
Real acos(const Real& x) { return made<mpfr_acos>(x); }
Real atan(const Real& x) { return made<mpfr_atan>(x); }
Real atan2(const Real& y, const Real& x) { return made<mpfr_atan2>(y, x); }
Real sinh(const Real& x) { return made<mpfr_sinh>(x); }
Real cosh(const Real& x) { return made<mpfr_cosh>(x); }
Real tanh(const Real& x) { return made<mpfr_tanh>(x); }
Real erf(const Real& x) { return made<mpfr_erf>(x); }

bool isfinite(const Real& x) { return mpfr_number_p(x.data()) != 0; }

std::partial_ordering Real::compare(double b) const {
  return b != b ? std::partial_ordering::unordered : order(value_, mpfr_cmp_d(value_, b));
}
std::partial_ordering Real::compare(long b) const { return order(value_, mpfr_cmp_si(value_, b)); }
std::partial_ordering Real::compare(unsigned long b) const { return order(value_, mpfr_cmp_ui(value_, b)); }

std::ostream& operator<<(std::ostream& out, const Real& x) {
  return out << x.str(static_cast<int>(out.precision()));
}

}  // namespace dalembert

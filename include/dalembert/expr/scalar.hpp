// The numbers that expressions are evaluated in: double, Real (MPFR, any precision), Rational (GMP, exact).
#pragma once

#include <cmath>
#include <string>

#include <boost/multiprecision/mpfr.hpp>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/number.hpp>

namespace dalembert {

/// A real number with the precision that was the thread's default when it was made (Real::default_precision).
using Real = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>,
                                           boost::multiprecision::et_off>;

/// A value that exact arithmetic cannot hold, such as sin(1).
class NotRational : public Error {
 public:
  using Error::Error;
};

/// Elementary functions and conversions of a scalar type. Rational's throw NotRational where the value is
/// irrational.
template <class S>
struct ScalarMath;

template <>
struct ScalarMath<double> {
  static double from(const Rational& x) { return dalembert::to_double(x); }
  static double pi() { return 3.14159265358979323846; }
  static double sqrt(double x) { return std::sqrt(x); }
  static double exp(double x) { return std::exp(x); }
  static double log(double x) { return std::log(x); }
  static double sin(double x) { return std::sin(x); }
  static double cos(double x) { return std::cos(x); }
  static double tan(double x) { return std::tan(x); }
  static double asin(double x) { return std::asin(x); }
  static double acos(double x) { return std::acos(x); }
  static double atan(double x) { return std::atan(x); }
  static double atan2(double y, double x) { return std::atan2(y, x); }
  static double sinh(double x) { return std::sinh(x); }
  static double cosh(double x) { return std::cosh(x); }
  static double tanh(double x) { return std::tanh(x); }
  static double pow(double x, double y) { return std::pow(x, y); }
  static double abs(double x) { return std::abs(x); }
};

template <>
struct ScalarMath<Real> {
  static Real from(const Rational& x);
  static Real pi();
  static Real sqrt(const Real& x) { return boost::multiprecision::sqrt(x); }
  static Real exp(const Real& x) { return boost::multiprecision::exp(x); }
  static Real log(const Real& x) { return boost::multiprecision::log(x); }
  static Real sin(const Real& x) { return boost::multiprecision::sin(x); }
  static Real cos(const Real& x) { return boost::multiprecision::cos(x); }
  static Real tan(const Real& x) { return boost::multiprecision::tan(x); }
  static Real asin(const Real& x) { return boost::multiprecision::asin(x); }
  static Real acos(const Real& x) { return boost::multiprecision::acos(x); }
  static Real atan(const Real& x) { return boost::multiprecision::atan(x); }
  static Real atan2(const Real& y, const Real& x) { return boost::multiprecision::atan2(y, x); }
  static Real sinh(const Real& x) { return boost::multiprecision::sinh(x); }
  static Real cosh(const Real& x) { return boost::multiprecision::cosh(x); }
  static Real tanh(const Real& x) { return boost::multiprecision::tanh(x); }
  static Real pow(const Real& x, const Real& y) { return boost::multiprecision::pow(x, y); }
  static Real abs(const Real& x) { return boost::multiprecision::abs(x); }
};

template <>
struct ScalarMath<Rational> {
  static Rational from(const Rational& x) { return x; }
  static Rational pi();
  static Rational sqrt(const Rational& x);
  static Rational exp(const Rational& x);
  static Rational log(const Rational& x);
  static Rational sin(const Rational& x);
  static Rational cos(const Rational& x);
  static Rational tan(const Rational& x);
  static Rational asin(const Rational& x);
  static Rational acos(const Rational& x);
  static Rational atan(const Rational& x);
  static Rational atan2(const Rational& y, const Rational& x);
  static Rational sinh(const Rational& x);
  static Rational cosh(const Rational& x);
  static Rational tanh(const Rational& x);
  static Rational pow(const Rational& x, const Rational& y);
  static Rational abs(const Rational& x) { return x < 0 ? Rational(-x) : x; }
};

}  // namespace dalembert

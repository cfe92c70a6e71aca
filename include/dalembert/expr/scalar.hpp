// The numbers that expressions are evaluated in: double, Real (MPFR, any precision), Rational (GMP, exact).
#pragma once

#include <cmath>
#include <string>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/number.hpp>
#include <dalembert/expr/real.hpp>

namespace dalembert {

/// A value that exact arithmetic cannot hold, such as sin(1).
class NotRational : public Error {
 public:
  using Error::Error;
};

/// Conversions, roots and powers of a scalar type; functions are in functions/. Rational's throw NotRational
/// where the value is irrational.
template <class S>
struct ScalarMath;

template <>
struct ScalarMath<double> {
  static double from(const Rational& x) { return dalembert::to_double(x); }
  static double pi() { return 3.14159265358979323846; }
  static double sqrt(double x) { return std::sqrt(x); }
  static double pow(double x, double y) { return std::pow(x, y); }
  static double abs(double x) { return std::abs(x); }
};

template <>
struct ScalarMath<Real> {
  static Real from(const Rational& x) { return Real(x); }
  static Real pi();
  static Real sqrt(const Real& x) { return dalembert::sqrt(x); }
  static Real pow(const Real& x, const Real& y) { return dalembert::pow(x, y); }
  static Real abs(const Real& x) { return dalembert::abs(x); }
};

template <>
struct ScalarMath<Rational> {
  static Rational from(const Rational& x) { return x; }
  static Rational pi();
  static Rational sqrt(const Rational& x);
  static Rational pow(const Rational& x, const Rational& y);
  static Rational abs(const Rational& x) { return dalembert::abs(x); }
};

}  // namespace dalembert

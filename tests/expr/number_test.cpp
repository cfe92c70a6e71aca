#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <future>
#include <latch>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/functions/all.hpp>
#include <dalembert/expr/number.hpp>
#include <dalembert/expr/scalar.hpp>

namespace dalembert {
namespace {

Rational fraction(long above, long below) { return Rational(Integer(above), Integer(below)); }

TEST(ParseDecimal, KeepsEveryDigitExactly) {
  EXPECT_EQ(parse_decimal("12"), Rational(12));
  EXPECT_EQ(parse_decimal("0.1"), fraction(1, 10));
  EXPECT_EQ(parse_decimal(".5"), fraction(1, 2));
  EXPECT_EQ(parse_decimal("5."), Rational(5));
  EXPECT_EQ(parse_decimal("1e-3"), fraction(1, 1000));
  EXPECT_EQ(parse_decimal("2.50E+2"), Rational(250));
  EXPECT_EQ(parse_decimal("007"), Rational(7));
  EXPECT_EQ(parse_decimal("0.000"), Rational(0));
}

TEST(ParseDecimal, RefusesWhatIsNoLiteral) {
  for (const char* text :
       {"", ".", "e5", "1e", "1e+", "1.2.3", "-1", "+1", "0x10", "1 ", "inf", "nan", "1,5", "1e5x"}) {
    EXPECT_FALSE(parse_decimal(text)) << text;
  }
}

TEST(ParseDecimal, RefusesNumbersThatAreTooLong) {
  EXPECT_TRUE(parse_decimal("1e6000"));
  EXPECT_TRUE(parse_decimal("1e-6000"));
  EXPECT_FALSE(parse_decimal("1e6021"));  // log2(10^6021) = 20001.3
  EXPECT_FALSE(parse_decimal("1e-6021"));
  EXPECT_FALSE(parse_decimal("1e999999999"));
  EXPECT_FALSE(parse_decimal("1e-999999999999999999999999999"));
  EXPECT_FALSE(parse_decimal(std::string(1'000'000, '7')));
}

TEST(ParseDecimal, JudgesTheValueNotTheSpelling) {
  EXPECT_EQ(parse_decimal("0e999999999999999999999"), Rational(0));
  EXPECT_EQ(parse_decimal("1." + std::string(1'000'000, '0')), Rational(1));
  EXPECT_EQ(parse_decimal("0." + std::string(9'999, '0') + "1e10000"), Rational(1));
  EXPECT_EQ(parse_decimal("1" + std::string(10'000, '0') + "e-10000"), Rational(1));
}

TEST(RationalOfDouble, IsWhatTheShortestTextSays) {
  EXPECT_EQ(rational(0.1), fraction(1, 10));
  EXPECT_EQ(rational(-9.81), fraction(-981, 100));
  EXPECT_EQ(rational(1e22), Rational(Integer("10000000000000000000000")));
  EXPECT_EQ(rational(-0.0), Rational(0));
  EXPECT_EQ(to_double(rational(5e-324)), 5e-324);
  EXPECT_EQ(to_double(rational(1.7976931348623157e308)), 1.7976931348623157e308);
  EXPECT_THROW(rational(std::nan("")), Error);
  EXPECT_THROW(rational(-std::numeric_limits<double>::infinity()), Error);
}

TEST(IntegerPower, IsExactAndRefusesPolesAndGiants) {
  EXPECT_EQ(integer_power(fraction(-2, 3), 3), fraction(-8, 27));
  EXPECT_EQ(integer_power(fraction(-2, 3), -3), fraction(-27, 8));
  EXPECT_EQ(integer_power(0, 5), Rational(0));
  EXPECT_EQ(integer_power(0, 0), Rational(1));
  EXPECT_FALSE(integer_power(0, -1));
  EXPECT_FALSE(integer_power(2, fraction(1, 2)));
  EXPECT_TRUE(integer_power(2, 19999));
  EXPECT_FALSE(integer_power(2, 20000));
  EXPECT_FALSE(integer_power(fraction(1, 2), 20000));
  const Rational giant = *parse_decimal("1e6000");
  EXPECT_FALSE(integer_power(9, giant));
  EXPECT_EQ(integer_power(-1, giant), Rational(1));
  EXPECT_EQ(integer_power(-1, giant + 1), Rational(-1));
  EXPECT_EQ(integer_power(1, -giant), Rational(1));
}

TEST(ExactRoot, ExistsForPerfectPowersOnly) {
  EXPECT_EQ(exact_root(fraction(4, 9), 2), fraction(2, 3));
  EXPECT_EQ(exact_root(fraction(8, 27), 3), fraction(2, 3));
  EXPECT_EQ(exact_root(0, 7), Rational(0));
  EXPECT_EQ(exact_root(5, 1), Rational(5));
  EXPECT_FALSE(exact_root(2, 2));
  EXPECT_FALSE(exact_root(fraction(4, 3), 2));
  EXPECT_FALSE(exact_root(-4, 2));
  EXPECT_FALSE(exact_root(4, 0));
}

TEST(BitSize, IsThatOfTheLongerPart) {
  EXPECT_EQ(bit_size(0), 1U);  // the denominator
  EXPECT_EQ(bit_size(255), 8U);
  EXPECT_EQ(bit_size(fraction(3, 256)), 9U);
  EXPECT_TRUE(is_integer(-7));
  EXPECT_FALSE(is_integer(fraction(7, 2)));
}

// strtod of glibc rounds correctly for every decimal text.
TEST(ToDouble, RoundsLikeStrtodDownToSubnormals) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> digit(0, 9);
  std::uniform_int_distribution<int> exponent(-345, 312);
  for (int i = 0; i < 5000; ++i) {
    std::string text = "0.";
    for (int k = 0; k < 25; ++k) text += static_cast<char>('0' + digit(random));
    text += 'e' + std::to_string(exponent(random));
    EXPECT_EQ(to_double(*parse_decimal(text)), std::strtod(text.c_str(), nullptr)) << text;
    EXPECT_EQ(to_double(-*parse_decimal(text)), -std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(ToDouble, RoundsTiesToEvenAndALittleMoreUp) {
  const Rational ulp = *integer_power(2, -52);
  const Rational least = *integer_power(2, -1074);
  const Rational speck = *integer_power(2, -5000);
  EXPECT_EQ(to_double(1 + ulp / 2), 1.0);
  EXPECT_EQ(to_double(1 + ulp / 2 + speck), std::nextafter(1.0, 2.0));
  EXPECT_EQ(to_double(1 + ulp * 3 / 2), 1.0 + 0x1p-51);
  EXPECT_EQ(to_double(1 + ulp * 3 / 2 - speck), 1.0 + 0x1p-52);
  EXPECT_EQ(to_double(least / 2), 0.0);
  EXPECT_EQ(to_double(least / 2 + speck), 0x1p-1074);
  EXPECT_EQ(to_double(least * 3 / 2 - speck), 0x1p-1074);
  EXPECT_EQ(to_double(least * 3 / 2), 0x1p-1073);
  EXPECT_EQ(to_double(*integer_power(2, 1024)), std::numeric_limits<double>::infinity());
}

TEST(RealMath, HasTheDefaultPrecisionOfTheMoment) {
  const DigitsScope digits(60);
  const Real third = ScalarMath<Real>::from(fraction(1, 3));
  EXPECT_LT(abs(Real(third * 3 - 1)), Real("1e-59"));
  EXPECT_GE(third.precision(), 60U);
  // OEIS A000796
  const Real pi("3.14159265358979323846264338327950288419716939937510582097494459");
  EXPECT_LT(abs(Real(ScalarMath<Real>::pi() - pi)), Real("1e-58"));
}

TEST(RealMath, HasThePrecisionOfTheScopeOfItsThread) {
  const auto smallest_precision = [](unsigned digits) {
    unsigned smallest = 1000;
    for (int i = 0; i < 2000; ++i) {
      const DigitsScope outer(digits + 10);
      const DigitsScope inner(digits);
      const Real third = Real(1) / 3;
      smallest = std::min({smallest, third.precision(),
                           (abs(Real(third * 3 - 1)) < pow(Real(10), 1 - int(digits))) ? 1000U : 0U});
    }
    return smallest;
  };
  auto other = std::async(std::launch::async, smallest_precision, 60U);
  EXPECT_EQ(smallest_precision(30), 30U);
  EXPECT_EQ(other.get(), 60U);
}

TEST(RealMath, ScopesOfTwoThreadsAreOpenAtOnceEachWithItsOwnDigits) {
  std::latch both_open(2);
  const auto digits_within = [&both_open](unsigned digits) {
    const DigitsScope scope(digits);
    both_open.arrive_and_wait();  // for ever where one scope waits for the other to close
    return (Real(1) / 3).precision();
  };
  auto other = std::async(std::launch::async, digits_within, 60U);
  EXPECT_EQ(digits_within(30), 30U);
  EXPECT_EQ(other.get(), 60U);
}

TEST(RealMath, HasTheLongerPrecisionOfBothOperandsAndTakesOverThatOfWhatIsAssigned) {
  Real shorter;
  {
    const DigitsScope scope(30);
    shorter = Real(1) / 3;
  }
  const DigitsScope scope(60);
  const Real longer = Real(1) / 3;
  EXPECT_EQ((shorter + longer).precision(), 60U);
  EXPECT_EQ((shorter * shorter).precision(), 30U);
  EXPECT_EQ((shorter += longer).precision(), 30U);
  shorter = longer;
  EXPECT_EQ(shorter.precision(), 60U);
  EXPECT_EQ(shorter, longer);
}

TEST(RealMath, NotANumberEqualsNothingAndHasNoOrder) {
  const DigitsScope scope(30);
  const Real none = log(Real(-1));
  EXPECT_FALSE(none == none);
  EXPECT_FALSE(none == 0);
  EXPECT_FALSE(none < 0);
  EXPECT_FALSE(none >= 0.0);
  EXPECT_FALSE(Real(1) < none);
  EXPECT_FALSE(Real(1) > std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(isfinite(none));
}

TEST(RealMath, IsWrittenAsCWritesNumbers) {
  const DigitsScope scope(40);
  EXPECT_EQ(Real("0.1").str(20), "0.1");
  EXPECT_EQ(Real("-1234.5").str(3), "-1.23e+03");
  EXPECT_EQ(Real("1e-5").str(10), "1e-05");
  EXPECT_EQ(Real("1e100").str(10), "1e+100");
  EXPECT_EQ((Real(2) / 3).str(30), "0.666666666666666666666666666667");
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const NotRational& error) {
    return error.message();
  }
  return "no error";
}

TEST(RationalMath, IsExactWhereTheValueIsRational) {
  using Math = ScalarMath<Rational>;
  EXPECT_EQ(functions::value_of<functions::Sin>(Rational(0)), 0);
  EXPECT_EQ(functions::value_of<functions::Cos>(Rational(0)), 1);
  EXPECT_EQ(functions::value_of<functions::Tan>(Rational(0)), 0);
  EXPECT_EQ(functions::value_of<functions::Asin>(Rational(0)), 0);
  EXPECT_EQ(functions::value_of<functions::Acos>(Rational(1)), 0);
  EXPECT_EQ(functions::value_of<functions::Atan>(Rational(0)), 0);
  EXPECT_EQ(functions::value_of<functions::Atan2>(Rational(0), Rational(3)), 0);
  EXPECT_EQ(functions::value_of<functions::Sinh>(Rational(0)), 0);
  EXPECT_EQ(functions::value_of<functions::Cosh>(Rational(0)), 1);
  EXPECT_EQ(functions::value_of<functions::Tanh>(Rational(0)), 0);
  EXPECT_EQ(functions::value_of<functions::Exp>(Rational(0)), 1);
  EXPECT_EQ(functions::value_of<functions::Log>(Rational(1)), 0);
  EXPECT_EQ(functions::value_of<functions::Erf>(Rational(0)), 0);
  EXPECT_EQ(Math::sqrt(fraction(9, 4)), fraction(3, 2));
  EXPECT_EQ(Math::pow(fraction(-1, 2), -3), -8);
  EXPECT_EQ(Math::pow(fraction(8, 27), fraction(-2, 3)), fraction(9, 4));
  EXPECT_EQ(Math::abs(fraction(-1, 2)), fraction(1, 2));
}

TEST(RationalMath, SaysWhichValueIsNotRational) {
  using Math = ScalarMath<Rational>;
  EXPECT_EQ(refusal([] { functions::value_of<functions::Sin>(Rational(1)); }), "sin(1) is not rational");
  EXPECT_EQ(refusal([] { functions::value_of<functions::Acos>(Rational(0)); }), "acos(0) is not rational");
  EXPECT_EQ(refusal([] { functions::value_of<functions::Atan2>(Rational(0), Rational(-1)); }),
            "atan2(0, -1) is not rational");
  EXPECT_EQ(refusal([] { functions::value_of<functions::Asin>(Rational(2)); }),
            "asin(2) is not a real number");
  EXPECT_EQ(refusal([] { functions::value_of<functions::Erf>(Rational(1)); }), "erf(1) is not rational");
  EXPECT_EQ(refusal([] { Math::pi(); }), "pi is not rational");
  EXPECT_EQ(refusal([] { functions::value_of<functions::Log>(Rational(0)); }), "log(0) is not a real number");
  EXPECT_EQ(refusal([] { Math::sqrt(2); }), "sqrt(2) is not rational");
  EXPECT_EQ(refusal([] { Math::sqrt(-1); }), "sqrt(-1) is not a real number");
  EXPECT_EQ(refusal([] { Math::pow(2, fraction(1, 3)); }), "2^(1/3) is not rational");
  EXPECT_EQ(refusal([] { Math::pow(-8, fraction(1, 3)); }), "(-8)^(1/3) is not a real number");
  EXPECT_EQ(refusal([] { Math::pow(0, -2); }), "0^(-2) divides by zero");
  EXPECT_EQ(refusal([] { Math::pow(2, 1'000'000); }), "2^1000000 is too long for an exact number");
}

}  // namespace
}  // namespace dalembert

// The expansion that [benhammouda2022] computes by hand, from the exact engine.
#include <string>

#include <gtest/gtest.h>

#include <dalembert/expr/number.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/series_solution.hpp>

namespace dalembert {
namespace {

Rational factorial(int n) {
  Rational product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return product;
}

// The coefficient of t^n of sin t (first = 1) or of cos t (first = 0).
Rational alternating(int n, int first) {
  if (n % 2 != first) return 0;
  return Rational((n / 2) % 2 == 0 ? 1 : -1) / factorial(n);
}

TEST(Benhammouda, ExpansionToOrder40IsTheExactSolutionTermByTerm) {
  const System system(read_model(find_model("two_link_robot")));
  const SeriesTable table = expand_exactly(system, 40);
  ASSERT_EQ(table.variables.size(), 5U);
  const auto expect = [&](std::size_t variable, int factor, int first) {
    const auto& coefficients = table.variables[variable].coefficients;
    for (std::size_t n = 0; n < coefficients.size(); ++n) {
      EXPECT_EQ(coefficients[n], Rational(factor * alternating(static_cast<int>(n), first)).str())
          << table.variables[variable].name << " t^" << n;
    }
  };
  expect(0, 1, 1);   // (74): p1 = t − t³/3! + t⁵/5! − ...
  expect(1, -2, 1);  // p2 = −2 p1
  expect(2, 1, 0);   // (75): v1 = 1 − t²/2! + ...
  expect(3, -2, 0);
  expect(4, 1, 0);  // (76): λ = 1 − t²/2! + ...
  EXPECT_EQ(table.variables[0].coefficients.size(), 41U);
  EXPECT_EQ(table.variables[4].coefficients.size(), 39U);
}

TEST(Benhammouda, AnIrrationalStartIsRefusedWithTheExpression) {
  const System system(read_model(find_model("two_link_robot"), {{"theta1", "1"}, {"theta2", "-2"}}));
  try {
    expand_exactly(system, 4);
    FAIL() << "sin(1) was taken for a rational number";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("not rational"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("--digits"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace dalembert

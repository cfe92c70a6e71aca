// The Dormand-Prince table, the measured order, and the vector sines.
#include "dop853.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "sincos_lanes.hpp"

namespace dalembert::bench {
namespace {

using namespace dop853_table;

struct Table {
  std::vector<double> b, c, e;
  std::vector<std::vector<double>> a;
};

Table make_table() {
  return {{b1, 0, 0, 0, 0, b6, b7, b8, b9, b10, b11, b12},
          {0, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, 1},
          {e1, 0, 0, 0, 0, e6, e7, e8, e9, e10, e11, e12},
          {{},
           {a21},
           {a31, a32},
           {a41, 0, a43},
           {a51, 0, a53, a54},
           {a61, 0, 0, a64, a65},
           {a71, 0, 0, a74, a75, a76},
           {a81, 0, 0, a84, a85, a86, a87},
           {a91, 0, 0, a94, a95, a96, a97, a98},
           {a101, 0, 0, a104, a105, a106, a107, a108, a109},
           {a111, 0, 0, a114, a115, a116, a117, a118, a119, a1110},
           {a121, 0, 0, a124, a125, a126, a127, a128, a129, a1210, a1211}}};
}

double weighted_power(const std::vector<double>& weights, const std::vector<double>& c, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i) sum += weights[i] * std::pow(c[i], power);
  return sum;
}

TEST(Dop853, RowsOfTheTableSumToItsNodes) {
  const Table table = make_table();
  for (std::size_t i = 0; i < table.a.size(); ++i) {
    double sum = 0;
    for (const double entry : table.a[i]) sum += entry;
    EXPECT_NEAR(sum, table.c[i], 3e-14) << "stage " << i + 1;
  }
}

TEST(Dop853, WeightsIntegratePolynomialsOfDegree7AndErrorWeightsVanishThroughDegree4) {
  const Table table = make_table();
  for (int power = 0; power <= 7; ++power)
    EXPECT_NEAR(weighted_power(table.b, table.c, power), 1.0 / (power + 1), 1e-14);
  for (int power = 0; power <= 4; ++power) EXPECT_NEAR(weighted_power(table.e, table.c, power), 0, 1e-14);
  const std::vector<double> order3 = {d1, 0, 0, 0, 0, 0, 0, 0, d9, 0, 0, d12};
  for (int power = 0; power <= 2; ++power)
    EXPECT_NEAR(weighted_power(order3, table.c, power), 1.0 / (power + 1), 1e-14);
}

TEST(Dop853, SecondStageRowsIntegrateThroughDegree7) {
  // b A c^k = 1 / ((k + 1) (k + 2)) through k = 6.
  const Table table = make_table();
  for (int power = 0; power <= 6; ++power) {
    double sum = 0;
    for (std::size_t i = 0; i < table.a.size(); ++i)
      for (std::size_t j = 0; j < table.a[i].size(); ++j)
        sum += table.b[i] * table.a[i][j] * std::pow(table.c[j], power);
    EXPECT_NEAR(sum, 1.0 / ((power + 1) * (power + 2)), 2e-14) << power;
  }
}

// Circular orbit: (cos t, sin t).
struct Kepler {
  using State = std::array<double, 4>;
  void eval(double, const State& y, State& dydt) const {
    const double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * std::sqrt(r2);
    dydt = {y[2], y[3], -y[0] / r3, -y[1] / r3};
  }
  void finish_step(double t, State& y, State& dydt) const { eval(t, y, dydt); }
};

double kepler_error(double tolerance, double first_step, double growth_limit, double end) {
  Kepler kepler;
  Dop853Options<4> options;
  options.relative_tolerance = 0;
  options.absolute_tolerance.fill(tolerance);
  options.first_step = first_step;
  options.growth_limit = growth_limit;
  Dop853<4, Kepler> solver(kepler, options);
  Kepler::State y = {1, 0, 0, 1};
  EXPECT_TRUE(solver.solve(0, end, y).reached_end);
  return std::hypot(y[0] - std::cos(end), y[1] - std::sin(end));
}

TEST(Dop853, HalvedStepsShrinkTheErrorByTwoToTheEighth) {
  // A tolerance never reached and no growth: the step stays.
  const double coarse = kepler_error(1e10, 0.5, 1, 8), fine = kepler_error(1e10, 0.25, 1, 8);
  EXPECT_NEAR(std::log2(coarse / fine), 8, 0.5);
}

TEST(Dop853, KeepsTheToleranceOnACircularOrbit) {
  for (const double tolerance : {1e-6, 1e-9, 1e-12})
    EXPECT_LT(kepler_error(tolerance, 0, 6, 6.0), 50 * tolerance);
}

TEST(VectorSines, AgreeWithTheCLibraryToTwoUnitsInTheLastPlace) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> angle(-100, 100);
  for (int run = 0; run < 20000; ++run) {
    Lanes x, s, c;
    for (int i = 0; i < 8; ++i) x[i] = angle(random);
    sincos(x, s, c);
    for (int i = 0; i < 8; ++i) {
      const double sine = std::sin(x[i]), cosine = std::cos(x[i]);
      ASSERT_NEAR(s[i], sine, 2 * 2.3e-16 * std::abs(sine)) << x[i];
      ASSERT_NEAR(c[i], cosine, 2 * 2.3e-16 * std::abs(cosine)) << x[i];
    }
  }
}

}  // namespace
}  // namespace dalembert::bench

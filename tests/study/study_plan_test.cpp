// What varies in a study: grids, tables, random numbers and Sobol's sequence against published values.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/study/collected.hpp>
#include <dalembert/study/random.hpp>
#include <dalembert/study/sobol.hpp>
#include <dalembert/study/study_plan.hpp>

namespace dalembert::study {
namespace {

std::vector<double> row(const StudyPlan& plan, std::uint64_t number) {
  std::vector<double> values(plan.names().size());
  plan.eval(number, values);
  return values;
}

template <class F>
std::string message(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.message();
  }
  return "nothing was thrown";
}

TEST(StudyPlan, RunsTheLastGridFastest) {
  const StudyPlan plan({.vary = {"a=0:1:3", "b=1,2", "m=log(1,100,3)"}});
  ASSERT_EQ(plan.rows(), 18U);
  EXPECT_EQ(row(plan, 0), (std::vector<double>{0, 1, 1}));
  EXPECT_NEAR(row(plan, 1)[2], 10, 1e-14);
  EXPECT_EQ(row(plan, 2)[2], 100);
  EXPECT_EQ(row(plan, 3), (std::vector<double>{0, 2, 1}));
  EXPECT_EQ(row(plan, 17), (std::vector<double>{1, 2, 100}));
}

TEST(StudyPlan, TakesTheRowsOfATableTogether) {
  const StudyPlan plan({.vary = {"table:a,b'\n1,2\n# a remark\npi/2,4\n"}});
  ASSERT_EQ(plan.rows(), 2U);
  EXPECT_EQ(plan.names(), (std::vector<std::string>{"a", "b'"}));
  EXPECT_DOUBLE_EQ(row(plan, 1)[0], std::acos(-1.0) / 2);
}

TEST(StudyPlan, SaysWhatIsWrong) {
  const auto of = [](const Variation& variation) { return message([&] { StudyPlan plan(variation); }); };
  EXPECT_EQ(of({}), "nothing varies: --vary and --sample say what does");
  EXPECT_EQ(of({.vary = {"a=0:1"}}), "--vary a: a range is FROM:TO:POINTS, as 0.1:0.5:50, not '0:1'");
  EXPECT_EQ(of({.vary = {"a=1", "a=2"}}), "'a' is varied twice");
  EXPECT_EQ(of({.samples = {"a=norml(0,1)"}, .runs = 1}),
            "--sample a: there is no distribution 'norml'; did you mean 'normal'?");
  EXPECT_EQ(of({.samples = {"a=normal(0)"}, .runs = 1}),
            "--sample a: normal takes 2 numbers, not 1, for instance normal(0.3, 0.05)");
  EXPECT_EQ(of({.samples = {"a=normal(0,1)"}}), "--sample needs --runs, how many samples are drawn");
  EXPECT_EQ(message([] { parse_collected({"top(x)"}); }).substr(0, 31), "--collect: 'top(x)' must be one");
}

// Known answers of the authors' library, Random123.
TEST(RandomNumbers, ArePhilox) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The first ten points in three dimensions as Joe & Kuo print them, which go by Gray's code: point i here is
// theirs of number i ^ (i >> 1) taken back.
TEST(SobolSequence, IsThatOfJoeAndKuo) {
  const std::vector<std::array<double, 3>> printed{{0, 0, 0},
                                                   {0.5, 0.5, 0.5},
                                                   {0.75, 0.25, 0.25},
                                                   {0.25, 0.75, 0.75},
                                                   {0.375, 0.375, 0.625},
                                                   {0.875, 0.875, 0.125},
                                                   {0.625, 0.125, 0.875},
                                                   {0.125, 0.625, 0.375},
                                                   {0.1875, 0.3125, 0.9375},
                                                   {0.6875, 0.8125, 0.4375}};
  for (std::uint64_t i = 0; i < printed.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(sobol_bits(i ^ (i >> 1U), k) * 0x1p-32, printed[i][k]) << i << " " << k;
  }
  // from SciPy's scipy.stats.qmc.Sobol, whose points have the same order
  const auto gray = [](std::uint64_t i) { return i ^ (i >> 1U); };
  EXPECT_EQ(sobol_bits(gray(999), 63) * 0x1p-32, 0.6337890625);
  EXPECT_EQ(sobol_bits(gray(999), 127) * 0x1p-32, 0.9814453125);
  EXPECT_EQ(sobol_bits(gray(517), 100) * 0x1p-32, 0.3330078125);
}

TEST(Distributions, HaveTheirQuantiles) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-14);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-16);
  const auto quantile = [](const char* text, double u) { return parse_distribution(text, "").quantile(u); };
  EXPECT_NEAR(quantile("lognormal(0.5, 2)", 0.975), std::exp(0.5 + 2 * 1.959963984540054), 1e-12);
  EXPECT_DOUBLE_EQ(quantile("triangular(0, 1, 3)", 1.0 / 3), 1);  // the area left of the mode
  EXPECT_DOUBLE_EQ(quantile("triangular(0, 1, 3)", 1 - 2.0 / 3 / 4), 2);
  EXPECT_DOUBLE_EQ(quantile("uniform(-1, 3)", 0.25), 0);
}

// Mean, deviation and skewness within four standard errors; Sobol's mean far closer.
TEST(Samples, HaveTheMomentsOfTheirDistribution) {
  constexpr std::uint64_t count = 40'000;
  for (const bool sobol : {false, true}) {
    const StudyPlan plan(
        {.samples = {"a=normal(2,0.5)", "b=uniform(0,1)"}, .runs = count, .seed = 7, .sobol = sobol});
    double mean = 0, square = 0, cube = 0, product = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::vector<double> x = row(plan, i);
      const double z = (x[0] - 2) / 0.5;
      mean += z / count;
      square += z * z / count;
      cube += z * z * z / count;
      product += z * (x[1] - 0.5) * std::sqrt(12.0) / count;
    }
    const double error = 4 / std::sqrt(static_cast<double>(count));
    EXPECT_LT(std::abs(mean), sobol ? 1e-3 : error);
    EXPECT_LT(std::abs(square - 1), error * std::sqrt(2.0));
    EXPECT_LT(std::abs(cube), error * std::sqrt(15.0));
    EXPECT_LT(std::abs(product), error);
  }
}

TEST(Samples, FollowFromTheSeedRowByRow) {
  const auto value = [](std::uint64_t seed, std::uint64_t number) {
    return row(StudyPlan({.samples = {"a=normal(0,1)"}, .runs = 1000, .seed = seed}), number)[0];
  };
  EXPECT_EQ(value(1, 999), value(1, 999));
  EXPECT_NE(value(1, 999), value(2, 999));
  EXPECT_NE(value(1, 999), value(1, 998));
}

}  // namespace
}  // namespace dalembert::study

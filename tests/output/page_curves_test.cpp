// More points of a page's curves where its samples do not show the motion.
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/output/page_curves.hpp>

namespace dalembert {
namespace {

using enum ColumnGroup;

// x = sin(w t) with its derivatives, an output x², and what curves leave out.
const std::vector<Column> oscillation_columns{
    {"t", time, 0},        {"x", q, 0},           {"x'", v, 0},        {"x''", a, 0},
    {"square", output, 0}, {"energy", energy, 2}, {"work", energy, 3}, {"g(rod)", g, 0}};

std::vector<double> oscillation_at(double w, double t) {
  const double s = std::sin(w * t), c = std::cos(w * t);
  return {t, s, w * c, -w * w * s, s * s, 1, 0, 0};
}

PageSamples sampled(double w, double step, int count, std::size_t limit = 4096) {
  PageSamples samples(oscillation_columns, limit);
  for (int i = 0; i < count; ++i) samples.add(oscillation_at(w, step * i));
  return samples;
}

struct Refined {
  PageCurves curves;
  std::size_t asked = 0;
};

Refined refine(const PageSamples& samples, double w) {
  Refined result;
  std::vector<double> row;
  result.curves = refine_curves(samples, [&](const std::vector<Column>& columns) -> RowAt {
    EXPECT_EQ(columns.size(), 6U);
    return [&](double t) {
      ++result.asked;
      row = oscillation_at(w, t);
      return std::span<const double>(row).first(6);
    };
  });
  return result;
}

TEST(CurvesOfAPage, AreItsSamplesWhereTheseShowTheMotion) {
  const Refined refined = refine(sampled(1, 0.02, 400), 1);
  EXPECT_TRUE(refined.curves.values.empty());
  EXPECT_EQ(refined.asked, 0U) << "the motion is asked for only where there is need";
}

TEST(CurvesOfAPage, HavePointsOfTheMotionUntilNothingIsMissed) {
  const double w = 9;
  for (const double step : {0.25, -0.25}) {  // 0.36 of a period
    const PageSamples samples = sampled(w, step, 60);
    const PageCurves curves = refine(samples, w).curves;
    ASSERT_EQ(curves.columns.size(), 6U);
    ASSERT_EQ(curves.values.size(), 6U);
    const std::vector<double>& t = curves.values[0];
    EXPECT_GT(t.size(), 4 * samples.size());
    std::size_t at_samples = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (at_samples < samples.size() && t[i] == samples.values(0)[at_samples]) ++at_samples;
      const std::vector<double> exact = oscillation_at(w, t[i]);
      for (std::size_t k = 0; k < 6; ++k) EXPECT_DOUBLE_EQ(curves.values[k][i], exact[k]);
    }
    EXPECT_EQ(at_samples, samples.size()) << "all samples are points, in their order";
    for (std::size_t i = 0; i + 1 < t.size(); ++i) {  // the output is drawn by straight lines
      const double middle = (t[i] + t[i + 1]) / 2;
      const double drawn = (curves.values[4][i] + curves.values[4][i + 1]) / 2;
      EXPECT_NEAR(drawn, std::pow(std::sin(w * middle), 2), 0.004);
    }
  }
}

TEST(CurvesOfAPage, AreThoseOfAThinnedRunAlone) {
  const PageSamples samples = sampled(40, 0.05, 400, 128);
  ASSERT_GT(samples.every(), 1U);
  EXPECT_TRUE(refine(samples, 40).curves.values.empty());
}

TEST(CurvesOfAPage, HaveABoundHoweverFastTheMotionIs) {
  const PageSamples samples = sampled(1e4, 0.1, 500);
  const PageCurves curves = refine(samples, 1e4).curves;
  EXPECT_LE(curves.values.empty() ? 0 : curves.values[0].size(), 6U * 600);
}

TEST(CurvesOfAPage, RoundOffIsNoMotion) {
  PageSamples samples({{"t", time, 0}, {"constant", output, 0}}, 4096);
  for (int i = 0; i < 50; ++i) samples.add(std::array<double, 2>{0.1 * i, 9.81 + 1e-12 * std::sin(7.0 * i)});
  const PageCurves curves = refine_curves(samples, [](const auto&) -> RowAt {
    ADD_FAILURE() << "nobody needs the motion";
    return {};
  });
  EXPECT_TRUE(curves.values.empty());
}

}  // namespace
}  // namespace dalembert

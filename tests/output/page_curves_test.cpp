// More points of a page's curves where its samples do not show the motion.
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/output/page_curves.hpp>
#include <dalembert/trajectory/report.hpp>

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

Refined refine(const PageSamples& samples, double w, Between between = Between::polynomials) {
  Refined result;
  std::vector<double> row;
  result.curves = refine_curves(
      samples,
      [&](const std::vector<Column>& columns) -> RowAt {
        EXPECT_EQ(columns.size(), 6U);
        return [&](double t) {
          ++result.asked;
          row = oscillation_at(w, t);
          return std::span<const double>(row).first(6);
        };
      },
      between);
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

TEST(CurvesOfAPage, OfPicturesAreLinesThatMissNothing) {
  const PageSamples samples = sampled(1, 0.3, 21);
  const std::vector<std::vector<double>> values = refine(samples, 1, Between::lines).curves.values;
  const std::vector<double>&t = values[0], &x = values[1];
  ASSERT_GT(t.size(), samples.size());
  for (std::size_t i = 0; i + 1 < t.size(); ++i)
    EXPECT_NEAR((x[i] + x[i + 1]) / 2, std::sin((t[i] + t[i + 1]) / 2), 0.003 * 2) << "at " << t[i];
}

// A ball that falls from 1 and loses half of its speed, seen four times a second.
constexpr double gravity = 8, landed = 0.5;  // v = -4, then 2

std::vector<double> ball_at(double t) {
  const double s = t - landed;
  const bool up = s > 0;
  const double x = up ? 2 * s - gravity / 2 * s * s : 1 - gravity / 2 * t * t;
  const double v = up ? 2 - gravity * s : -gravity * t;
  return {t, x, v, -gravity, x * 3, v * v / 2, up ? -6.0 : 0.0, 0};
}

EventRecord impact(double t, double before, double behind) {
  EventRecord event;
  event.t = t;
  event.q = event.q_after = {0};
  event.v = {before};
  event.v_after = {behind};
  return event;
}

PageCurves of_ball(std::vector<double> times, const std::vector<EventRecord>& events) {
  PageSamples samples(oscillation_columns, 4096);
  for (const double t : times) samples.add(ball_at(t));
  return curves_with_events(samples, events);
}

TEST(CurvesOfAPage, HaveTwoPointsWhereTheMotionJumps) {
  const std::vector<std::vector<double>> values =
      of_ball({0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9}, {impact(landed, -4, 2)}).values;
  ASSERT_EQ(values.size(), 6U) << "the work and residuals are left out";
  ASSERT_EQ(values[0].size(), 9U);
  const std::vector<double> before{landed, 0, -4, -gravity, 0, 8}, behind{landed, 0, 2, -gravity, 0, 2};
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i][4], before[i], 1e-13) << oscillation_columns[i].name;
    EXPECT_NEAR(values[i][5], behind[i], 1e-13) << oscillation_columns[i].name;
    EXPECT_EQ(values[i][6], ball_at(0.6)[i]);
  }
}

TEST(CurvesOfAPage, HaveJumpsAtSamplesAndBetweenImpactsWithoutSamples) {
  const PageCurves at_sample = of_ball({0, 0.25, 0.5, 0.75}, {impact(landed, -4, 2)});
  EXPECT_EQ(at_sample.values[0], (std::vector<double>{0, 0.25, 0.5, 0.5, 0.5, 0.75}));
  EXPECT_EQ(at_sample.values[2], (std::vector<double>{0, -2, -4, -4, 2, 0}));
  const PageCurves twice = of_ball({0, 0.25, 0.75}, {impact(0.4, -3, 1), impact(0.6, -1, 0.5)});
  EXPECT_EQ(twice.values[2], (std::vector<double>{0, -2, -3, 1, -1, 0.5, 0}));
  EXPECT_EQ(twice.values[3], std::vector<double>(7, -gravity)) << "what is not known there stays";
  EventRecord seen = impact(landed, -4, -4);
  seen.q_after.clear();
  EXPECT_TRUE(of_ball({0, 0.25, 0.75}, {seen}).values.empty()) << "it has changed nothing";
}

}  // namespace
}  // namespace dalembert

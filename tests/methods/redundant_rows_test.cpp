// Redundant constraints whose independent rows change along the motion: C keeps its rank, so all methods go
// on and nothing is reported.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"
#include "methods/traits.hpp"

namespace dalembert {
namespace {

using testing::all_traits;
using testing::MethodTraits;
using testing::simulate;

// A point on a circle, three times said; θ' = 1 stays, since nothing does work.
System circle(const std::vector<std::string>& constraints, double unit = 1) {
  std::string text = "[parameters]\nr = " + std::to_string(unit) + R"toml(
[coordinates]
x = 0
y = "r"
theta = { position = "pi/2", velocity = 1 }
[energy]
kinetic = "(x'^2 + y'^2 + r^2*theta'^2)/2"
[constraints.holonomic]
)toml";
  for (const std::string& constraint : constraints) text += constraint + "\n";
  return System(read_model_text(text));
}

const char* const round = "circle = \"x^2 + y^2 = r^2\"";
const char* const across = "cx = \"x = r*cos(theta)\"";
const char* const up = "cy = \"y = r*sin(theta)\"";

SolveOptions options_for(const std::string& method, double duration) {
  SolveOptions options;
  options.method = method;
  options.duration = duration;
  options.output_step = 0.25;
  if (method == "bdf" || method == "ndf") options.tolerance = 1e-7;
  options.step = 1e-3;
  return options;
}

bool says_lost_rank(const RunReport& report) {
  if (!report.singular_times.empty()) return true;
  for (const std::string& warning : report.warnings)
    if (warning.find("lost rank") != std::string::npos) return true;
  return false;
}

class RedundantRows : public ::testing::TestWithParam<MethodTraits> {};

TEST_P(RedundantRows, ChangeAndTheMotionGoesOn) {
  const std::vector<std::vector<std::string>> orders{
      {round, across, up}, {across, round, up}, {up, across, round}, {round, up, across}};
  for (const auto& order : orders) {
    const System system = circle(order);
    const auto result = simulate(system, options_for(GetParam().name, 7));
    ASSERT_EQ(result.report.outcome, Outcome::finished) << order[0] << ": " << result.report.reason;
    EXPECT_FALSE(says_lost_rank(result.report)) << order[0];
    const double error = GetParam().order > 0 && GetParam().order < 3 ? 1e-2 : 1e-4;
    for (const auto& sample : result.samples) {
      const double angle = std::acos(-1.0) / 2 + sample.t;
      EXPECT_NEAR(sample.q[0], std::cos(angle), error) << sample.t;
      EXPECT_NEAR(sample.q[2], angle, error) << sample.t;
    }
  }
}

TEST_P(RedundantRows, AreChosenInAnyUnits) {
  if (GetParam().name == "augmented_lagrangian") GTEST_SKIP() << "takes all rows: it has nothing to choose";
  for (const double unit : {1e-3, 1e3}) {
    const System system = circle({round, across, up}, unit);
    const auto result = simulate(system, options_for(GetParam().name, 7));
    ASSERT_EQ(result.report.outcome, Outcome::finished) << unit << ": " << result.report.reason;
    EXPECT_FALSE(says_lost_rank(result.report)) << unit;
  }
}

INSTANTIATE_TEST_SUITE_P(AllMethods, RedundantRows, ::testing::ValuesIn(all_traits()),
                         [](const auto& info) { return info.param.name; });

// The reaction is the centripetal force; λ of least norm is a smooth function of the angle, whichever rows
// were chosen: with radial force 2 on (x, y) by circle (2 r each) and cx, cy, the least sum of squares.
TEST(RedundantRows, MultipliersOfLeastNormAreContinuous) {
  const System system = circle({round, across, up});
  SolveOptions options = options_for("adomian", 7);
  options.output_step = 0.01;
  const auto result = simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  // −Cᵀ λ = −(x, y): 2 x λ₁ + λ₂ = x, 2 y λ₁ + λ₃ = y and sin θ λ₂ − cos θ λ₃ = 0; least norm λ₁ = 2/5
  for (const auto& sample : result.samples) {
    EXPECT_NEAR(sample.lambda[0], 0.4, 1e-9) << sample.t;
    EXPECT_NEAR(sample.lambda[1], 0.2 * sample.q[0], 1e-9) << sample.t;
    EXPECT_NEAR(sample.lambda[2], 0.2 * sample.q[1], 1e-9) << sample.t;
  }
}

}  // namespace
}  // namespace dalembert

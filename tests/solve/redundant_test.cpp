// Constraints that depend on others: residuals of all, multipliers of least norm.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::simulate;

// A pendulum on one rod, or on two whose constraints are r and 2 r.
System pendulum(const std::string& constraints) {
  return System(read_model_text(R"toml(
[coordinates]
x = { position = 0.6 }
y = { position = 0.8 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "-9.81*y"
[outputs]
tension = "lambda(rod)"
[solve]
duration = 3
output_step = 0.1
[constraints.holonomic]
rod = "(x^2 + y^2 - 1)/2"
)toml" + constraints));
}

TEST(RedundantConstraints, ShareTheForceByLeastNorm) {
  const System one = pendulum("");
  const System two = pendulum("twin = \"x^2 + y^2 - 1\"\n");
  const auto alone = simulate(one, options_of(one.model()));
  const auto shared = simulate(two, options_of(two.model()));
  ASSERT_EQ(alone.samples.size(), shared.samples.size());
  ASSERT_GT(alone.samples.size(), 20U);
  for (std::size_t i = 0; i < alone.samples.size(); ++i) {
    const double lambda = alone.samples[i].lambda[0];
    // the least (λ1, λ2) with λ1 + 2 λ2 = λ
    EXPECT_NEAR(shared.samples[i].lambda[0], lambda / 5, 1e-11);
    EXPECT_NEAR(shared.samples[i].lambda[1], 2 * lambda / 5, 1e-11);
    EXPECT_NEAR(shared.samples[i].q[0], alone.samples[i].q[0], 1e-11);
  }
}

TEST(RedundantConstraints, AreNamedWithTheirResiduals) {
  const System two = pendulum("twin = \"x^2 + y^2 - 1\"\n");
  SolveOptions options = options_of(two.model());
  options.project = false;
  options.tolerance = 1e-7;
  const auto result = simulate(two, options);
  ASSERT_FALSE(result.report.warnings.empty());
  EXPECT_NE(result.report.warnings[0].find("'twin' is redundant"), std::string::npos);
  const auto& last = result.samples.back();
  ASSERT_EQ(last.g.size(), 2U);
  EXPECT_GT(std::abs(last.g[0]), 1e-14);  // without projection there is drift
  EXPECT_NEAR(last.g[1], 2 * last.g[0], 1e-15);
  EXPECT_NEAR(last.gv[1], 2 * last.gv[0], 1e-15);
}

// Both say x' = t/5 at first: values and slopes agree at the start, not later.
TEST(RedundantConstraints, OnVelocitiesThatContradictTheOthersLaterStopTheRun) {
  for (const char* second : {"x' = t*cos(t)/5", "2*x' = 0.4*sin(t)", "x' + 3*y' = 0.2*sin(t)"}) {
    const System system(read_model_text(std::string(R"toml(
[coordinates]
x = 1
y = 0
[energy]
kinetic = "x'^2/2 + y'^2/2"
[constraints]
nonholonomic = { speed = "x' = 0.2*t", rest = "y' = 0", second = ")toml") +
                                        second + "\" }\n"));
    for (const char* method : {"adomian", "dop853", "bdf"}) {
      SolveOptions options = options_of(system.model());
      options.method = method;
      const RunReport report = simulate(system, options).report;
      EXPECT_EQ(report.outcome, Outcome::stopped_early) << method << ": " << second;
      EXPECT_NE(report.reason.find("'second' followed from the others"), std::string::npos) << report.reason;
      EXPECT_LT(report.max_velocity_residual, 0.2) << "soon after the start";
    }
  }
}

// A disk that rolls, comes to rest in a spring and rolls back: its second rolling condition is the first.
TEST(RedundantConstraints, OnVelocitiesMayComeToRest) {
  const System system(read_model_text(R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
phi = 0
[energy]
kinetic = "x'^2/2 + phi'^2/4"
potential = "x^2/2"
dissipation = "0.5*x'^2"
[constraints]
nonholonomic = { roll = "x' - phi'/2", again = "3*x' - 1.5*phi'" }
[solve]
duration = 200
)toml"));
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    SolveOptions options = options_of(system.model());
    options.method = method;
    const RunReport report = simulate(system, options).report;
    EXPECT_EQ(report.outcome, Outcome::finished) << method << ": " << report.reason;
  }
}

// A robot that rolls on two wheels: rows of its constraints are chosen anew again and again, and places where
// the chosen ones lose rank are leapt over. Wheels that roll turn the chassis by r (φ_right − φ_left)/width;
// the rest beside another method.
TEST(RedundantConstraints, OfARobotOnWheelsLeaveItsMotionAlone) {
  const System system(read_model(DALEMBERT_SOURCE_DIR "/docs/gallery/models/differential_drive.toml"));
  const auto index = [&](const std::string& name) {
    const auto& all = system.model().coordinates;
    const auto place = std::find_if(all.begin(), all.end(), [&](const auto& q) { return q.name == name; });
    EXPECT_NE(place, all.end()) << name;
    return static_cast<std::size_t>(place - all.begin());
  };
  const std::size_t e0 = index("chassis.e0"), e3 = index("chassis.e3"), left = index("axle_left.angle"),
                    right = index("axle_right.angle");
  SolveOptions options = options_of(system.model());
  options.output_step = 0.5;
  const auto motion = simulate(system, options);
  ASSERT_EQ(motion.report.outcome, Outcome::finished) << motion.report.reason;
  for (const auto& sample : motion.samples) {
    const double turned = 0.1 * (sample.q[right] - sample.q[left]) / 0.4;
    const double heading = 2 * std::atan2(sample.q[e3], sample.q[e0]);
    EXPECT_NEAR(std::remainder(heading - turned, 4 * std::acos(0.0)), 0, 1e-12) << sample.t;
  }
  options.method = "dop853";
  options.tolerance = 1e-12;
  const auto other = simulate(system, options);
  ASSERT_EQ(other.samples.size(), motion.samples.size());
  for (std::size_t i = 0; i < system.n(); ++i)
    EXPECT_NEAR(motion.samples.back().q[i], other.samples.back().q[i], 1e-9) << i;
}

// A stiff spring damps errors of a step along it, but not those across constraints: the steps would become as
// long as they may, and the curve between their ends be far off.
TEST(RedundantConstraints, OfADrivenMotionWithAStiffSpringBoundItsSteps) {
  const System system(read_model_text(R"toml([coordinates]
x = 0
y = 1
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "50000*x^2"
[constraints]
holonomic = { a = "x = sin(2*t)", b = "y = cos(2*t)", c = "x^2 + y^2 = 1" }
)toml"));
  for (const char* form : {"index2", "ggl"}) {
    for (const char* method : {"bdf", "ndf"}) {
      SolveOptions options = options_of(system.model());
      options.method = method;
      options.duration = 10;
      options.tolerance = 1e-6;
      options.index_form = form;
      const auto result = simulate(system, options);
      ASSERT_EQ(result.report.outcome, Outcome::finished) << method << ' ' << form;
      for (const auto& sample : result.samples) {
        EXPECT_NEAR(sample.q[0], std::sin(2 * sample.t), 1e-5) << method << ' ' << form;
        EXPECT_NEAR(sample.v[1], -2 * std::sin(2 * sample.t), 2e-5) << method << ' ' << form;
      }
    }
  }
}

}  // namespace
}  // namespace dalembert

// Lagrange's equations with constraints: the pendulum by approach 1, by approach 2, and with λ eliminated.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::simulate;

constexpr double m = 1.3, l = 0.7, gravity = 9.81, theta0 = 2.0;

// Approach 1: θ alone, (4).
Model angle_model() {
  return read_model_text(R"model(
[parameters]
m = 1.3
l = 0.7
g = 9.81
[coordinates]
theta = { position = 2 }
[energy]
kinetic = "m*l^2*theta'^2/2"
potential = "-m*g*l*cos(theta)"
)model");
}

// Approach 2: x and y (downwards) with the constraint (5), whose coefficients are x and y.
Model cartesian_model() {
  return read_model_text(R"model(
[parameters]
m = 1.3
l = 0.7
g = 9.81
[coordinates]
x = { position = "l*sin(2)" }
y = { position = "l*cos(2)" }
[energy]
kinetic = "m*(x'^2 + y'^2)/2"
potential = "-m*g*y"
[constraints]
holonomic = { rod = "(x^2 + y^2 - l^2)/2" }
)model");
}

testing::Simulation run(const Model& model, const std::string& method) {
  const System system(model);
  SolveOptions options = options_of(*model);
  options.method = method;
  options.duration = 3;
  options.output_step = 0.1;
  if (method != "adomian") options.tolerance = 1e-14;
  return simulate(system, options);
}

TEST(LagrangeWithConstraints, AllApproachesGiveTheSameMotion) {
  const auto angle = run(angle_model(), "adomian");
  for (const char* method : {"adomian", "dop853", "nullspace"}) {  // nullspace: (9) and (10)
    const auto cartesian = run(cartesian_model(), method);
    ASSERT_EQ(cartesian.report.outcome, Outcome::finished) << cartesian.report.reason;
    ASSERT_EQ(cartesian.samples.size(), angle.samples.size());
    for (std::size_t i = 0; i < angle.samples.size(); ++i) {
      const double theta = angle.samples[i].q[0];
      const double speed = angle.samples[i].v[0];
      EXPECT_NEAR(cartesian.samples[i].q[0], l * std::sin(theta), 1e-12) << method << ' ' << i;
      EXPECT_NEAR(cartesian.samples[i].q[1], l * std::cos(theta), 1e-12) << method << ' ' << i;
      EXPECT_NEAR(cartesian.samples[i].v[0], l * std::cos(theta) * speed, 1e-11) << method << ' ' << i;
      EXPECT_NEAR(cartesian.samples[i].v[1], -l * std::sin(theta) * speed, 1e-11) << method << ' ' << i;
    }
  }
}

TEST(LagrangeWithConstraints, TheMultiplierIsTheForceOfTheRod) {
  // tension m l θ'² + m g cos θ = m g (3 cos θ − 2 cos θ0) by the energy; λ l = tension, and the paper's λ,
  // which enters with the other sign, is −λ
  for (const char* method : {"adomian", "dop853", "nullspace", "augmented_lagrangian", "partition"}) {
    const auto result = run(cartesian_model(), method);
    for (const auto& sample : result.samples) {
      const double cosine = sample.q[1] / l;
      EXPECT_NEAR(sample.lambda[0] * l, m * gravity * (3 * cosine - 2 * std::cos(theta0)), 1e-10)
          << method << " at " << sample.t;
    }
  }
}

TEST(LagrangeWithConstraints, EliminatingTheMultiplierGivesEquation10) {
  // ÿ and ẍ from [y −x; x y] (ẍ, ÿ) = (−g x, −x'² − y'²)
  const auto result = run(cartesian_model(), "nullspace");
  for (const auto& sample : result.samples) {
    const double x = sample.q[0], y = sample.q[1];
    const double f1 = -gravity * x;
    const double f2 = -sample.v[0] * sample.v[0] - sample.v[1] * sample.v[1];
    EXPECT_NEAR(sample.a[0], (y * f1 + x * f2) / (x * x + y * y), 1e-11);
    EXPECT_NEAR(sample.a[1], (y * f2 - x * f1) / (x * x + y * y), 1e-11);
  }
}

}  // namespace
}  // namespace dalembert

// [zaatri2018]: the slider-crank by ode15s. The equations as printed, figures 2 and 3 by four methods, the
// double pendulum, and the misprints. docs/papers/zaatri.md shows the tables.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/system/state_evaluation.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::shipped_system;
using testing::simulate;
using testing::Simulation;

constexpr double l1 = 0.2, l2 = 1, m1 = 1, m2 = 1, m3 = 1, J1 = 1, J2 = 1, Mom = 10, g = 9.81;

struct State {
  double theta1, theta2, v1, v2;
};
constexpr std::array states{State{0.78, 0.14, 0, 0}, State{0.3, 0.4, 2, -1}, State{2.5, 0.1, -7, 3}};

TEST(Zaatri, MassMatrixIsThatOfEquation9) {
  const System system = shipped_system("slider_crank");
  StateEvaluation at(system);
  for (const State& s : states) {
    at.eval(0, std::vector{s.theta1, s.theta2}, std::vector{s.v1, s.v2});
    const double coupling = -l1 * l2 * std::cos(s.theta1 + s.theta2) * (m2 / 2 + m3);
    EXPECT_NEAR(at.M(0, 0), l1 * l1 * (m1 / 4 + m2 + m3) + J1, 1e-15);
    EXPECT_NEAR(at.M(0, 1), coupling, 1e-15);
    EXPECT_NEAR(at.M(1, 0), coupling, 1e-15);
    EXPECT_NEAR(at.M(1, 1), l2 * l2 * (m2 / 4 + m3) + J2, 1e-15);
  }
}

TEST(Zaatri, ForcesAreThoseOfEquation10WithVelocitiesSquared) {
  const System system = shipped_system("slider_crank");
  StateEvaluation at(system);
  for (const State& s : states) {
    at.eval(0, std::vector{s.theta1, s.theta2}, std::vector{s.v1, s.v2});
    const double turning = l1 * l2 * std::sin(s.theta1 + s.theta2) * (m2 / 2 + m3);
    const double first = -l1 * g * (m1 / 2 + m2 + m3) * std::cos(s.theta1) + Mom;
    const double second = l2 * g * (m2 / 2 + m3) * std::cos(s.theta2);
    EXPECT_NEAR(at.f[0], first - turning * s.v2 * s.v2, 1e-13);
    EXPECT_NEAR(at.f[1], second - turning * s.v1 * s.v1, 1e-13);
    if (s.v1 == 0) continue;
    EXPECT_GT(std::abs(at.f[0] - (first - turning * s.v1)), 0.1) << "as printed";
    EXPECT_GT(std::abs(at.f[1] - (second - turning * s.v1)), 0.1) << "as printed";
  }
}

TEST(Zaatri, ConstraintAndItsDerivativesAreThoseOfEquations11To14) {
  const System system = shipped_system("slider_crank");
  StateEvaluation at(system);
  for (const State& s : states) {
    at.eval(0, std::vector{s.theta1, s.theta2}, std::vector{s.v1, s.v2});
    EXPECT_NEAR(at.g[0], l1 * std::sin(s.theta1) - l2 * std::sin(s.theta2), 1e-15);
    EXPECT_NEAR(at.C(0, 0), l1 * std::cos(s.theta1), 1e-15);
    EXPECT_NEAR(at.C(0, 1), -l2 * std::cos(s.theta2), 1e-15);
    // (14) without the terms in the accelerations, which stand on the other side
    EXPECT_NEAR(at.gamma[0], l1 * std::sin(s.theta1) * s.v1 * s.v1 - l2 * std::sin(s.theta2) * s.v2 * s.v2,
                1e-14);
  }
}

TEST(Zaatri, SecondLineOf7AsPrintedDoesNotCloseTheLoop) {
  const double theta2 = std::asin(l1 / l2 * std::sin(0.78));
  const double x = l1 * std::cos(0.78) + l2 * std::cos(theta2);
  // from C to B the coupler must have its length
  const double tip_x = l1 * std::cos(0.78), tip_y = l1 * std::sin(0.78);
  EXPECT_NEAR(std::hypot(x - tip_x, tip_y), l2, 1e-15);
  const double printed = l1 * std::cos(0.78) + l2 * std::sin(theta2);
  EXPECT_GT(std::abs(std::hypot(printed - tip_x, tip_y) - l2), 0.5);
}

// Figures 2 and 3: theta1 and x at 0.1, 0.2, ... 10 s.
Simulation figures(const System& system, const std::string& method, double tolerance,
                   const std::string& index_form = "") {
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.tolerance = tolerance;
  options.index_form = index_form;
  options.output_step = 0.1;
  return simulate(system, options);
}

struct Errors {
  double theta1 = 0, x = 0, drift = 0;
};
Errors errors_of(const Simulation& run, const Simulation& reference) {
  const auto slider = [](const testing::KeptSample& s) {
    return l1 * std::cos(s.q[0]) + l2 * std::cos(s.q[1]);
  };
  Errors errors;
  for (std::size_t k = 0; k < reference.samples.size(); ++k) {
    errors.theta1 = std::max(errors.theta1, std::abs(run.samples.at(k).q[0] - reference.samples[k].q[0]));
    errors.x = std::max(errors.x, std::abs(slider(run.samples[k]) - slider(reference.samples[k])));
  }
  errors.drift = run.report.max_position_residual;
  return errors;
}

TEST(Zaatri, Figures2And3AreTheSameByNdfBdfPartitionAndAdomian) {
  const System system = shipped_system("slider_crank");
  const Simulation adomian = figures(system, "adomian", 0);
  ASSERT_EQ(adomian.report.outcome, Outcome::finished);
  EXPECT_LE(adomian.report.max_energy_error / adomian.report.energy_scale, 1e-12);
  for (const char* method : {"ndf", "bdf", "partition"}) {
    const Simulation run = figures(system, method, 1e-9);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method;
    const Errors errors = errors_of(run, adomian);
    EXPECT_LE(errors.theta1, 1e-3) << method;  // of 474 rad
    EXPECT_LE(errors.x, 1e-4) << method;
  }
}

TEST(Zaatri, Index1DriftsAsTheRemarkOnOde15sSaysAndTheStabilizedFormDoesNot) {
  const System system = shipped_system("slider_crank");
  for (const char* method : {"ndf", "bdf"}) {
    const double coarse = figures(system, method, 1e-6).report.max_position_residual;
    const double fine = figures(system, method, 1e-9).report.max_position_residual;
    EXPECT_GE(coarse, 1e-5) << method;
    EXPECT_LE(coarse, 1e-1) << method;
    EXPECT_LE(fine, 1e-2 * coarse) << method;
    EXPECT_LE(figures(system, method, 1e-9, "ggl").report.max_position_residual, 1e-8) << method;
  }
}

TEST(Zaatri, TheDoublePendulumMovesAlikeInAnglesAndInCartesianCoordinates) {
  const System angles = shipped_system("double_pendulum");
  const System cartesian = shipped_system("double_pendulum_cartesian");
  for (const char* method : {"ndf", "bdf", "partition", "adomian"}) {
    const auto end = [&](const System& system) {
      SolveOptions options = options_of(system.model());
      options.method = method;
      options.tolerance = method == std::string("adomian") ? 0 : 1e-10;
      options.duration = 2;
      options.output_times = {2};
      return simulate(system, options).samples.at(0).q;
    };
    const std::vector<double> q = end(angles), x = end(cartesian);
    EXPECT_NEAR(x[0], std::sin(q[0]), 1e-6) << method;
    EXPECT_NEAR(x[1], -std::cos(q[0]), 1e-6) << method;
    EXPECT_NEAR(x[2], std::sin(q[0]) + std::sin(q[1]), 1e-6) << method;
    EXPECT_NEAR(x[3], -std::cos(q[0]) - std::cos(q[1]), 1e-6) << method;
  }
}

}  // namespace
}  // namespace dalembert

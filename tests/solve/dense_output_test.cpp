// The motion kept as polynomials: at any time, on the constraints, after the run.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/dense_output.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::shipped_system;
using testing::simulate;

TEST(DenseOutput, IsTheExactMotionAtAnyTime) {
  const System system = shipped_system("two_link_robot");  // p = (sin t, −2 sin t), λ = cos t
  DenseOutput motion(system);
  SolveOptions options = options_of(system.model());
  options.duration = 20;
  options.output_times = {20};
  options.dense_output = &motion;
  const RunReport report = simulate(system, options).report;
  EXPECT_EQ(motion.steps(), report.steps);
  EXPECT_EQ(motion.start(), 0);
  EXPECT_EQ(motion.end(), 20);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> time(0, 20);
  for (int i = 0; i < 500; ++i) {
    const double t = i == 0 ? 0 : (i == 1 ? 20 : time(random));
    const DenseOutput::State state = motion.at(t);
    EXPECT_EQ(state.t, t);
    EXPECT_NEAR(state.q[0], std::sin(t), 2e-13);
    EXPECT_NEAR(state.q[1], -2 * std::sin(t), 2e-13);
    EXPECT_NEAR(state.v[0], std::cos(t), 2e-13);
    EXPECT_NEAR(state.a[0], -std::sin(t), 2e-13);
    EXPECT_NEAR(state.lambda[0], std::cos(t), 2e-13);
  }
}

TEST(DenseOutput, KeepsNothingOfARunThatIsTooLong) {
  const System system = shipped_system("two_link_robot");
  DenseOutput motion(system);
  SolveOptions options = options_of(system.model());
  options.dense_output = &motion;
  for (const std::size_t limit : {std::size_t{100}, std::size_t{1'000'000}}) {
    motion.limit(limit);
    simulate(system, options);
    EXPECT_EQ(motion.empty(), limit == 100);
  }
}

TEST(DenseOutput, StaysOnTheConstraintsWithTheSamplesOfTheRun) {
  const System system = shipped_system("pendulum_cartesian");
  DenseOutput motion(system);
  SolveOptions options = options_of(system.model());
  options.output_step = 0.037;
  options.dense_output = &motion;
  const auto result = simulate(system, options);
  for (const auto& sample : result.samples) {
    const DenseOutput::State state = motion.at(sample.t);
    EXPECT_NEAR((state.q[0] * state.q[0] + state.q[1] * state.q[1] - 1) / 2, 0, 1e-14);
    EXPECT_NEAR(state.q[0] * state.v[0] + state.q[1] * state.v[1], 0, 1e-13);
    EXPECT_NEAR(state.outputs[0], std::atan2(sample.q[0], sample.q[1]), 1e-14);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(state.q[i], sample.q[i], 1e-14);
      EXPECT_NEAR(state.v[i], sample.v[i], 1e-13);
      EXPECT_NEAR(state.a[i], sample.a[i], 1e-12);
    }
    EXPECT_NEAR(state.lambda[0], sample.lambda[0], 1e-12);
  }
}

TEST(DenseOutput, OfARunBackwardsAnswersInItsRange) {
  const System system = shipped_system("two_link_robot");
  DenseOutput motion(system);
  SolveOptions options = options_of(system.model());
  options.duration = -3;
  options.output_step = 1;
  options.dense_output = &motion;
  simulate(system, options);
  EXPECT_EQ(motion.end(), -3);
  EXPECT_NEAR(motion.at(-2.5).q[0], std::sin(-2.5), 1e-13);
  EXPECT_THROW(motion.at(0.1), Error);
  EXPECT_THROW(motion.at(-3.1), Error);
}

TEST(DenseOutput, OfAnyMethodIsEnoughForPictures) {
  const System system = shipped_system("two_link_robot");
  for (const char* method : {"dop853", "bdf", "rk4", "rattle", "generalized_alpha"}) {
    DenseOutput motion(system);
    SolveOptions options = options_of(system.model());
    options.method = method;
    options.duration = 6;
    options.step = 0.002;
    options.tolerance = 0;
    options.output_times = {6};
    options.dense_output = &motion;
    EXPECT_THROW(simulate(system, options), Error) << "nobody has said that so few digits are enough";
    motion.take_any_method();
    const RunReport report = simulate(system, options).report;
    ASSERT_EQ(motion.steps(), report.steps) << method;
    for (int i = 0; i <= 100; ++i) {
      const double t = 0.06 * i;
      const DenseOutput::State state = motion.at(std::min(t, motion.end()));
      EXPECT_NEAR(state.q[0], std::sin(t), 1e-5) << method << " at " << t;
      EXPECT_NEAR(state.q[1], -2 * std::sin(t), 2e-5) << method << " at " << t;
      EXPECT_NEAR(state.v[0], std::cos(t), 1e-5) << method << " at " << t;
      EXPECT_NEAR(state.lambda[0], std::cos(t), 2e-5) << method << " at " << t;
    }
  }
}

TEST(DenseOutput, OfNoRunIsAnError) {
  const System system = shipped_system("pendulum");
  DenseOutput motion(system);
  EXPECT_TRUE(motion.empty());
  EXPECT_THROW(motion.at(0), Error);
  SolveOptions options = options_of(system.model());
  options.method = "rk4";
  options.dense_output = &motion;
  EXPECT_THROW(simulate(system, options), Error);
}

}  // namespace
}  // namespace dalembert

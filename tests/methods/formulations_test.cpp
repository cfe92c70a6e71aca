// Other formulations on what is hard for them: singular mass matrices, turning points of coordinates, rest.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::KeptSample;
using testing::shipped_system;
using testing::simulate;

KeptSample end_of(const System& system, const std::string& method, double duration,
                  const std::string& runge_kutta = "", double tolerance = 0) {
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.runge_kutta = runge_kutta;
  options.tolerance = tolerance;
  options.duration = duration;
  options.output_times = {duration};
  const auto result = simulate(system, options);
  EXPECT_EQ(result.report.outcome, Outcome::finished) << method << ": " << result.report.reason;
  return result.samples.back();
}

double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

TEST(Formulations, QuaternionsWithoutInertiaAlongThemselvesAreNoObstacle) {
  const System system = shipped_system("heavy_top");
  const KeptSample exact = end_of(system, "adomian", 0.05);
  for (const char* method : {"dop853", "nullspace", "partition", "augmented_lagrangian"}) {
    const KeptSample sample = end_of(system, method, 0.05);
    EXPECT_LE(difference(sample.q, exact.q), 1e-7) << method;
    EXPECT_LE(difference(sample.lambda, exact.lambda), 1e-3) << method;  // of sizes up to 10^4
  }
}

// The last links turn over so fast that the partition is nearly singular within steps.
TEST(Formulations, PartitionFindsEverySampleOfAFallingChain) {
  const System system = shipped_system("chain10");
  for (const double tolerance : {1e-8, 1e-9, 1e-10}) {
    SolveOptions options = options_of(system.model());
    options.tolerance = tolerance;
    options.method = "adomian";
    const auto exact = simulate(system, options);
    options.method = "partition";
    const auto result = simulate(system, options);
    // at 1e-8 rounding decides whether a sample near the singular partition loses 1.6e-3 of the energy, which
    // is said
    ASSERT_TRUE(reached_end(result.report.outcome)) << tolerance << ": " << result.report.reason;
    EXPECT_TRUE(result.report.outcome == Outcome::finished || tolerance == 1e-8) << tolerance;
    ASSERT_EQ(result.samples.size(), exact.samples.size());
    for (std::size_t i = 0; i < exact.samples.size(); ++i)
      ASSERT_LE(difference(result.samples[i].q, exact.samples[i].q), 1000 * tolerance) << exact.samples[i].t;
  }
}

TEST(Formulations, PartitionChangesItsUnknownsWhereAPendulumTurnsOver) {
  const System system =
      shipped_system("pendulum_cartesian", {{"x", "0"}, {"y", "-1"}, {"x'", "8"}, {"y'", "0"}});
  const KeptSample exact = end_of(system, "adomian", 3);
  for (const double tolerance : {1e-7, 1e-9, 1e-11}) {  // errors of some hundred steps add up
    const KeptSample sample = end_of(system, "partition", 3, "", tolerance);
    EXPECT_LE(difference(sample.q, exact.q), 1000 * tolerance);
    EXPECT_LE(std::abs(sample.g[0]), 1e-15);
  }
}

TEST(Formulations, AnyRungeKuttaMethodServes) {
  const System system = shipped_system("pendulum_cartesian");
  const KeptSample exact = end_of(system, "adomian", 1);
  for (const char* method : {"nullspace", "partition", "augmented_lagrangian"}) {
    for (const char* table : {"rk4", "dopri5"}) {
      EXPECT_LE(difference(end_of(system, method, 1, table).q, exact.q), 1e-8) << method << ' ' << table;
    }
    EXPECT_THROW(end_of(system, method, 1, "rk5"), Error) << method;
  }
}

TEST(Formulations, AStartFoundOnceServesEveryRun) {
  const System system = shipped_system("four_bar");
  SolveOptions options = options_of(system.model());
  options.duration = 1;
  options.output_times = {1};
  const Problem problem = make_problem(system, options.start);
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    options.method = method;
    std::vector<double> prepared, searched;
    const auto keep = [](std::vector<double>& q) {
      return SampleSink<double>([&q](const Sample<double>& sample) {
        q.assign(sample.q.begin(), sample.q.end());
        return true;
      });
    };
    solve(problem, options, keep(prepared));
    solve(system, options, keep(searched));
    EXPECT_EQ(prepared, searched) << method;
  }
  options.start = 1;
  EXPECT_THROW(solve(problem, options, SampleSink<double>{}), Error);
}

TEST(Formulations, RestIsKept) {
  const Model model = read_model_text(R"(
[coordinates]
x = { position = 0 }
y = { position = -1 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraints]
holonomic = { rod = "(x^2 + y^2 - 1)/2" }
)");
  const System system(model);
  for (const char* method : {"dop853", "nullspace", "partition", "augmented_lagrangian"}) {
    const KeptSample sample = end_of(system, method, 5);
    EXPECT_LE(difference(sample.q, {0, -1}), 1e-14) << method;
    EXPECT_NEAR(sample.lambda[0], 9.81, 1e-12) << method;
  }
}

// Nothing is left to integrate: positions follow from the drive alone.
TEST(Formulations, AFastCoordinateThatNothingJoinsToTheOthersTakesNoDigitsFromThem) {
  const std::string text = R"toml(
[parameters]
V = 0
[coordinates]
X = { position = 1, velocity = "V" }
angle = { position = 2 }
x = { position = 1 }
y = { position = 0 }
[energy]
kinetic = "(X'^2 + angle'^2 + x'^2 + y'^2)/2"
potential = "-cos(angle) + 9.81*y"
[constraints]
holonomic = { rod = "x^2 + y^2 = 1" }
)toml";
  const auto end = [&](const std::string& method, const char* speed) {
    const System system(read_model_text(text, "fast.toml", {{"V", speed}}));
    SolveOptions options;
    options.method = method;
    options.duration = 5;
    options.output_times = {5};
    return simulate(system, options).samples.at(0);
  };
  const auto exact = end("adomian", "0");
  for (const char* method : {"dopri5", "dop853", "nullspace", "partition", "augmented_lagrangian"}) {
    const auto run = end(method, "1e9");
    for (const std::size_t i : {1, 2, 3}) EXPECT_NEAR(run.q[i], exact.q[i], 1e-7) << method << ' ' << i;
  }
}

TEST(Partition, RunsWhereNoFreedomIsLeft) {
  const System system(read_model_text(R"(
space = "plane"
[[body]]
name = "arm"
mass = 1
inertia = 0.1
position = [1, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "arm"]
point = [0, 0]
drive = "0.3*sin(2*t) + t"
)"));
  SolveOptions options = options_of(system.model());
  options.method = "partition";
  options.duration = 3;
  options.output_step = 0.5;
  const auto run = testing::simulate(system, options);
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  for (const auto& sample : run.samples) {
    const double angle = 0.3 * std::sin(2 * sample.t) + sample.t;
    EXPECT_NEAR(sample.q[0], std::cos(angle), 1e-14);
    EXPECT_NEAR(sample.q[1], std::sin(angle), 1e-14);
    EXPECT_NEAR(sample.v[2], 0.6 * std::cos(2 * sample.t) + 1, 1e-13);
  }
}

TEST(Formulations, AtALooseTolerancePartitionShortensItsStepsInsteadOfStopping) {
  const Model model = read_model_text(R"toml(
[coordinates]
x = { position = 1 }
y = { position = 0 }
z = { position = 0, velocity = 0.5 }
[energy]
kinetic = "(2*x'^2 + y'^2 + 3*z'^2)/2 + x*y*z'*x'/5"
potential = "9.81*y + x^2*z"
dissipation = "0.1*x'^2 + 0.05*y'^2*z'^2"
[forces]
x = "sin(3*t)"
z = "-0.3*y' + exp(-t)"
[constraints]
holonomic = { sphere = "(x - 0.2*sin(2*t))^2 + y^2 + z^2 - (1 + 0.1*t)" }
)toml");
  const System system(model);
  SolveOptions options = options_of(*model);
  options.method = "partition";
  options.tolerance = 1e-2;
  options.duration = 2;
  options.output_times = {2};
  const auto result = simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished) << result.report.reason;
  EXPECT_LE(difference(result.samples.at(0).q, end_of(system, "adomian", 2).q), 2e-2);
}

}  // namespace
}  // namespace dalembert

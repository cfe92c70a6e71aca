// Coordinates without inertia whose velocities the forces determine.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::simulate;

// A mass on a spring and a damper in series, y between them.
System maxwell(const std::string& y = "0") {
  return System(read_model_text(R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
y = )toml" + y + R"toml(
[energy]
kinetic = "x'^2/2"
potential = "(x - y)^2/2"
dissipation = "0.3*y'^2/2"
[solve]
duration = 5
output_step = 0.5
)toml"));
}

// s = x − y has s'' + s'/0.3 + s = 0, with the roots −1/3 and −3.
double exact_x(double t) { return (9 * std::exp(-t / 3) - std::exp(-3 * t)) / 8; }
double exact_y(double t) { return exact_x(t) - (9 * std::exp(-3 * t) - std::exp(-t / 3)) / 8; }

double error_of(const testing::Simulation& run) {
  double error = 0;
  for (const auto& sample : run.samples) {
    error = std::max(error, std::abs(sample.q[0] - exact_x(sample.t)));
    error = std::max(error, std::abs(sample.q[1] - exact_y(sample.t)));
  }
  return error;
}

TEST(Massless, TheMaxwellElementIsRightInEveryMethodThatTakesIt) {
  const System system = maxwell();
  const std::vector<std::pair<std::string, double>> expected{
      {"adomian", 1e-13}, {"dop853", 1e-9}, {"dopri5", 1e-8}, {"nullspace", 1e-9},        {"partition", 1e-9},
      {"bdf", 1e-7},      {"ndf", 1e-6},    {"rk4", 1e-12},   {"generalized_alpha", 1e-6}};
  for (const auto& [method, error] : expected) {
    SolveOptions options = options_of(system.model());
    options.method = method;
    const auto run = simulate(system, options);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method << ": " << run.report.reason;
    EXPECT_EQ(run.samples.size(), 11U) << method;
    EXPECT_LT(error_of(run), error) << method;
  }
}

TEST(Massless, MethodsThatCannotSayWhichCan) {
  for (const char* method : {"rattle", "augmented_lagrangian"}) {
    const System system = maxwell();
    SolveOptions options = options_of(system.model());
    options.method = method;
    try {
      simulate(system, options);
      FAIL() << method;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find("'adomian', 'dop853', 'bdf'"), std::string::npos) << error.message();
    }
  }
}

TEST(Massless, TheIndexIsOne) {
  const System system = maxwell();
  const Structure structure = analyse_structure(system, find_start(system));
  EXPECT_EQ(structure.index, 1);
  EXPECT_TRUE(structure.inertia.missing.empty());
  EXPECT_TRUE(structure.inertia.negative.empty());
}

TEST(Massless, VelocitiesStartWhereForcesVanish) {
  const Start free = find_start(maxwell());
  EXPECT_DOUBLE_EQ(free.v[1], 1 / 0.3);
  const System given = maxwell("{ position = 0.25, velocity = 7 }");
  const Start moved = find_start(given);
  EXPECT_DOUBLE_EQ(moved.v[1], 0.75 / 0.3);
  const auto run = simulate(given, options_of(given.model()));
  ASSERT_FALSE(run.report.warnings.empty());
  EXPECT_NE(run.report.warnings[0].find("y' from 7 to 2.5"), std::string::npos) << run.report.warnings[0];
  EXPECT_THROW(find_start(maxwell("{ position = 0, velocity = 7, fixed = true }")), Error);
}

// The damper between the mass and y makes a row of M that is not symmetric.
TEST(Massless, ADamperToTheMassIsTakenToo) {
  const System system(read_model_text(R"toml(
[coordinates]
x = { position = 0, velocity = 1 }
y = 0.2
z = -0.1
[energy]
kinetic = "x'^2/2"
potential = "y^2/2 + z^4 + (y - z)^2"
dissipation = "0.5*(x' - y')^2/2 + 0.7*(y' - z')^2/2 + 0.1*z'^4"
[solve]
duration = 3
output_step = 0.25
)toml"));
  SolveOptions options = options_of(system.model());
  const auto best = simulate(system, options);
  ASSERT_EQ(best.report.outcome, Outcome::finished) << best.report.reason;
  for (const auto& s : best.samples) {
    const double pull = 0.7 * (s.v[1] - s.v[2]);
    EXPECT_NEAR(s.q[1] + 2 * (s.q[1] - s.q[2]), 0.5 * (s.v[0] - s.v[1]) - pull, 1e-12) << s.t;
  }
  for (const char* method : {"dop853", "bdf"}) {
    options.method = method;
    const auto other = simulate(system, options);
    ASSERT_EQ(other.report.outcome, Outcome::finished) << method << ": " << other.report.reason;
    ASSERT_EQ(other.samples.size(), best.samples.size());
    for (std::size_t i = 0; i < best.samples.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(other.samples[i].q[k], best.samples[i].q[k], 1e-7) << method << ' ' << best.samples[i].t;
  }
}

TEST(Massless, WithoutDampingThereIsNothingToDetermineAVelocity) {
  const System system(read_model_text(R"toml(
[coordinates]
x = 1
y = 0
[energy]
kinetic = "x'^2/2"
potential = "(x - y)^2/2"
)toml"));
  EXPECT_THROW(find_start(system), Error);
}

}  // namespace
}  // namespace dalembert

// Whole runs by compiled code beside runs by the interpreter: the same motions, to the accuracy that both
// have.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/codegen/expansion_source.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/expansion_program.hpp>

#include "codegen/cache_of_tests.hpp"
#include "laws/simulate.hpp"
#include "mechanical_models.hpp"

namespace dalembert {
namespace {

using testing::KeptSample;
using testing::simulate;
using testing::Simulation;

// So that models take a tenth of a second beside compiling.
double short_duration(const System& system) { return std::min(options_of(system.model()).duration, 2.0); }

Simulation run(const System& system, const std::string& native, double duration, double tolerance = 0) {
  SolveOptions options = options_of(system.model());
  options.native = native;
  options.duration = duration;
  options.max_step = duration;  // steps as long as their terms allow
  options.tolerance = tolerance;
  options.output_times.clear();
  options.output_step = duration / 20;
  options.estimate_error = true;
  return simulate(system, options);
}

// The largest difference of q, and of v, at a sample, beside the largest of them in the run.
double difference(const Simulation& a, const Simulation& b) {
  double worst = 0;
  for (const auto member : {&KeptSample::q, &KeptSample::v}) {
    double size = 0, error = 0;
    for (std::size_t s = 0; s < a.samples.size(); ++s) {
      const std::vector<double>&x = a.samples[s].*member, &y = b.samples[s].*member;
      for (std::size_t i = 0; i < x.size(); ++i) {
        size = std::max(size, std::abs(x[i]));
        if (!(std::abs(x[i] - y[i]) <= error)) error = std::abs(x[i] - y[i]);
      }
    }
    if (!(error <= worst * size)) worst = error / size;
  }
  return worst;
}

void expect_same_bits(const Simulation& a, const Simulation& b) {
  ASSERT_EQ(a.samples.size(), b.samples.size());
  EXPECT_EQ(a.report.steps, b.report.steps);
  for (std::size_t s = 0; s < a.samples.size(); ++s) {
    EXPECT_EQ(a.samples[s].q, b.samples[s].q) << "t = " << a.samples[s].t;
    EXPECT_EQ(a.samples[s].v, b.samples[s].v) << "t = " << a.samples[s].t;
    EXPECT_EQ(a.samples[s].lambda, b.samples[s].lambda) << "t = " << a.samples[s].t;
  }
}

// What the steps of a run leave where nothing grows: a part of the tolerance each, and rounding errors.
constexpr double round_off = 1e-13;

void expect_same_balance(const RunReport& compiled, const RunReport& plain) {
  EXPECT_LE(compiled.relative_position_residual, 10 * plain.relative_position_residual + round_off);
  EXPECT_LE(compiled.relative_velocity_residual, 10 * plain.relative_velocity_residual + round_off);
  const double scale = std::max(plain.energy_scale, std::numeric_limits<double>::min());
  EXPECT_LE(compiled.max_energy_error / scale, 10 * plain.max_energy_error / scale + round_off);
}

void expect_same_events(const RunReport& compiled, const RunReport& plain, double bound) {
  ASSERT_EQ(compiled.events.size(), plain.events.size());
  for (std::size_t i = 0; i < plain.events.size(); ++i) {
    EXPECT_EQ(compiled.events[i].name, plain.events[i].name);
    EXPECT_EQ(compiled.events[i].kind, plain.events[i].kind);
    EXPECT_NEAR(compiled.events[i].t, plain.events[i].t, bound * plain.end_time);
  }
}

// Two runs differ by at most the sum of their errors; each estimates its own to a factor of some tens
// (error_growth_test.cpp). Behind events there is no estimate: each adds rounding errors of its time.
double bound_of(const RunReport& a, const RunReport& b) {
  constexpr double factor = 30;
  const auto error = [](const RunReport& report) {
    return std::isnan(report.end_error) ? 0 : report.end_error;
  };
  return factor * (error(a) + error(b)) + round_off * (1 + static_cast<double>(a.events.size()));
}

void expect_same_motion(const System& system, double duration) {
  const Simulation plain = run(system, "off", duration);
  const Simulation compiled = run(system, "on", duration);
  const Simulation again = run(system, "on", duration);
  EXPECT_EQ(compiled.report.outcome, plain.report.outcome) << compiled.report.reason;
  EXPECT_TRUE(compiled.report.native_counts);
  EXPECT_FALSE(plain.report.native_counts);
  ASSERT_EQ(compiled.samples.size(), plain.samples.size());
  // behind signs of velocities the estimate may be far too careful
  const double bound = std::min(bound_of(compiled.report, plain.report), 1e-8);
  EXPECT_LT(difference(plain, compiled), bound);
  const auto steps = static_cast<double>(plain.report.steps);
  EXPECT_LE(static_cast<double>(compiled.report.steps), 1.5 * steps + 2);
  EXPECT_GE(static_cast<double>(compiled.report.steps), steps / 1.5 - 2);
  expect_same_balance(compiled.report, plain.report);
  expect_same_events(compiled.report, plain.report, bound);
  expect_same_bits(compiled, again);
}

class NativeRuns : public ::testing::TestWithParam<std::string> {};

TEST_P(NativeRuns, AreTheMotionsOfTheInterpreter) {
  const System system = testing::shipped_system(GetParam());
  if (system.expansion_program().plan->rows.size() > most_rows) GTEST_SKIP() << "too large for native code";
  expect_same_motion(system, short_duration(system));
}

INSTANTIATE_TEST_SUITE_P(Shipped, NativeRuns, ::testing::ValuesIn(test::mechanical_models()),
                         [](const auto& info) { return info.param; });

// Forces of multipliers: [M Dᵀ; C 0] is not symmetric.
const std::string wire = R"toml(
[coordinates]
x = { position = 1, velocity = 0.5 }
y = { position = 1, velocity = 1, guess = true }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraints]
holonomic = { wire = "y = x^2" }
[forces]
x = "FORCE"
[solve]
duration = 2
)toml";

std::string on_wire(const std::string& force) {
  std::string text = wire;
  return text.replace(text.find("FORCE"), 5, force);
}

// Constants change at the knots; the rod's length is one of the inputs.
const std::string inputs = R"toml(
[inputs]
push = { times = [0, 0.35, 0.5, 1.3, 2], values = [1, -0.5, 2, 2, -1] }
length = { times = [0, 0.4, 0.9, 1.5, 2], values = [1, 1.1, 0.9, 1, 1.05], interpolation = "cubic" }
[coordinates]
x = { position = 0.6, velocity = 0.3 }
y = { position = -0.8, velocity = 0.1, guess = true }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[forces]
x = "push*y"
[constraints]
holonomic = { rod = "x^2 + y^2 = length^2" }
[solve]
duration = 2
)toml";

// A skate on an icy hill that a string leads, by velocities, time and positions together.
const std::string led_skate = R"toml(
[coordinates]
x = { position = 0.2, velocity = 0.7 }
y = { position = -0.1, velocity = 0.3, guess = true }
angle = { position = 0.4, velocity = 1.1 }
s = { position = 0.1, velocity = 0, guess = true }
[energy]
kinetic = "(x'^2 + y'^2 + 0.2*angle'^2 + s'^2)/2"
potential = "0.3*x*y + cos(s)"
[forces]
angle = "-0.1*angle'*x'"
[constraints.nonholonomic]
blade = "sin(angle)*x' = cos(angle)*y'"
string = "s' + 0.2*s*x' - 0.1*angle*y' = 0.3*sin(2*t)"
[solve]
duration = 2
)toml";

// Steps end where arguments change their signs; the block sticks now and then.
const std::string switches = R"toml(
[coordinates]
x = { position = 0.3, velocity = 1 }
y = { position = -0.5, velocity = 2 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "x^2"
[forces]
x = "-0.8*sign(x') + 2*cos(3*t) - 5*max(x - y, 0)"
y = "-y'*abs(y') - 4*y + 5*max(x - y, 0)"
[solve]
duration = 2
)toml";

// Rows of redundant constraints change: the code was made for others.
const std::string redundant = R"toml(
[coordinates]
x = { position = 0 }
y = { position = 1 }
theta = { position = "pi/2", velocity = 3 }
[energy]
kinetic = "(x'^2 + y'^2 + theta'^2)/2"
potential = "2*y"
[constraints.holonomic]
circle = "x^2 + y^2 = 1"
across = "x = cos(theta)"
up = "y = sin(theta)"
[solve]
duration = 2
)toml";

// Forces that are sums of q and t alone, of which no other sum is made.
const std::string linear_forces = R"toml(
[coordinates]
x = { position = 0.3, velocity = 1 }
y = { position = -0.5, velocity = 2 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "x^2 + (x - y)^2"
[forces]
y = "60 - 40*t"
[solve]
duration = 2
)toml";

struct Case {
  const char* name;
  std::string text;
};

class NativeRunsOf : public ::testing::TestWithParam<Case> {};

TEST_P(NativeRunsOf, AreTheMotionsOfTheInterpreter) {
  expect_same_motion(System(read_model_text(GetParam().text)), 2);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, NativeRunsOf,
    ::testing::Values(Case{"ForcesOfMultipliers", on_wire("0.1*lambda(wire) - 0.2*x'")},
                      Case{"FrictionOfMultipliers", on_wire("-0.1*abs(lambda(wire))*sign(x')")},
                      Case{"Inputs", inputs}, Case{"LedSkate", led_skate}, Case{"Switches", switches},
                      Case{"Redundant", redundant}, Case{"LinearForces", linear_forces}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace dalembert

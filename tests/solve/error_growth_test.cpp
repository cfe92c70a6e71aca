// How many digits of the end a run trusts, beside how many are right.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::simulate;
using testing::Simulation;

struct EndState {
  RunReport report;
  double error = 0;  // of q and v, beside their largest values
};

EndState run(const System& system, const std::string& method, const std::vector<double>& q,
             const std::vector<double>& v, double tolerance = 0) {
  SolveOptions options = options_of(system.model());
  options.method = method;
  if (tolerance > 0) options.tolerance = tolerance;
  options.estimate_error = true;
  const Simulation run = simulate(system, options);
  EndState end{run.report};
  const auto compare = [&](const std::vector<double>& right, auto member) {
    double size = 0, error = 0;
    for (const auto& sample : run.samples)
      for (const double x : sample.*member) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < right.size(); ++i)
      error = std::max(error, std::abs((run.samples.back().*member)[i] - right[i]));
    end.error = std::max(end.error, error / size);
  };
  compare(q, &testing::KeptSample::q);
  compare(v, &testing::KeptSample::v);
  return end;
}

constexpr double factor = 30;  // between the estimate and the error, either way
void expect_right(const EndState& end, const std::string& method) {
  EXPECT_LT(end.report.end_error, factor * end.error) << method;
  EXPECT_GT(end.report.end_error, end.error / factor) << method;
}

// θ'' = sin θ on the way to its unstable top, tan(θ/4) = tan(θ(0)/4) e^−t: errors of the beginning grow by
// e^16 = 9e6.
TEST(ErrorGrowth, OfAPendulumThatComesToRestOnItsTop) {
  const System system(read_model_text(R"toml([coordinates]
theta = { position = 2, velocity = "-2*sin(1)" }
[energy]
kinetic = "theta'^2/2"
potential = "cos(theta)"
[solve]
duration = 16
)toml"));
  const double right = 4 * std::atan(std::tan(0.5) * std::exp(-16.0));
  for (const char* method : {"adomian", "dop853", "bdf", "ndf"}) {
    const EndState end = run(system, method, {right}, {-2 * std::sin(right / 2)});
    expect_right(end, method);
    EXPECT_GT(end.report.error_growth, 1e3) << method;
  }
}

TEST(ErrorGrowth, OfAnOscillationIsNone) {
  const System system(read_model_text(R"toml([coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[solve]
duration = 100
)toml"));
  for (const char* method : {"adomian", "dop853", "bdf", "ndf"}) {
    const EndState end = run(system, method, {std::cos(100.0)}, {-std::sin(100.0)});
    expect_right(end, method);
    EXPECT_LT(end.report.error_growth, 10) << method;
  }
}

// A free body that turns about its middle axis, which is unstable, and turns over several times. What grows
// on the way out of the saddle shrinks on the way in, which a rough estimate does not see: it may be too
// careful, not too hopeful.
TEST(ErrorGrowth, OfABodyAboutItsMiddleAxis) {
  const System system(read_model_text(R"toml(space = "space"
[[body]]
name = "box"
mass = 1
inertia = [1, 2, 3]
position = [0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0.001, 1, 0]
[solve]
duration = 60
output_step = 0.1
)toml"));
  SolveOptions options = options_of(system.model());
  options.digits = 30;
  std::vector<double> q, v;
  solve(system, options, SampleSink<Real>([&](const Sample<Real>& sample) {
          q.clear();
          v.clear();
          for (const Real& x : sample.q) q.push_back(static_cast<double>(x));
          for (const Real& x : sample.v) v.push_back(static_cast<double>(x));
          return true;
        }));
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const EndState end = run(system, method, q, v);
    EXPECT_GT(end.report.end_error, std::min(end.error, 1.0) / factor) << method;
    EXPECT_GT(end.report.error_growth, 30) << method;
  }
}

// Parts of a run between sliding and sticking: what was wrong before it sticks is so ever after. Half a
// period takes 2 μ N/k from the amplitude: 0.3, 0.22152, 0.14304, 0.06456, 0.01392.
TEST(ErrorGrowth, OfABlockThatRubsUntilItSticks) {
  const System system(read_model_text(R"toml([coordinates]
x = { position = 0.3, velocity = 0 }
[energy]
kinetic = "x'^2"
potential = "25*x^2"
[[friction]]
name = "ground"
normal = 19.62
slip = "x'"
friction = 0.1
[solve]
duration = 5
)toml"));
  for (const auto& [method, tolerance] :
       {std::pair{"dopri5", 1e-4}, {"dopri5", 1e-8}, {"bdf", 1e-6}, {"ndf", 1e-8}})
    expect_right(run(system, method, {-0.01392}, {0}, tolerance), method);
}

// x'' = u − x with u = t up to the knot at 11.5, 23 − t behind it.
TEST(ErrorGrowth, GoesOnAcrossTheKnotsOfAnInput) {
  const System system(read_model_text(R"toml([coordinates]
x = { position = 0, velocity = 0 }
[inputs]
u = { times = [0, 11.5, 13], values = [0, 11.5, 10] }
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[forces]
x = "u"
[solve]
duration = 12
)toml"));
  // t − sin t, less what u bends by 2 (t − 11.5)
  const double q = 12 - std::sin(12.0) - 2 * (0.5 - std::sin(0.5));
  const double v = 1 - std::cos(12.0) - 2 * (1 - std::cos(0.5));
  for (const char* method : {"dopri5", "dop853", "bdf", "ndf"})
    expect_right(run(system, method, {q}, {v}), method);
}

// Nothing but a drive moves it: the method is as far off as its constraints are.
TEST(ErrorGrowth, OfADrivenMotionIsThatOfItsConstraints) {
  const System system(read_model_text(R"toml([coordinates]
x = 0
y = 1
[energy]
kinetic = "(x'^2 + y'^2)/2"
[constraints]
holonomic = { a = "x = sin(2*t)", b = "y = cos(2*t)" }
)toml"));
  for (const char* method : {"bdf", "ndf"})
    expect_right(run(system, method, {std::sin(20), std::cos(20)}, {2 * std::cos(20), -2 * std::sin(20)}),
                 method);
}

// A disc between two fixed ones of radius 1, whose centres are 4 apart, flies on the line of centres, which
// is unstable: an error beside it grows by 3 + 2√2 from each impact to the next.
TEST(ErrorGrowth, BesideTheLineOfTwoDiscsIsThatOfTheBilliard) {
  const auto estimate = [](double duration) {
    const System system(read_model_text(R"toml([parameters]
r = "sqrt(2)"
[coordinates]
x = { position = 0, velocity = "1/sqrt(2)" }
y = { position = 0, velocity = "1/sqrt(2)" }
[energy]
kinetic = "(x'^2 + y'^2)/2"
[[contact]]
name = "left"
gap = "sqrt((x + r)^2 + (y + r)^2) - 1"
restitution = 1
[[contact]]
name = "right"
gap = "sqrt((x - r)^2 + (y - r)^2) - 1"
restitution = 1
[solve]
)toml" + ("duration = " + std::to_string(duration))));
    SolveOptions options = options_of(system.model());
    options.method = "dop853";  // its numbers are not all right, rounding is far below
    options.estimate_error = true;
    return simulate(system, options).report.end_error;
  };
  const double of_four = std::pow(3 + 2 * std::sqrt(2.0), 4);
  EXPECT_NEAR(std::log(estimate(14) / estimate(6)), std::log(of_four), 0.3);
}

// x'' = −x above an elastic floor at −1/2: x = cos t from each top to the next, which is 4π/3 later.
TEST(ErrorGrowth, OfABallOnASpringThatBouncesOffAFloor) {
  const System system(read_model_text(R"toml([coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[[contact]]
name = "floor"
gap = "x + 0.5"
restitution = 1
[solve]
duration = 50
)toml"));
  const double period = 4 * std::acos(-1.0) / 3, since = std::remainder(50, period);
  for (const char* method : {"adomian", "dop853", "bdf", "ndf"})
    expect_right(run(system, method, {std::cos(since)}, {-std::sin(since)}), method);
}

EndState end_of(const System& system, const std::string& method, double tolerance) {
  SolveOptions options = options_of(system.model());
  options.tolerance = tolerance;
  const Simulation right = simulate(system, options);
  return run(system, method, right.samples.back().q, right.samples.back().v);
}

// Each impact tells when and where the next one is.
TEST(ErrorGrowth, OfTwoBallsAboveAFloorGrowsWithTheirImpacts) {
  const System system(read_model_text(R"toml([coordinates]
low = 1
high = 2.3
[energy]
kinetic = "low'^2/2 + high'^2/4"
potential = "2*low^2 + high^2"
[[contact]]
name = "floor"
gap = "low + 0.3"
restitution = 1
[[contact]]
name = "balls"
gap = "high - low - 1"
restitution = 0.95
[solve]
duration = 12
)toml"));
  for (const char* method : {"dop853", "dopri5", "bdf"}) expect_right(end_of(system, method, 1e-16), method);
}

// The floor moves: the impact of a moved state is at another time of it.
TEST(ErrorGrowth, OfABallOnAFloorThatShakes) {
  const System system(read_model_text(R"toml([coordinates]
y = 0.3
[parameters]
k = 0.2
[energy]
kinetic = "y'^2/2"
potential = "y + k*y^2"
[[contact]]
name = "floor"
gap = "y - 0.05*sin(3*t)"
restitution = 0.9
[solve]
duration = 8
)toml"));
  for (const char* method : {"dop853", "dopri5", "bdf"}) expect_right(end_of(system, method, 1e-16), method);
}

TEST(ErrorGrowth, BehindAnEventThatSetsVelocitiesIsSaidToBeUnknown) {
  const auto run_to = [](const std::string& duration) {
    const System system(read_model_text(R"toml([coordinates]
y = 1
[energy]
kinetic = "y'^2/2"
potential = "y"
[[event]]
name = "bounce"
when = "y"
direction = "falling"
set = { "y'" = "-0.9*y'" }
[solve]
duration = )toml" + duration));
    SolveOptions options = options_of(system.model());
    options.estimate_error = true;
    return simulate(system, options).report;
  };
  const RunReport before = run_to("1"), behind = run_to("2");
  EXPECT_TRUE(std::isfinite(before.end_error));
  EXPECT_TRUE(before.warnings.empty());
  EXPECT_TRUE(std::isnan(behind.end_error));
  ASSERT_EQ(behind.warnings.size(), 1U);
  EXPECT_NE(behind.warnings[0].find("not across what the event 'bounce' does at t = 1.414"),
            std::string::npos)
      << behind.warnings[0];
}

}  // namespace
}  // namespace dalembert

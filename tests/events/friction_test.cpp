// Forces that depend on multipliers, and friction, beside their closed forms.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/settled_start.hpp>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::MethodCase;
using testing::run_text;
using testing::three_methods;
using testing::times_of;

const double gravity = 9.81;

const std::string rough_parabola = R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
y = { position = 1, velocity = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraints]
holonomic = { wire = "y = x^2" }
[forces]
x = "-0.1*abs(lambda(wire))*sign(x')"
[solve]
duration = 1
)toml";

// The wire's force on the bead is −λ (−2x, 1): with λ < 0 and x' < 0 the force is −0.1 λ, so that
//   x'' = 2 x λ − 0.1 λ,   y'' = −g − λ = 2 x'² + 2 x x''   give   λ (1 + 4 x² − 0.2 x) = −g − 2 x'².
// Integrated by the classical method of order 4 with small steps.
struct Bead {
  double x = 1, u = 0;
  static double multiplier(double x, double u) { return -(gravity + 2 * u * u) / (1 + 4 * x * x - 0.2 * x); }
  static double acceleration(double x, double u) { return (2 * x - 0.1) * multiplier(x, u); }
  void go(double end, int steps) {
    const double h = end / steps;
    for (int i = 0; i < steps; ++i) {
      const double k1 = acceleration(x, u);
      const double k2 = acceleration(x + h / 2 * u, u + h / 2 * k1);
      const double k3 = acceleration(x + h / 2 * u + h * h / 4 * k1, u + h / 2 * k2);
      const double k4 = acceleration(x + h * u + h * h / 2 * k2, u + h * k3);
      x += h * u + h * h / 6 * (k1 + k2 + k3);
      u += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
};

TEST(RoughParabola, IsThatOfTheEliminatedMultiplier) {
  Bead bead;
  bead.go(1, 20000);
  for (const auto& [method, error] : three_methods(2e-6)) {
    const auto run = run_text(rough_parabola, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    const auto& end = run.samples.back();
    EXPECT_NEAR(end.q[0], bead.x, error) << method.method;
    EXPECT_NEAR(end.v[0], bead.u, 10 * error) << method.method;
    EXPECT_NEAR(end.lambda[0], Bead::multiplier(bead.x, bead.u), 10 * error) << method.method;
    EXPECT_LT(run.report.max_energy_error, 1e3 * error) << method.method;
  }
}

// It turns round where x' is zero and stays where the slope is below the coefficient.
TEST(RoughParabola, TurnsAndSticks) {
  std::string text = rough_parabola;
  text.replace(text.find("-0.1*abs"), 8, "-0.5*abs");
  text.replace(text.find("duration = 1"), 12, "duration = 6");
  std::vector<double> reference;
  for (const auto& [method, error] : three_methods(2e-6)) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    ASSERT_EQ(run.report.events.size(), 2U) << method.method;
    EXPECT_EQ(run.report.events[0].kind, "sliding");
    EXPECT_EQ(run.report.events[1].kind, "sticking");
    const auto& end = run.samples.back();
    EXPECT_LT(std::abs(2 * end.q[0]), 0.5);
    EXPECT_NEAR(end.v[0], 0, 1e-12);
    EXPECT_NEAR(end.lambda[0], -gravity, 1e-9);
    if (reference.empty()) reference = {run.report.events[0].t, run.report.events[1].t, end.q[0]};
    EXPECT_NEAR(run.report.events[0].t, reference[0], 20 * error) << method.method;
    EXPECT_NEAR(run.report.events[1].t, reference[1], 20 * error) << method.method;
    EXPECT_NEAR(end.q[0], reference[2], 20 * error) << method.method;
  }
}

// Smooth: a drag that grows with the force of the wire.
TEST(MultiplierForces, AreSmoothWithoutSigns) {
  const std::string text = R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
y = { position = 1, velocity = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraints]
holonomic = { wire = "y = x^2" }
[forces]
x = "0.1*lambda(wire)"
[solve]
duration = 0.3
)toml";
  for (const auto& [method, error] : three_methods(2e-6)) {
    Bead bead;  // the force is −0.1 |λ| here, that of x' > 0
    const double h = 0.3 / 10000;
    const auto acceleration = [](double x, double u) {
      return (2 * x + 0.1) * -(gravity + 2 * u * u) / (1 + 4 * x * x + 0.2 * x);
    };
    for (int i = 0; i < 10000; ++i) {
      const double k1 = acceleration(bead.x, bead.u);
      const double k2 = acceleration(bead.x + h / 2 * bead.u, bead.u + h / 2 * k1);
      const double k3 = acceleration(bead.x + h / 2 * bead.u + h * h / 4 * k1, bead.u + h / 2 * k2);
      const double k4 = acceleration(bead.x + h * bead.u + h * h / 2 * k2, bead.u + h * k3);
      bead.x += h * bead.u + h * h / 6 * (k1 + k2 + k3);
      bead.u += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    const auto run = run_text(text, method);
    EXPECT_NEAR(run.samples.back().q[0], bead.x, error) << method.method;
    EXPECT_TRUE(run.report.events.empty());
  }
}

// Where λ falls through zero so do all forces of this bead: on y = sin(x)/2 at x = π.
TEST(MultiplierForces, ChangeTheirSignWithTheMultiplier) {
  const std::string model = R"toml([coordinates]
x = { position = 0, velocity = 2 }
y = 0
[energy]
kinetic = "(x'^2+y'^2)/2"
[constraints]
holonomic = { side = "y=0.5*sin(x)" }
[forces]
x = "-0.2*abs(lambda(side))"
y = "-0.1*abs(lambda(side))*cos(x)"
[outputs]
left = "x''-0.5*cos(x)*lambda(side)+0.2*abs(lambda(side))"
[solve]
duration = 2.4
output_step = 0.1
)toml";
  std::vector<double> ends;
  for (const auto& [method, error] : three_methods(2e-6)) {
    const auto run = run_text(model, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << ": " << run.report.reason;
    EXPECT_LT(run.samples.back().lambda[0], -1) << method.method;
    for (const auto& sample : run.samples)
      EXPECT_NEAR(sample.outputs[0], 0, 1e-13) << method.method << ' ' << sample.t;
    ends.push_back(run.samples.back().q[0]);
    EXPECT_NEAR(ends.back(), ends.front(), 10 * error) << method.method;
  }
}

TEST(MultiplierForces, AreRefusedByMethodsThatEliminateThem) {
  for (const char* method : {"nullspace", "partition", "augmented_lagrangian", "rattle"})
    EXPECT_THROW(run_text(rough_parabola, {method, 1e-3}), Error) << method;
}

TEST(MultiplierForces, MustBeLinearWhileSignsHold) {
  std::string text = rough_parabola;
  text.replace(text.find("abs(lambda(wire))"), 17, "lambda(wire)^2");
  try {
    run_text(text);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("not linear in lambda(wire)"), std::string::npos) << error.message();
  }
}

TEST(MultiplierForces, AreInTheSettledStart) {
  const System system(read_model_text(rough_parabola));
  Start start = find_start(system);
  settle_start(system, start);
  EXPECT_NEAR(start.a[0], Bead::acceleration(1, 0), 1e-14);
  EXPECT_NEAR(start.lambda[0], Bead::multiplier(1, 0), 1e-14);
}

std::string incline(double alpha, double mu, double velocity) {
  return fmt::format(R"toml(
[coordinates]
x = {{ position = 0, velocity = {2} }}
y = 0
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*(y*cos({0}) + x*sin({0}))"
[[contact]]
name = "plane"
gap = "y"
friction = {1}
slip = "x'"
[outputs]
friction = "lambda(plane.slip)"
[solve]
duration = 1
)toml",
                     alpha, mu, velocity);
}

// Upwards with −g (sin α + μ cos α); it stays where tan α < μ, else it comes back with −g (sin α − μ cos α).
TEST(Incline, StopsAndStaysOrComesBackAsItsSteepnessSays) {
  for (const auto& [method, error] : three_methods(2e-6)) {
    for (const double mu : {0.25, 0.35}) {
      const double alpha = 0.3, v = 2;
      const auto run = run_text(incline(alpha, mu, v), method);
      ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
      const double up = gravity * (std::sin(alpha) + mu * std::cos(alpha));
      const double down = gravity * (std::sin(alpha) - mu * std::cos(alpha));
      const double stop = v / up, top = v * v / (2 * up);
      ASSERT_EQ(run.report.events.size(), 1U);
      EXPECT_NEAR(run.report.events[0].t, stop, 1e-13) << method.method;
      EXPECT_EQ(run.report.events[0].kind, std::tan(alpha) < mu ? "sticking" : "sliding");
      const double back = std::tan(alpha) < mu ? 0 : down * (1 - stop) * (1 - stop) / 2;
      EXPECT_NEAR(run.samples.back().q[0], top - back, error) << method.method;
      EXPECT_NEAR(run.samples.back().q[1], 0, 1e-14);
    }
  }
}

TEST(Incline, HoldsAtRestByTheForceOfItsWeight) {
  const System system(read_model_text(incline(0.2, 0.25, 0)));
  double force = 0, place = 1;
  const RunReport report =
      solve(system, options_of(system.model()), SampleSink<double>([&](const auto& sample) {
              force = sample.outputs[0];
              place = sample.q[0];
              return true;
            }));
  EXPECT_TRUE(report.events.empty());
  EXPECT_EQ(place, 0);
  EXPECT_NEAR(force, gravity * std::sin(0.2), 1e-14);
}

// A sliding ball rolls at 2 v/(7 μ g), with 5/7 of its velocity.
TEST(BowlingBall, RollsAtTheTimeOfItsClosedForm) {
  const std::string text = R"toml(
[parameters]
R = 0.1
[coordinates]
x = { position = 0, velocity = 3 }
y = "R"
turn = { position = 0, velocity = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2 + R^2*turn'^2/5"
potential = "9.81*y"
[[contact]]
name = "lane"
gap = "y - R"
friction = 0.2
slip = "x' + R*turn'"
[solve]
duration = 1
)toml";
  for (const auto& [method, error] : three_methods(2e-6)) {
    const auto run = run_text(text, method);
    const std::vector<double> rolls = times_of(run.report, "lane", "sticking");
    ASSERT_EQ(rolls.size(), 1U) << method.method;
    EXPECT_NEAR(rolls[0], 2 * 3 / (7 * 0.2 * gravity), 1e-14) << method.method;
    EXPECT_NEAR(run.samples.back().v[0], 15.0 / 7, error) << method.method;
    EXPECT_NEAR(run.report.end_energy - run.report.start_energy, -9.0 / 7, error) << method.method;
  }
}

// In space the direction of the slip stays what it is: the path is a parabola until the ball rolls.
TEST(BowlingBall, RollsInSpaceAtTheSameTime) {
  const std::string text = R"toml(
[coordinates]
x = { position = 0, velocity = 3 }
y = { position = 0, velocity = 1 }
z = 0
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "9.81*z"
[[contact]]
name = "lane"
gap = "z"
friction = 0.2
slip = ["x'", "y' - 2"]
[solve]
duration = 2.5
)toml";
  const auto run = run_text(text);
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  const std::vector<double> sticks = times_of(run.report, "lane", "sticking");
  ASSERT_EQ(sticks.size(), 1U);
  EXPECT_NEAR(sticks[0], std::sqrt(10.0) / (0.2 * gravity), 1e-11);
  EXPECT_NEAR(run.samples.back().v[0], 0, 1e-11);
  EXPECT_NEAR(run.samples.back().v[1], 2, 1e-11);
}

// In a spring's field of ω = 2 a puck goes round, and its slip turns with it: integrated by the classical
// method of order 4.
TEST(Puck, KeepsSlidingWhileItsSlipTurnsRound) {
  const std::string text = R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
y = { position = 0, velocity = 2 }
z = 0
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "9.81*z + 2*(x^2 + y^2)"
[[contact]]
name = "table"
gap = "z"
friction = 0.01
slip = ["x'", "y'"]
[solve]
duration = 5
)toml";
  using State = std::array<double, 4>;
  const auto rate = [](const State& s) {
    const double speed = std::hypot(s[2], s[3]), drag = 0.01 * gravity / speed;
    return State{s[2], s[3], -4 * s[0] - drag * s[2], -4 * s[1] - drag * s[3]};
  };
  const auto moved = [](const State& s, double h, const State& k) {
    return State{s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2], s[3] + h * k[3]};
  };
  State s{1, 0, 0, 2};
  constexpr int steps = 20000;
  const double h = 5.0 / steps;
  for (int i = 0; i < steps; ++i) {
    const State k1 = rate(s), k2 = rate(moved(s, h / 2, k1)), k3 = rate(moved(s, h / 2, k2));
    const State k4 = rate(moved(s, h, k3));
    s = moved(moved(moved(moved(s, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  for (const MethodCase& one : std::vector<MethodCase>{{{"adomian"}, 1e-12},
                                                       {{"dop853", 0, 1e-12}, 1e-9},
                                                       {{"dopri5", 0, 1e-12}, 1e-9},
                                                       {{"bdf", 0, 1e-9}, 2e-6},
                                                       {{"ndf", 0, 1e-9}, 2e-6},
                                                       {{"generalized_alpha", 1e-3}, 1e-4}}) {
    const auto run = run_text(text, one.method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << one.method.method << run.report.reason;
    EXPECT_TRUE(run.report.events.empty()) << one.method.method;
    const auto& end = run.samples.back();
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(end.q[i], s[i], one.error) << one.method.method;
      EXPECT_NEAR(end.v[i], s[2 + i], 4 * one.error) << one.method.method;
    }
  }
}

// Pulled along (0.6, 0.8) by more than μ m g from t = 2 on, it slides along that line by (t − 2)²/2.
TEST(Puck, BeginsToSlideAlongTheForceThatPulls) {
  const std::string text = R"toml(
[parameters]
pull = 1
[coordinates]
x = 0
y = 0
z = 0
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "10*z - pull*(0.6*x + 0.8*y)"
[[contact]]
name = "table"
gap = "z"
friction = 0.2
slip = ["x'", "y'"]
[[event]]
name = "more"
after = 2
set = { pull = 3 }
[solve]
duration = 3
)toml";
  for (const MethodCase& one : std::vector<MethodCase>{{{"adomian"}, 1e-11},
                                                       {{"dop853", 0, 1e-12}, 1e-9},
                                                       {{"bdf", 0, 1e-9}, 1e-6},
                                                       {{"ndf", 0, 1e-9}, 1e-6}}) {
    const auto run = run_text(text, one.method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << one.method.method << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], 0.6 / 2, one.error) << one.method.method;
    EXPECT_NEAR(run.samples.back().q[1], 0.8 / 2, one.error) << one.method.method;
  }
}

// Pulled by t it holds until t = μ m g, and then slides by (t − 2)³/6.
TEST(Puck, BreaksLooseAtItsLimit) {
  const std::string text = R"toml(
[coordinates]
x = 0
y = 0
z = 0
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "10*z - t*(0.6*x + 0.8*y)"
[[contact]]
name = "table"
gap = "z"
friction = 0.2
slip = ["x'", "y'"]
[solve]
duration = 3
)toml";
  for (const EventCase& method :
       {EventCase{"adomian"}, EventCase{"bdf", 0, 1e-9}, EventCase{"ndf", 0, 1e-9}}) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    const std::vector<double> loose = times_of(run.report, "table", "sliding");
    ASSERT_EQ(loose.size(), 1U) << method.method;
    EXPECT_NEAR(loose[0], 2, 1e-12) << method.method;
    EXPECT_NEAR(run.samples.back().q[0], 0.1, 1e-7) << method.method;
    EXPECT_NEAR(run.samples.back().q[1], 0.8 / 6, 1e-7) << method.method;
  }
}

// On a belt of velocity u, with a spring k and m = 1: it sticks until k x = μs g and slides with ω² = k about
// x0 = μ g/k. With A = (μs − μ) g/k it slides for (2 π − 2 atan(A ω/u))/ω and sticks for 2 A/u.
TEST(StickSlip, HasThePeriodOfItsClosedForm) {
  const double k = 4, u = 0.2, mu = 0.3, mus = 0.5;
  const std::string text = R"toml(
[coordinates]
x = { position = 0, velocity = 0.2 }
y = 0
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y + 2*x^2"
[[contact]]
name = "belt"
gap = "y"
friction = 0.3
sticking = 0.5
slip = "x' - 0.2"
[solve]
duration = 30
)toml";
  const double omega = std::sqrt(k), amplitude = (mus - mu) * gravity / k;
  const double slides = (2 * std::acos(-1.0) - 2 * std::atan(amplitude * omega / u)) / omega;
  const double period = slides + 2 * amplitude / u;
  for (const auto& [method, error] : three_methods(2e-6)) {
    const auto run = run_text(text, method);
    const std::vector<double> off = times_of(run.report, "belt", "sliding");
    const std::vector<double> on = times_of(run.report, "belt", "sticking");
    ASSERT_GE(off.size(), 3U) << method.method << run.report.reason;
    const double share = method.method == "adomian" ? 1e-13 : error;
    EXPECT_NEAR(off[0], mus * gravity / k / u, 1e-12) << method.method;
    EXPECT_NEAR(on[0] - off[0], slides, 20 * share) << method.method;
    EXPECT_NEAR(off[2] - off[1], period, 40 * share) << method.method;
  }
}

// Pushed by t: it holds until t = μ m g and then has the acceleration t − μ m g.
TEST(PushedBlock, BreaksLooseAtTheTimeOfItsLimit) {
  const std::string text = R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
y = 0
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "10*y"
[forces]
x = "t"
[[contact]]
name = "floor"
gap = "y"
friction = 0.2
slip = "x'"
[solve]
duration = 3
)toml";
  const std::vector<MethodCase> cases{{{"adomian"}, 1e-14},
                                      {{"dop853", 0, 1e-12}, 1e-9},
                                      {{"bdf", 0, 1e-9}, 1e-7},
                                      {{"ndf", 0, 1e-9}, 1e-7},
                                      {{"generalized_alpha", 1e-3}, 1e-6}};
  for (const auto& [method, error] : cases) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    const std::vector<double> loose = times_of(run.report, "floor", "sliding");
    ASSERT_EQ(loose.size(), 1U) << method.method;
    EXPECT_NEAR(loose[0], 2, 1e-14) << method.method;
    EXPECT_NEAR(run.samples.back().q[0], 1 + 1.0 / 6, error) << method.method;
  }
}

// The belt's way is t³/2, of data between which the spline is that polynomial: it sticks until 3 t = 0.5 g,
// whatever knots there are, and then has the acceleration 0.3 g.
TEST(BeltOfData, CarriesABlockOverKnotsUpToItsLimit) {
  const std::string text = R"toml(
[inputs]
way = { times = [0, 0.5, 1, 1.5, 2], values = [0, 0.0625, 0.5, 1.6875, 4], interpolation = "cubic" }
[coordinates]
x = 0
y = 0
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[[contact]]
name = "belt"
gap = "y"
friction = 0.3
sticking = 0.5
slip = "x' - way'"
[solve]
duration = 2
)toml";
  const double off = 0.5 * gravity / 3, left = 2 - off;
  const double end = off * off * off / 2 + 1.5 * off * off * left + 0.3 * gravity * left * left / 2;
  for (const MethodCase& one : std::vector<MethodCase>{{{"adomian"}, 1e-13},
                                                       {{"dop853", 0, 1e-12}, 1e-10},
                                                       {{"bdf", 0, 1e-9}, 1e-7},
                                                       {{"ndf", 0, 1e-9}, 1e-7},
                                                       {{"generalized_alpha", 1e-3}, 1e-5}}) {
    const auto run = run_text(text, one.method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << one.method.method << run.report.reason;
    ASSERT_EQ(run.report.events.size(), 1U) << one.method.method;
    EXPECT_NEAR(run.report.events[0].t, off, 1e-10) << one.method.method;
    EXPECT_NEAR(run.samples.back().q[0], end, one.error) << one.method.method;
  }
}

// On two corners, pushed by 10 t above its middle: at rest until 10 t = 0.4·5·9.81, then (10 t − 19.62)/5.
TEST(PushedBlock, OnTwoCornersRestsUpToTheLimitOfBoth) {
  const std::string text = R"toml(space = "plane"
[[body]]
name = "box"
shape = "box"
size = [1, 0.6]
mass = 5
position = [0, 0.3]
[[force]]
type = "gravity"
[[force]]
type = "force"
body = "box"
force = ["10*t", 0]
point = [0, 0.1]
[[contact]]
name = "floor"
between = ["ground", "box"]
normal = [0, 1]
friction = 0.4
[solve]
duration = 3
output_step = 0.1
)toml";
  for (const EventCase& method :
       {EventCase{"adomian"}, EventCase{"dop853", 0, 1e-12}, EventCase{"bdf", 0, 1e-10}}) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    for (const auto& sample : run.samples) {
      const double t = std::max(sample.t - 1.962, 0.0);
      EXPECT_NEAR(sample.q[0], t * t * t / 3, 1e-8) << method.method << ' ' << sample.t;
    }
  }
}

// The same where they stick by 0.5 and slide by 0.4, and where the box stands on a slope: what corners hold
// together does not depend on how they share it.
TEST(PushedBlock, OnTwoCornersBreaksLooseFromStickingAtOnce) {
  const std::string text = R"toml(space = "plane"
[[body]]
name = "box"
shape = "box"
size = [1, 0.6]
mass = 5
position = [-0.08865606199840186, 0.28660094673768177]
angle = 0.3
[[force]]
type = "gravity"
[[force]]
type = "force"
body = "box"
force = ["-10*t*cos(0.3)", "-10*t*sin(0.3)"]
[[contact]]
name = "slope"
between = ["ground", "box"]
normal = [-0.29552020666133955, 0.955336489125606]
friction = 0.4
sticking = 0.5
[solve]
duration = 3
)toml";
  // 10 t + m g sin 0.3 = 0.5 m g cos 0.3, then (10 t + m g sin 0.3 − 0.4 m g cos 0.3)/m down the slope
  const double pull = 5 * gravity * std::sin(0.3), press = 5 * gravity * std::cos(0.3);
  const double off = (0.5 * press - pull) / 10, left = 3 - off;
  const double way = (10 * off + pull - 0.4 * press) / 5 * left * left / 2 + left * left * left / 3;
  for (const EventCase& method :
       {EventCase{"adomian"}, EventCase{"dop853", 0, 1e-12}, EventCase{"bdf", 0, 1e-10}}) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    ASSERT_EQ(run.report.events.size(), 2U) << method.method;  // of both corners
    EXPECT_NEAR(run.report.events[0].t, off, 1e-9) << method.method;
    const auto& end = run.samples.back().q;
    EXPECT_NEAR(std::hypot(end[0] + 0.08865606199840186, end[1] - 0.28660094673768177), way, 1e-7)
        << method.method;
    EXPECT_NEAR(end[2], 0.3, 1e-9) << method.method;
  }
}

// How two feet share what holds a block is no unique answer; that it slides where both can hold no more is.
TEST(PushedBlock, OnTwoFeetSlidesAtTheLimitOfBoth) {
  const std::string text = R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
y = 0.1
turn = 0
[energy]
kinetic = "(x'^2 + y'^2)/2 + 0.05*turn'^2"
potential = "10*y"
[forces]
x = "t"
[[contact]]
name = "left"
gap = "y - 0.1*cos(turn) - 0.5*sin(turn)"
friction = 0.2
slip = "x' + 0.1*turn'"
[[contact]]
name = "right"
gap = "y - 0.1*cos(turn) + 0.5*sin(turn)"
friction = 0.2
slip = "x' + 0.1*turn'"
[solve]
duration = 3
)toml";
  for (const MethodCase& one : {MethodCase{{"adomian"}, 1e-13}, MethodCase{{"dop853", 0, 1e-12}, 1e-9}}) {
    const auto run = run_text(text, one.method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << one.method.method << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], 1 + 1.0 / 6, one.error) << one.method.method;
    EXPECT_NEAR(run.samples.back().q[2], 0, one.error);
  }
}

// A ball falls with velocity −w onto a floor and slides through the impact: Δv = −μ (1 + e) w.
TEST(Impacts, HaveTheImpulseOfFriction) {
  const auto text = [](double forwards) {
    return fmt::format(R"toml(
[parameters]
R = 0.1
[coordinates]
x = {{ position = 0, velocity = {} }}
y = {{ position = 0.6, velocity = 0 }}
turn = {{ position = 0, velocity = 0 }}
[energy]
kinetic = "(x'^2 + y'^2)/2 + R^2*turn'^2/5"
potential = "9.81*y"
[[contact]]
name = "floor"
gap = "y - R"
restitution = 0.5
friction = 0.2
slip = "x' + R*turn'"
[solve]
duration = 0.4
)toml",
                       forwards);
  };
  const double w = std::sqrt(2 * gravity * 0.5);
  const auto fast = run_text(text(5)), slow = run_text(text(0.5));
  ASSERT_EQ(fast.report.events.size(), 1U);
  EXPECT_NEAR(fast.report.events[0].v_after[0], 5 - 0.2 * 1.5 * w, 1e-13);
  EXPECT_NEAR(fast.report.events[0].v_after[1], 0.5 * w, 1e-13);
  // and grips where the limit allows: it rolls with 5/7 of its velocity
  EXPECT_NEAR(slow.report.events[0].v_after[0], 0.5 * 5 / 7, 1e-13);
  EXPECT_NEAR(slow.report.events[0].v_after[2], -0.5 * 5 / 7 / 0.1, 1e-12);
}

std::string sliding_rod(double mu, double omega) {
  return fmt::format(R"toml(
[parameters]
start = 1.2
[coordinates]
x = {{ position = 0, velocity = {2} }}
y = {{ position = "sin(start)/2", velocity = "cos(start)/2*({1})" }}
theta = {{ position = "start", velocity = {1} }}
[energy]
kinetic = "(x'^2 + y'^2)/2 + theta'^2/24"
potential = "9.81*y"
[[contact]]
name = "tip"
gap = "y - sin(theta)/2"
friction = {0}
slip = "x' + sin(theta)/2*theta'"
[solve]
duration = 0.1
)toml",
                     mu, omega, -5.0);
}

// The tip's acceleration by its force is 1 + 3 cos θ (cos θ − μ sin θ): it is negative for μ > 4/3 at tan θ =
// 2 and slips that push the rod into the floor [genotbrogliato1999].
TEST(PainlevesRod, IsNamedWhereTheParadoxIs) {
  const double theta = 1.2, c = std::cos(theta), s = std::sin(theta);
  const double critical = (1 + 3 * c * c) / (3 * s * c);
  EXPECT_EQ(run_text(sliding_rod(0.9 * critical, -1)).report.outcome, Outcome::finished);
  // no answer: the free acceleration ω² sin θ/2 − g presses
  const RunReport none = run_text(sliding_rod(1.1 * critical, -1)).report;
  EXPECT_EQ(none.outcome, Outcome::stopped_early);
  EXPECT_NE(none.reason.find("no accelerations satisfy Coulomb's law"), std::string::npos) << none.reason;
  EXPECT_NE(none.reason.find("'tip'"), std::string::npos) << none.reason;
  // several: it would fly off, and may be pressed as well
  const RunReport several = run_text(sliding_rod(1.1 * critical, -8)).report;
  EXPECT_EQ(several.outcome, Outcome::stopped_early);
  EXPECT_NE(several.reason.find("several accelerations satisfy Coulomb's law"), std::string::npos)
      << several.reason;
}

}  // namespace
}  // namespace dalembert

// Friction in joints and along guides, beside closed forms.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/shipped.hpp>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::EventCase;
using testing::MethodCase;
using testing::run_text;
using testing::three_methods;
using testing::times_of;

const double gravity = 9.81;

double output(const testing::Simulation& run, const System& system, const std::string& name,
              std::size_t sample) {
  const auto& outputs = system.model().outputs;
  const auto found = std::ranges::find(outputs, name, &NamedExpr::name);
  EXPECT_NE(found, outputs.end()) << name;
  return run.samples[sample].outputs[static_cast<std::size_t>(found - outputs.begin())];
}

std::string guided_block(double alpha, double mu, double velocity) {
  return fmt::format(R"toml(
[[body]]
name = "block"
mass = 3
inertia = 0.1
velocity = ["{2}*cos({0})", "{2}*sin({0})"]
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["ground", "block"]
point = [0, 0]
axis = ["cos({0})", "sin({0})"]
friction = {1}
[[force]]
type = "gravity"
[outputs]
place = "guide.slide"
[solve]
duration = 1
)toml",
                     alpha, mu, velocity);
}

// Upwards with −g (sin α + μ cos α); it stays where tan α < μ, else it comes back with −g (sin α − μ cos α).
TEST(Guide, StopsAndStaysOrComesBackAsItsSteepnessSays) {
  for (const auto& [method, error] : three_methods(5e-6)) {
    for (const double mu : {0.25, 0.35}) {
      const double alpha = 0.3, v = 2;
      const System system(read_model_text(guided_block(alpha, mu, v)));
      const auto run = run_text(guided_block(alpha, mu, v), method);
      ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
      const bool stays = std::tan(alpha) < mu;
      const double stop = v / (gravity * (std::sin(alpha) + mu * std::cos(alpha)));
      ASSERT_EQ(run.report.events.size(), 1U);
      EXPECT_NEAR(run.report.events[0].t, stop, std::max(error, 1e-13)) << method.method;
      EXPECT_EQ(run.report.events[0].kind, stays ? "sticking" : "sliding");
      const double down = gravity * (std::sin(alpha) - mu * std::cos(alpha));
      const double end = v * stop / 2 - (stays ? 0 : down * (1 - stop) * (1 - stop) / 2);
      const std::size_t last = run.samples.size() - 1;
      EXPECT_NEAR(output(run, system, "place", last), end, 10 * error) << method.method;
      const double weight = 3 * gravity;
      const double held = stays ? weight * std::sin(alpha) : mu * weight * std::cos(alpha);
      EXPECT_NEAR(output(run, system, "guide.friction", last), held, 100 * error) << method.method;
      EXPECT_NEAR(output(run, system, "guide.friction", 0), -mu * weight * std::cos(alpha), 100 * error);
      EXPECT_LT(run.report.max_energy_error, 1e3 * error);
    }
  }
}

// On an arm that turns with ω in the horizontal plane Coriolis' force 2 m ω r' presses: outwards r'' + 2 μ ω
// r' − ω² r = 0.
TEST(Guide, OnATurningArmIsPressedByCoriolisForce) {
  const double mu = 0.3, omega = 2, r0 = 0.5;
  for (const double v0 : {0.4, 0.0}) {
    const std::string text = fmt::format(R"toml(
[[body]]
name = "arm"
mass = 1
inertia = 1
angular_velocity = 2
[[body]]
name = "block"
mass = 2
inertia = 0.01
position = [0.5, 0]
velocity = [{}, 1]
angular_velocity = 2
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "arm"]
point = [0, 0]
drive = "2*t"
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["arm", "block"]
points = [[0, 0], [0, 0]]
axis = [1, 0]
friction = 0.3
[outputs]
r = "guide.slide"
[solve]
duration = 1
)toml",
                                         v0);
    const double s = omega * (-mu + std::sqrt(1 + mu * mu)), u = omega * (-mu - std::sqrt(1 + mu * mu));
    const double b = (v0 - s * r0) / (u - s), a = r0 - b;
    for (const auto& [method, error] : three_methods(5e-6)) {
      const System system(read_model_text(text));
      const auto run = run_text(text, method);
      ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
      EXPECT_TRUE(times_of(run.report, "guide").empty()) << method.method;
      EXPECT_NEAR(output(run, system, "r", run.samples.size() - 1), a * std::exp(s) + b * std::exp(u),
                  50 * error)
          << method.method << " from " << v0;
    }
  }
}

// A rail under a crane: the force F at the height h over the rail turns the carriage; with supports L apart
// N₁ + N₂ = max(m g, 2 F h/L), as long as one of them does not lift the weight is what presses.
TEST(Guide, OnTwoSupportsIsPressedByTheCouple) {
  const double mu = 0.2, m = 2, length = 0.5, height = 0.8, force = 30;
  const std::string text = R"toml(
[[body]]
name = "carriage"
mass = 2
inertia = 0.3
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "carriage"]
points = [[0, 0], [0, 0]]
axis = [1, 0]
friction = 0.2
support = 0.5
[[force]]
type = "gravity"
[[force]]
type = "force"
body = "carriage"
force = [30, 0]
point = [0, 0.8]
[outputs]
x = "rail.slide"
[solve]
duration = 1
)toml";
  const double pressed = std::max(m * gravity, 2 * force * height / length);
  const double a = (force - mu * pressed) / m;
  for (const auto& [method, error] : three_methods(5e-6)) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], a / 2, 100 * error) << method.method;
  }
}

std::string flywheel(const std::string& space) {
  const bool plane = space == "plane";
  return fmt::format(R"toml(
space = "{}"
[[body]]
name = "wheel"
mass = 5
inertia = {}
angular_velocity = {}
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "wheel"]
point = {}
{}
friction = 0.1
radius = 0.02
[[force]]
type = "gravity"
[solve]
duration = 25
)toml",
                     space, plane ? "0.04" : "[0.03, 0.03, 0.04]", plane ? "-3" : "[0, 0, -3]",
                     plane ? "[0, 0]" : "[0, 0, 0]", plane ? "" : "axis = [0, 0, 1]");
}

// Balanced, it slows down by μ r m g/J: on a level pin in the plane, in space on one that stands upright.
TEST(Pin, StopsABalancedWheelAtItsTime) {
  const double stop = 3 * 0.04 / (0.1 * 0.02 * 5 * gravity);
  for (const char* space : {"plane", "space"}) {
    for (const auto& [method, error] : three_methods(5e-6)) {
      const System system(read_model_text(flywheel(space)));
      const auto run = run_text(flywheel(space), method);
      ASSERT_EQ(run.report.outcome, Outcome::finished) << space << method.method << run.report.reason;
      const std::vector<double> stops = times_of(run.report, "pin", "sticking");
      ASSERT_EQ(stops.size(), 1U) << space << method.method;
      EXPECT_NEAR(stops[0], stop, 10 * error) << space << method.method;
      EXPECT_NEAR(output(run, system, "pin.friction", 0), 0.1 * 0.02 * 5 * gravity, 10 * error);
      EXPECT_NEAR(output(run, system, "pin.friction", run.samples.size() - 1), 0, 1e-12);
    }
  }
}

// A hoop of the radius r that is its shaft's, on a level shaft: slide' and r θ' slow down together, by μ g of
// their resultant, and stop at one time.
TEST(Sleeve, SlidesAndTurnsAgainstOneForceOfFriction) {
  const double mu = 0.15, m = 2, r = 0.1, v = 0.8, spin = 6;
  const std::string text = fmt::format(R"toml(
space = "space"
[[body]]
name = "sleeve"
mass = {0}
inertia = [{1}, 0.03, 0.03]
velocity = [{2}, 0, 0]
angular_velocity = [{3}, 0, 0]
[[joint]]
name = "shaft"
type = "cylindrical"
bodies = ["ground", "sleeve"]
point = [0, 0, 0]
axis = [1, 0, 0]
friction = {4}
radius = {5}
[[force]]
name = "weight"
type = "gravity"
[solve]
duration = 2
)toml",
                                       m, m * r * r, v, spin, mu, r);
  const double slip = std::hypot(v, r * spin), stop = slip / (mu * gravity);
  for (const EventCase& method : {EventCase{}, EventCase{"dop853", 0, 1e-11}}) {
    const System system(read_model_text(text));
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    const std::vector<double> stops = times_of(run.report, "shaft", "sticking");
    ASSERT_EQ(stops.size(), 1U) << method.method;
    EXPECT_NEAR(stops[0], stop, 1e-8) << method.method;
    EXPECT_NEAR(output(run, system, "shaft.friction", 0), -mu * m * gravity * v / slip, 1e-8);
    EXPECT_NEAR(output(run, system, "shaft.friction_torque", 0), -mu * m * gravity * r * r * spin / slip,
                1e-8);
    EXPECT_NEAR(run.samples.back().q[0], v * stop / 2, 1e-8) << method.method;
  }
}

// m l² θ'' (1 + κ) = −m g l sin θ − μ r R sign θ' with the force of the pin
//   R² = m² ((l θ'² + g cos θ)² + (g sin θ + l θ'')²),
// solved for θ'' by bisection of what is a monotone function, and integrated by the classical method of
// order 4.
struct PinnedPendulum {
  double m = 2, l = 0.7, J = 0.3, mu = 0.2, r = 0.05;
  double theta = 1.2, omega = 0;

  double acceleration(double angle, double rate, double direction) const {
    const auto excess = [&](double a) {
      const double R =
          m * std::hypot(l * rate * rate + gravity * std::cos(angle), gravity * std::sin(angle) + l * a);
      return (J + m * l * l) * a + m * gravity * l * std::sin(angle) + mu * r * R * direction;
    };
    double low = -200, high = 200;
    for (int i = 0; i < 80; ++i) (excess((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    return (low + high) / 2;
  }
  void step(double h, double direction) {
    const auto f = [&](double x, double u) { return acceleration(x, u, direction); };
    const double k1 = f(theta, omega);
    const double k2 = f(theta + h / 2 * omega, omega + h / 2 * k1);
    const double k3 = f(theta + h / 2 * omega + h * h / 4 * k1, omega + h / 2 * k2);
    const double k4 = f(theta + h * omega + h * h / 2 * k2, omega + h * k3);
    theta += h * omega + h * h / 6 * (k1 + k2 + k3);
    omega += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
};

const std::string pinned_pendulum = R"toml(
[[body]]
name = "bob"
mass = 2
inertia = 0.3
position = ["0.7*sin(1.2)", "-0.7*cos(1.2)"]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "bob"]
point = [0, 0]
friction = 0.2
radius = 0.05
[[force]]
type = "gravity"
[outputs]
theta = "pin.angle + 1.2"
[solve]
duration = 0.6
)toml";

TEST(Pin, SlowsAPendulumByTheSizeOfItsForce) {
  PinnedPendulum reference;
  constexpr int steps = 6000;
  for (int i = 0; i < steps; ++i) reference.step(0.6 / steps, -1);
  ASSERT_LT(reference.omega, 0);
  for (const auto& [method, error] : three_methods(5e-6)) {
    const System system(read_model_text(pinned_pendulum));
    const auto run = run_text(pinned_pendulum, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    const std::size_t last = run.samples.size() - 1;
    EXPECT_NEAR(output(run, system, "theta", last), reference.theta, std::max(error, 1e-12)) << method.method;
    EXPECT_NEAR(run.samples[last].v[2], reference.omega, std::max(5 * error, 1e-12)) << method.method;
    EXPECT_LT(run.report.max_energy_error, 1e3 * error) << method.method;
  }
}

// It swings less and less, and stays where the weight is below the friction that sticks: m g l sin θ <= μ r m
// g.
TEST(Pin, HoldsAPendulumWhereItsWeightIsLess) {
  std::string text = pinned_pendulum;
  text.replace(text.find("friction = 0.2"), 14, "friction = 0.9");
  text.replace(text.find("radius = 0.05"), 13, "radius = 0.20");
  text.replace(text.find("duration = 0.6"), 14, "duration = 10");
  std::vector<double> times;
  for (const MethodCase& one : {MethodCase{{"adomian"}, 1e-13}, MethodCase{{"dop853", 0, 1e-12}, 1e-9}}) {
    const System system(read_model_text(text));
    const auto run = run_text(text, one.method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << one.method.method << run.report.reason;
    ASSERT_FALSE(run.report.events.empty());
    EXPECT_EQ(run.report.events.back().kind, "sticking");
    const std::size_t last = run.samples.size() - 1;
    const double theta = output(run, system, "theta", last);
    EXPECT_LE(std::abs(0.7 * std::sin(theta)), 0.9 * 0.2 * (1 + 1e-12));
    EXPECT_NEAR(output(run, system, "pin.friction", last), 2 * gravity * 0.7 * std::sin(theta), 1e-10);
    std::vector<double> own;
    for (const EventRecord& event : run.report.events) own.push_back(event.t);
    if (times.empty()) times = own;
    ASSERT_EQ(own.size(), times.size());
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(own[i], times[i], 100 * one.error);
  }
}

const std::string rubbing_slider_crank = R"toml(
[[body]]
name = "crank"
shape = "rod"
length = 0.3
mass = 1
position = [0.15, 0]
angular_velocity = 20
[[body]]
name = "rod"
shape = "rod"
length = 1
mass = 1.5
position = [0.8, 0]
[[body]]
name = "slider"
mass = 2
inertia = 0.1
position = [1.3, 0]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0]
friction = 0.05
radius = 0.03
[[joint]]
name = "crankpin"
type = "revolute"
bodies = ["crank", "rod"]
point = [0.3, 0]
friction = 0.05
radius = 0.02
[[joint]]
name = "wrist"
type = "revolute"
bodies = ["rod", "slider"]
point = [1.3, 0]
friction = 0.05
radius = 0.02
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["ground", "slider"]
point = [1.3, 0]
axis = [1, 0]
friction = 0.1
[[force]]
type = "gravity"
[solve]
duration = 0.4
tolerance = 1e-12
)toml";

// All its work is in the balance of energy, and methods that share nothing but the equations agree.
TEST(SliderCrank, LosesWhatItsFrictionTakes) {
  std::vector<double> q;
  for (const auto& [method, error] : three_methods(5e-6)) {
    const auto run = run_text(rubbing_slider_crank, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    EXPECT_LT(run.report.end_energy, run.report.start_energy - 1) << method.method;
    EXPECT_LT(run.report.max_energy_error, 1e4 * error) << method.method;
    if (q.empty()) q = {run.samples.back().q.begin(), run.samples.back().q.end()};
    for (std::size_t i = 0; i < q.size(); ++i)
      EXPECT_NEAR(run.samples.back().q[i], q[i], 1e3 * error) << method.method;
  }
}

// Along a guide of a Lagrangian model: the wire's force is λ sqrt(1 + 4 x²), its slip the velocity along it.
// The bead is that of the friction by forces −μ |λ| (1, 2 x) sign x' of RoughParabola, with the same answer.
TEST(Friction, AlongAWireIsThatOfForcesByMultipliers) {
  const std::string head = R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
y = { position = 1, velocity = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraints]
holonomic = { wire = "y = x^2" }
)toml";
  const std::string by_key = head + R"toml(
[[friction]]
name = "rough"
normal = "lambda(wire)*sqrt(1 + 4*x^2)"
slip = "(x' + 2*x*y')/sqrt(1 + 4*x^2)"
friction = 0.3
[solve]
duration = 3
)toml";
  const std::string by_force = head + R"toml(
[forces]
x = "-0.3*abs(lambda(wire))*sign(x')"
y = "-0.3*abs(lambda(wire))*2*x*sign(x')"
[solve]
duration = 3
)toml";
  const auto one = run_text(by_key), other = run_text(by_force);
  ASSERT_EQ(one.report.outcome, Outcome::finished) << one.report.reason;
  ASSERT_EQ(one.report.events.size(), other.report.events.size());
  ASSERT_GE(one.report.events.size(), 2U);
  for (std::size_t i = 0; i < one.report.events.size(); ++i)
    EXPECT_NEAR(one.report.events[i].t, other.report.events[i].t, 1e-12);
  EXPECT_NEAR(one.samples.back().q[0], other.samples.back().q[0], 1e-12);
  EXPECT_EQ(one.report.events.back().kind, "sticking");
  EXPECT_LT(std::abs(2 * one.samples.back().q[0]), 0.3);
}

// Two discs that a given force presses: they turn as one after (ω₁ − ω₂)/(T (1/J₁ + 1/J₂)), with T = μ r F,
// and stay together while a motor's torque asks for less.
TEST(Friction, OfAClutchLocksAtItsTime) {
  const double J1 = 0.2, J2 = 0.5, omega = 100, capacity = 0.3 * 0.1 * 2000;
  const std::string text = R"toml(
[coordinates]
engine = { position = 0, velocity = 100 }
load = { position = 0, velocity = 0 }
[energy]
kinetic = "0.1*engine'^2 + 0.25*load'^2"
[forces]
engine = "20*t"
[[friction]]
name = "clutch"
normal = 2000
slip = "0.1*(engine' - load')"
friction = 0.3
[outputs]
torque = "-0.1*lambda(clutch.slip)"
[solve]
duration = 4
)toml";
  for (const auto& [method, error] : three_methods(5e-6)) {
    const auto run = run_text(text, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    // the slip ω − (T/J₁ + T/J₂) t + 10 t²/J₁
    const double b = capacity * (1 / J1 + 1 / J2), a = 10 / J1;
    const double lock = (b - std::sqrt(b * b - 4 * a * omega)) / (2 * a);
    const std::vector<double> locks = times_of(run.report, "clutch", "sticking");
    const std::vector<double> slips = times_of(run.report, "clutch", "sliding");
    ASSERT_EQ(locks.size(), 1U) << method.method;
    EXPECT_NEAR(locks[0], lock, 10 * error) << method.method;
    // locked it takes 20 t J₂/(J₁ + J₂) to the load
    EXPECT_NEAR(run.samples.back().v[0], run.samples.back().v[1], 1e-12);
    EXPECT_TRUE(slips.empty());
    EXPECT_NEAR(run.samples.back().outputs[0], 80 * J2 / (J1 + J2), 1e3 * error) << method.method;
    EXPECT_NEAR(J1 * run.samples.back().v[0] + J2 * run.samples.back().v[1], J1 * omega + 10 * 16,
                1e3 * error);
  }
}

// The shipped model: a load −k t slows its disc until both are as fast, and asks at last for more than what
// sticks.
TEST(Clutch, LocksAndSlipsAtTheTimesOfItsClosedForm) {
  const System system(read_model(find_model("clutch")));
  const double J1 = 0.2, J2 = 0.5, omega = 100, rise = 40, slides = 0.3 * 0.1 * 2000,
               sticks = 0.35 * 0.1 * 2000;
  const double b = slides * (1 / J1 + 1 / J2), a = rise / (2 * J2);
  const RunReport report = testing::simulate(system, options_of(system.model())).report;
  ASSERT_EQ(report.events.size(), 2U);
  EXPECT_EQ(report.events[0].kind, "sticking");
  EXPECT_NEAR(report.events[0].t, (b - std::sqrt(b * b - 4 * a * omega)) / (2 * a), 1e-13);
  EXPECT_EQ(report.events[1].kind, "sliding");
  EXPECT_NEAR(report.events[1].t, sticks * (J1 + J2) / (rise * J1), 1e-12);
}

// A size that the user writes is the one that a pin's key makes.
TEST(Sizes, AreReadInForces) {
  const std::string bead = R"toml(
[coordinates]
x = { position = 0, velocity = 3 }
y = 0
z = 0
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "3*y + 4*z"
[constraints]
holonomic = { level = "y", upright = "z" }
[forces]
x = "-0.2*hypot(lambda(level), lambda(upright))"
[solve]
duration = 2
)toml";
  for (const auto& [method, error] : three_methods(5e-6)) {
    const auto run = run_text(bead, method);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << method.method << run.report.reason;
    EXPECT_NEAR(run.samples.back().q[0], 3 * 2 - 0.2 * 5 * 2 * 2 / 2.0, 10 * error) << method.method;
  }
}

}  // namespace
}  // namespace dalembert

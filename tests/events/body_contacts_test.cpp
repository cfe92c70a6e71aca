// Contacts between bodies and stops of joints beside closed forms, and beside the same models by expressions.
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/expr/evaluate.hpp>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::all_methods_on_seconds;
using testing::EventCase;
using testing::run_text;
using testing::shipped_system;
using testing::simulate;
using testing::times_of;

const std::string weight = "[[force]]\ntype = \"gravity\"\n";

// A rod falls from the level onto its stop: J θ'²/2 = m g l/2 sin θ, J = m l²/3.
TEST(JointStop, IsStruckByAFallingRodWithTheEnergyOfItsFall) {
  for (const EventCase& one : all_methods_on_seconds()) {
    if (one.method == "euler") continue;
    const auto run = run_text(R"([[body]]
name = "rod"
shape = "rod"
length = 0.8
mass = 2
position = [0.4, 0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "rod"]
point = [0, 0]
limits = [-0.5, inf]
restitution = 0.6
)" + weight + "[solve]\nduration = 0.4\n",
                              one);
    ASSERT_GE(run.report.events.size(), 1U) << one.method;
    const EventRecord& stop = run.report.events[0];
    const double speed = std::sqrt(3 * 9.81 * std::sin(0.5) / 0.8);
    const double error = one.method == "adomian" ? 1e-13 : 1e-3;
    EXPECT_EQ(stop.name, "pin.lower") << one.method;
    EXPECT_NEAR(stop.q[2], -0.5, error) << one.method;
    EXPECT_NEAR(stop.v[2], -speed, 10 * error) << one.method;
    EXPECT_NEAR(stop.v_after[2], 0.6 * speed, 10 * error) << one.method;
    double impulse = 0;
    for (const auto& [name, size] : stop.impulses)
      if (name == "pin.lower") impulse = size;
    EXPECT_NEAR(impulse, 1.6 * speed * 2 * 0.8 * 0.8 / 3, 10 * error) << one.method;
  }
}

// At rest on its stop the guide carries no moment and the stop the weight.
TEST(JointStop, CarriesWhatRestsOnIt) {
  const System system(read_model_text(R"m([[body]]
name = "lift"
mass = 3
inertia = 1
position = [0, 0.7]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "lift"]
point = [0, 0.7]
axis = [0, 1]
start = 0.7
limits = [0.2, 2]
[outputs]
push = "lambda(rail.lower)"
)m" + weight + "[solve]\nduration = 1\noutput_step = 1\n"));
  std::map<std::string, double> last;
  solve(system, options_of(system.model()), SampleSink<double>([&](const Sample<double>& s) {
          for (std::size_t i = 0; i < s.outputs.size(); ++i)
            last[system.model().outputs[i].name] = s.outputs[i];
          return true;
        }));
  EXPECT_NEAR(last.at("push"), 3 * 9.81, 1e-12);
  EXPECT_NEAR(last.at("rail.force_y"), 3 * 9.81, 1e-12);
  EXPECT_NEAR(last.at("rail.force_1"), 3 * 9.81, 1e-12);
  EXPECT_NEAR(last.at("rail.moment"), 0, 1e-12);
}

// Between two stops without a force: flights of (upper − lower)/v, each e times as fast as the one before.
TEST(JointStop, OnASlideIsStruckInTurn) {
  const auto run = run_text(R"([[body]]
name = "slider"
mass = 1
inertia = 1
position = [0, 0]
velocity = [3, 0]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "slider"]
point = [0, 0]
axis = [1, 0]
limits = [-1, 2]
restitution = 0.5
[solve]
duration = 15
)");
  const std::vector<double> upper = times_of(run.report, "rail.upper");
  const std::vector<double> lower = times_of(run.report, "rail.lower");
  ASSERT_EQ(upper.size(), 2U);
  ASSERT_EQ(lower.size(), 2U);
  EXPECT_NEAR(upper[0], 2.0 / 3, 1e-15);
  EXPECT_NEAR(lower[0], 2.0 / 3 + 2, 1e-15);
  EXPECT_NEAR(upper[1], 2.0 / 3 + 2 + 4, 1e-14);
  EXPECT_NEAR(lower[1], 2.0 / 3 + 2 + 4 + 8, 2e-14);
}

// Angles count on past half and full turns: the stops are at 7.5 rad and at −4 rad.
TEST(JointStop, OfAHingeInSpaceIsBeyondAFullTurn) {
  const auto run = run_text(R"(space = "space"
[[body]]
name = "door"
mass = 1
inertia = [1, 1, 2]
position = [0.5, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "door"]
point = [0, 0, 0]
axis = [0, 0, 1]
speed = 5
limits = [-4, 7.5]
restitution = 0.8
[solve]
duration = 5
)");
  ASSERT_EQ(run.report.events.size(), 2U) << run.report.reason;
  EXPECT_EQ(run.report.events[0].name, "hinge.upper");
  EXPECT_NEAR(run.report.events[0].t, 1.5, 1e-13);
  EXPECT_EQ(run.report.events[1].name, "hinge.lower");
  EXPECT_NEAR(run.report.events[1].t, 1.5 + 11.5 / 4, 1e-12);
}

// A nut on a screw of pitch 2 π h turns by s/h: m s'²/2 + J (s'/h)²/2, so that it falls with m g/(m + J/h²).
TEST(JointStop, OfAScrewLimitsItsSlide) {
  const auto run = run_text(R"(space = "space"
[[body]]
name = "nut"
mass = 2
inertia = [0.3, 0.3, 0.5]
position = [0, 0, 0]
[[joint]]
name = "thread"
type = "screw"
bodies = ["ground", "nut"]
point = [0, 0, 0]
axis = [0, 0, 1]
pitch = "2*pi*0.5"
limits = [-0.6, inf]
restitution = 0.3
)" + weight + "[solve]\nduration = 1\n");
  ASSERT_GE(run.report.events.size(), 1U) << run.report.reason;
  const double fall = 2 * 9.81 / (2 + 0.5 / 0.25);
  EXPECT_EQ(run.report.events[0].name, "thread.lower");
  EXPECT_NEAR(run.report.events[0].t, std::sqrt(2 * 0.6 / fall), 1e-13);
  EXPECT_NEAR(run.report.events[0].v_after[2], 0.3 * std::sqrt(2 * 0.6 * fall), 1e-13);
}

TEST(JointStop, OfACylindricalJointLeavesItsTurn) {
  const auto run = run_text(R"(space = "space"
[[body]]
name = "piston"
mass = 2
inertia = [0.3, 0.3, 0.5]
velocity = [0, 0, -1]
angular_velocity = [0, 0, 3]
position = [0, 0, 0]
[[joint]]
name = "bore"
type = "cylindrical"
bodies = ["ground", "piston"]
point = [0, 0, 0]
axis = [0, 0, 1]
limits = [-0.6, 0.2]
[solve]
duration = 1
)");
  ASSERT_EQ(run.report.events.size(), 1U) << run.report.reason;
  EXPECT_NEAR(run.report.events[0].t, 0.6, 1e-14);
  EXPECT_NEAR(run.samples.back().v[2], 0, 1e-15);
  const auto& v = run.samples.back().v;  // |ω| = 2 |p'|
  EXPECT_NEAR(2 * std::sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]), 3, 1e-13);
}

std::string cradle(double spacing, double restitution) {
  std::string text;
  for (int i = 1; i <= 5; ++i) {
    const double pivot = spacing * i, angle = i == 1 ? 0.3 : 0;
    text += fmt::format(
        "[[body]]\nname = \"ball{0}\"\nshape = \"sphere\"\nradius = 0.1\nmass = 1\nposition = [\"{1} - "
        "sin({2})\", \"-cos({2})\"]\n[[joint]]\nname = \"string{0}\"\ntype = \"distance\"\nbodies = "
        "[\"ground\", \"ball{0}\"]\npoints = [[{1}, 0], [0, 0]]\nlength = 1\n",
        i, pivot, angle);
  }
  return text + weight +
         fmt::format(
             "[[contact]]\nname = \"hit\"\nbetween = [\"ball*\", \"ball*\"]\nrestitution = {}\n"
             "[solve]\nduration = 0.6\noutput_step = 0.6\n",
             restitution);
}

// The first ball comes down after the quarter K(sin(0.15)) √(l/g) of its period; those that touch take the
// impact together: all gaps behind it open no faster than Newton's law says, v = (−3, 2, 2, 2, 2)/5.
TEST(NewtonsCradleOfBodies, ThatTouchPartByNewtonsLaw) {
  const auto run = run_text(cradle(0.2, 1));
  ASSERT_GE(run.report.events.size(), 1U) << run.report.reason;
  const EventRecord& hit = run.report.events[0];
  EXPECT_NEAR(hit.t, std::comp_ellint_1(std::sin(0.15)) / std::sqrt(9.81), 1e-13);
  const double speed = std::sqrt(2 * 9.81 * (1 - std::cos(0.3)));
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(hit.v_after[3 * i], (i == 0 ? -0.6 : 0.4) * speed, 1e-13) << i;
}

TEST(NewtonsCradleOfBodies, WithGapsTheLastBallTakesAll) {
  const auto run = run_text(cradle(0.2001, 1));
  ASSERT_EQ(run.report.events.size(), 4U) << run.report.reason;
  const auto& v = run.report.events.back().v_after;
  const double speed = std::sqrt(2 * 9.81 * (1 - std::cos(0.3)));
  EXPECT_NEAR(std::hypot(v[12], v[13]), speed, 2e-3);  // each was struck beside its lowest place
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(std::hypot(v[3 * i], v[3 * i + 1]), 1e-2) << i;
  EXPECT_NEAR(run.report.event_energy, 0, 1e-13);
}

// A string is a contact within a circle: the shipped model says the same by an expression.
TEST(Rope, IsAContactInsideACircle) {
  const System system = shipped_system("slack_pendulum");
  SolveOptions options = options_of(system.model());
  options.duration = 1.9;
  const RunReport by_hand = simulate(system, options).report;
  const RunReport by_name = run_text(fmt::format(R"m([[body]]
name = "bob"
mass = 1
inertia = 1
position = [0, -1]
velocity = ["sqrt(3.5*9.81)", 0]
[[contact]]
name = "string"
between = ["ground", "bob"]
inside = true
radii = [1, 0]
{}[solve]
duration = 1.9
)m",
                                                 weight))
                                .report;
  ASSERT_GE(by_hand.events.size(), 2U);
  ASSERT_GE(by_name.events.size(), 2U) << by_name.reason;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(by_name.events[i].kind, by_hand.events[i].kind) << i;
    EXPECT_NEAR(by_name.events[i].t, by_hand.events[i].t, 1e-13) << i;
    EXPECT_NEAR(by_name.events[i].q[0], by_hand.events[i].q[0], 1e-13) << i;
  }
}

// A disk within a ring of free radius R, struck from the chord at an angle α to the normal: all chords have
// the length 2 R cos α, and the angular momentum stays.
TEST(Billiard, InACircleHasChordsOfOneLength) {
  const auto run = run_text(R"([[body]]
name = "disk"
shape = "cylinder"
radius = 0.1
mass = 2
position = [0.4, 0]
velocity = [0, 1.5]
angular_velocity = 3
[[contact]]
name = "ring"
between = ["ground", "disk"]
inside = true
radii = [1.1, 0.1]
restitution = 1
[solve]
duration = 30
)");
  const std::vector<double> times = times_of(run.report, "ring");
  ASSERT_GT(times.size(), 20U);
  const double half_chord = std::sqrt(1 - 0.16);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], (1 + 2 * static_cast<double>(k)) * half_chord / 1.5, 1e-12 * (1 + times[k])) << k;
  for (const EventRecord& event : run.report.events) {
    EXPECT_NEAR(event.q[0] * event.v_after[1] - event.q[1] * event.v_after[0], 0.4 * 1.5, 1e-12);
    EXPECT_NEAR(event.v_after[2], 3, 1e-15);
  }
}

// Spheres of masses 1 and 3 meet obliquely: along the line of centres (1 + e) m₁ m₂/(m₁ + m₂) of their
// approach, across it and in their spins nothing.
TEST(Spheres, ExchangeWhatIsAlongTheLineOfCentres) {
  const auto run = run_text(R"(space = "space"
[[body]]
name = "a"
shape = "sphere"
radius = 0.2
mass = 1
position = [0, 0, 0]
velocity = [2, 0, 0]
angular_velocity = [1, 2, 3]
[[body]]
name = "b"
shape = "sphere"
radius = 0.3
mass = 3
position = [1, 0.3, 0]
[[contact]]
name = "hit"
between = ["a", "b"]
restitution = 0.5
[solve]
duration = 1
)");
  ASSERT_EQ(run.report.events.size(), 1U) << run.report.reason;
  const EventRecord& hit = run.report.events[0];
  EXPECT_NEAR(hit.t, (1 - 0.4) / 2, 1e-15);  // d = (0.4, 0.3, 0)
  const double impulse = 1.5 * 2 * 0.8 * 3 / 4;
  ASSERT_EQ(hit.impulses.size(), 1U);
  EXPECT_NEAR(hit.impulses[0].second, impulse, 1e-14);
  EXPECT_NEAR(hit.v_after[0], 2 - impulse * 0.8, 1e-14);
  EXPECT_NEAR(hit.v_after[1], -impulse * 0.6, 1e-14);
  EXPECT_NEAR(hit.v_after[7], impulse * 0.8 / 3, 1e-14);
  EXPECT_NEAR(hit.v_after[8], impulse * 0.6 / 3, 1e-14);
  for (std::size_t k = 3; k < 7; ++k) EXPECT_NEAR(hit.v_after[k], hit.v[k], 1e-15);
}

// Values of the slips of the first contact for coordinates and velocities by name.
std::vector<double> slips_of(const Model& model, const std::map<std::string, double>& state) {
  std::unordered_map<NodeId, double> values;
  for (const Parameter& parameter : model->parameters)
    values[parameter.symbol.id()] = evaluate<double>(parameter.value, values);
  for (const Coordinate& one : model->coordinates) {
    values[one.q.id()] = state.contains(one.name) ? state.at(one.name) : 0;
    values[one.v.id()] = state.contains(one.name + "'") ? state.at(one.name + "'") : 0;
  }
  std::vector<double> slips;
  for (const Slip& slip : model->contacts[0].slip) slips.push_back(evaluate<double>(slip.velocity, values));
  return slips;
}

// A disk on a plank that moves and turns, both spinning: the velocities of the two material points, by hand.
TEST(Slip, OfADiskOnAPlankIsThatOfThePointsThatTouch) {
  const Model model = read_model_text(R"([[body]]
name = "plank"
mass = 1
inertia = 1
position = [0, 0]
[[body]]
name = "disk"
shape = "cylinder"
radius = 0.2
mass = 1
position = [0.5, 0.2]
[[contact]]
name = "grip"
between = ["plank", "disk"]
normal = [0, 1]
friction = 0.3
)");
  const double angle = 0.4, along = 0.7;  // of the place of contact on the plank
  const double tx = std::cos(angle), ty = std::sin(angle);
  const double px = 0.1 + along * tx, py = -0.3 + along * ty;  // the contact
  const double cx = px - 0.2 * ty, cy = py + 0.2 * tx;         // the disk's centre
  const auto slips = slips_of(model, {{"plank.x", 0.1},
                                      {"plank.y", -0.3},
                                      {"plank.angle", angle},
                                      {"disk.x", cx},
                                      {"disk.y", cy},
                                      {"disk.angle", 1.1},
                                      {"plank.x'", 0.6},
                                      {"plank.y'", -0.2},
                                      {"plank.angle'", 1.5},
                                      {"disk.x'", -0.4},
                                      {"disk.y'", 0.9},
                                      {"disk.angle'", -2.5}});
  const double ux = (-0.4 + 2.5 * (py - cy)) - (0.6 - 1.5 * (py + 0.3));
  const double uy = (0.9 - 2.5 * (px - cx)) - (-0.2 + 1.5 * (px - 0.1));
  ASSERT_EQ(slips.size(), 1U);
  EXPECT_NEAR(slips[0], ux * tx + uy * ty, 1e-14);
}

// Two spheres that spin about axes of space, wherever the second has rolled to: v + ω × ρ of both, across the
// line of centres. Quaternions are those of the start, p' = (0, ω)/2.
TEST(Slip, OfSpheresIsAcrossTheLineOfCentres) {
  const Model model = read_model_text(R"(space = "space"
[[body]]
name = "a"
shape = "sphere"
radius = 0.2
mass = 1
position = [0, 0, 0]
[[body]]
name = "b"
shape = "sphere"
radius = 0.3
mass = 1
position = [0, 0, 0.5]
[[contact]]
name = "grip"
between = ["a", "b"]
friction = 0.3
)");
  using Eigen::Vector3d;
  const Vector3d n = Vector3d(2, -1, -1.5).normalized();
  const Vector3d va(0.3, -0.2, 0.8), vb(-0.5, 0.1, 0.4), wa(1, 2, -3), wb(-2, 0.5, 4);
  std::map<std::string, double> state{{"a.e0", 1}, {"b.e0", 1}};
  for (int i = 0; i < 3; ++i) {
    const std::string axis(1, "xyz"[i]);
    state["b." + axis] = 0.5 * n[i];
    state["a." + axis + "'"] = va[i];
    state["b." + axis + "'"] = vb[i];
    state[fmt::format("a.e{}'", i + 1)] = wa[i] / 2;
    state[fmt::format("b.e{}'", i + 1)] = wb[i] / 2;
  }
  const auto slips = slips_of(model, state);
  const Vector3d relative = vb - wb.cross(0.3 * n) - va - wa.cross(0.2 * n);
  const Vector3d across = relative - n.dot(relative) * n;
  ASSERT_EQ(slips.size(), 2U);
  EXPECT_NEAR(std::hypot(slips[0], slips[1]), across.norm(), 1e-14);
  // the tangents do not depend on the velocities: by three of them their product with n is seen
  state["b.x'"] += 1;
  const auto with_x = slips_of(model, state);
  EXPECT_NEAR(std::hypot(with_x[0] - slips[0], with_x[1] - slips[1]), std::sqrt(1 - n[0] * n[0]), 1e-14);
}

}  // namespace
}  // namespace dalembert

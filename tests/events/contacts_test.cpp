// Impacts and contacts beside their closed forms.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::all_methods_on_seconds;
using testing::EventCase;
using testing::run_text;
using testing::shipped_system;
using testing::simulate;
using testing::times_of;

// t_0 = √(2 h/g), t_k+1 = t_k + 2 t_0 e^(k+1); all of them end at t_0 (1 + e)/(1 − e).
TEST(BouncingBall, BouncesAndRestsAtTheTimesOfItsClosedForm) {
  for (const double e : {0.2, 0.5, 0.8}) {
    const System system = shipped_system("bouncing_ball", {{"e", fmt::format("{}", e)}});
    SolveOptions options = options_of(system.model());
    options.duration = 5;
    const auto run = simulate(system, options);
    const double first = std::sqrt(2 / 9.81);
    const std::vector<double> times = times_of(run.report, "floor");
    ASSERT_GE(times.size(), 10U);
    double t = first;
    for (std::size_t k = 0; k < 10; ++k) {
      EXPECT_NEAR(times[k], t, 1e-14 * std::max(1.0, t)) << e << ' ' << k;
      t += 2 * first * std::pow(e, static_cast<double>(k) + 1);
    }
    ASSERT_EQ(run.report.events.back().kind, "rest");
    const std::string& note = run.report.events.back().note;
    const double zeno = std::stod(note.substr(note.find("= ") + 2));
    EXPECT_NEAR(zeno, first * (1 + e) / (1 - e), 1e-12) << e;
    EXPECT_EQ(run.report.outcome, Outcome::finished);
    EXPECT_NEAR(run.samples.back().q[0], 0, 1e-15);
    EXPECT_NEAR(run.report.end_energy, 0, 1e-14);
    EXPECT_NEAR(run.report.event_energy, -9.81, 1e-12);
    EXPECT_LT(run.report.max_energy_error, 1e-13);
  }
}

TEST(BouncingBall, RestsByEveryMethod) {
  const System system = shipped_system("bouncing_ball");
  for (const EventCase& one : all_methods_on_seconds()) {
    if (one.method == "euler") continue;
    SolveOptions options = options_of(system.model());
    options.method = one.method;
    options.step = one.step;
    const auto run = simulate(system, options);
    EXPECT_EQ(run.report.outcome, Outcome::finished) << one.method << ' ' << run.report.reason;
    EXPECT_NEAR(times_of(run.report, "floor")[2], 2.5 * std::sqrt(2 / 9.81), 1e-5) << one.method;
    ASSERT_EQ(run.report.events.back().kind, "rest") << one.method;
    EXPECT_NEAR(run.samples.back().q[0], 0, 1e-9) << one.method;
  }
}

// From the lowest point with v² = 3.5 g l: slack where cos(angle from the top) = 1/2, then a parabola.
TEST(SlackPendulum, FliesAndIsCaughtWhereItsClosedFormSays) {
  const System system = shipped_system("slack_pendulum");
  for (const EventCase& one : all_methods_on_seconds()) {
    if (one.method == "euler") continue;
    SolveOptions options = options_of(system.model());
    options.method = one.method;
    options.step = one.step;
    options.duration = 1.9;
    const RunReport report = simulate(system, options).report;
    const double error = one.method == "adomian" ? 1e-13 : 1e-3;
    ASSERT_GE(report.events.size(), 2U) << one.method << report.reason;
    const EventRecord& slack = report.events[0];
    EXPECT_EQ(slack.kind, "opening") << one.method;
    EXPECT_NEAR(slack.q[1], 0.5, error) << one.method;
    const EventRecord& caught = report.events[1];
    EXPECT_EQ(caught.kind, "impact") << one.method;
    // the parabola that osculates the circle meets it again after 4 v sin(angle)/g... of its own formula
    const double x = slack.q[0], y = slack.q[1], u = slack.v[0], w = slack.v[1], g = 9.81;
    const double flight = caught.t - slack.t;
    EXPECT_NEAR(flight, 4 * w / g, 10 * error) << one.method;
    EXPECT_NEAR(std::hypot(x + u * flight, y + w * flight - g * flight * flight / 2), 1, 10 * error)
        << one.method;
    // the catch takes the velocity along the string
    EXPECT_NEAR(caught.q[0] * caught.v_after[0] + caught.q[1] * caught.v_after[1], 0, error) << one.method;
    EXPECT_LT(report.event_energy, 0) << one.method;
  }
}

std::string row_of_balls(int count, double gap, const std::string& law, double restitution) {
  std::string text = "[coordinates]\n";
  std::string kinetic;
  std::string contacts;
  for (int i = 1; i <= count; ++i) {
    text += i == 1 ? "x1 = { position = -1, velocity = 1 }\n" : fmt::format("x{} = {}\n", i, (i - 2) * gap);
    kinetic += fmt::format("{}x{}'^2/2", i > 1 ? " + " : "", i);
    if (i > 1)
      contacts += fmt::format(
          "[[contact]]\nname = \"c{0}\"\ngap = \"x{0} - x{1}\"\nrestitution = {2}\nlaw = \"{3}\"\n",
          i - 1 + 1, i - 1, restitution, law);
  }
  return text + "[energy]\nkinetic = \"" + kinetic + "\"\n" + contacts + "[solve]\nduration = 2\n";
}

TEST(NewtonsCradle, WithGapsTheLastBallTakesAll) {
  const auto run = run_text(row_of_balls(5, 0.01, "newton", 1));
  ASSERT_EQ(run.report.events.size(), 4U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(run.samples.back().v[i], i == 4 ? 1 : 0, 1e-14);
  EXPECT_NEAR(run.report.event_energy, 0, 1e-14);
}

// Three balls that touch: Λ = (4/3, 2/3), both laws; five by the same equations.
TEST(NewtonsCradle, StruckAtOnceItIsOneComplementarityProblem) {
  for (const char* law : {"newton", "poisson"}) {
    const auto run = run_text(row_of_balls(3, 0, law, 1));
    ASSERT_GE(run.report.events.size(), 1U) << law;
    // balls that go on side by side may touch again, by rounding errors of their speeds
    for (std::size_t i = 1; i < run.report.events.size(); ++i)
      EXPECT_NEAR(run.report.events[i].energy_change, 0, 1e-14) << law;
    const auto& impulses = run.report.events[0].impulses;
    ASSERT_EQ(impulses.size(), 2U) << law;
    EXPECT_NEAR(impulses[0].second, 4.0 / 3, 1e-14) << law;
    EXPECT_NEAR(impulses[1].second, 2.0 / 3, 1e-14) << law;
    const std::vector<double> expected{-1.0 / 3, 2.0 / 3, 2.0 / 3};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(run.samples.back().v[i], expected[i], 1e-14) << law;
  }
  const auto plastic = run_text(row_of_balls(3, 0, "newton", 0));
  for (const double v : plastic.samples.back().v) EXPECT_NEAR(v, 1.0 / 3, 1e-14);
  EXPECT_NEAR(plastic.report.event_energy, -1.0 / 3, 1e-14);
}

// A wall stops a pendulum of two coordinates: the rod takes part in the impact.
TEST(Impact, WithAConstraintKeepsIt) {
  for (const EventCase& one : all_methods_on_seconds()) {
    if (one.method == "euler") continue;
    const auto run = run_text(R"([coordinates]
x = 1
y = 0
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraints]
holonomic = { rod = "x^2 + y^2 - 1" }
[[contact]]
name = "wall"
gap = "x - 0.5"
restitution = 0.6
[solve]
duration = 0.8
)",
                              one);
    ASSERT_GE(run.report.events.size(), 1U) << one.method << run.report.reason;
    const EventRecord& impact = run.report.events[0];
    EXPECT_NEAR(impact.q[1], -std::sqrt(0.75), 1e-3) << one.method;
    // these drift off C v = 0, onto which the impact brings them
    const bool drifts = one.method == "bdf" || one.method == "ndf" || one.method == "generalized_alpha";
    const double error = drifts ? 1e-5 : 1e-9;
    EXPECT_NEAR(impact.v_after[0], -0.6 * impact.v[0], error) << one.method;
    EXPECT_NEAR(impact.v_after[1], -0.6 * impact.v[1], error) << one.method;
    EXPECT_NEAR(impact.energy_change, -0.64 * 9.81 * std::sqrt(0.75), 1e-2) << one.method;
    EXPECT_EQ(impact.impulses.size(), 2U) << one.method;
  }
}

// A mass on a table that sinks away with 15 m/s² after a while: it stays until a > g.
TEST(Contact, OpensWhereItsForceVanishes) {
  // the acceleration of the table is -t²: the mass leaves at t² = g = 4
  const auto run = run_text(R"toml([coordinates]
y = 0
[energy]
kinetic = "y'^2/2"
potential = "4*y"
[[contact]]
name = "table"
gap = "y + t^4/12"
[outputs]
push = "lambda(table)"
[solve]
duration = 4
output_step = 0.5
)toml");
  ASSERT_EQ(run.report.events.size(), 1U) << run.report.reason;
  EXPECT_EQ(run.report.events[0].kind, "opening");
  EXPECT_NEAR(run.report.events[0].t, 2, 1e-13);
  EXPECT_NEAR(run.samples.back().q[0], -16.0 / 12 - 8.0 / 3 * 2 - 2 * 4, 1e-12);
  EXPECT_EQ(run.report.outcome, Outcome::finished);
}

TEST(Contact, ThatIsStruckAtTheStartIsRecorded) {
  for (const char* method : {"adomian", "dop853"}) {
    const auto run = run_text(R"toml(
[coordinates]
y = { position = 0, velocity = -2 }
[energy]
kinetic = "y'^2/2"
potential = "10*y"
[[contact]]
name = "floor"
gap = "y"
restitution = 0.5
[solve]
duration = 0.15
)toml",
                              {method});
    ASSERT_EQ(run.report.events.size(), 1U) << method;
    const EventRecord& event = run.report.events[0];
    EXPECT_EQ(event.t, 0);
    EXPECT_EQ(event.kind, "impact");
    EXPECT_EQ(event.v[0], -2);
    EXPECT_NEAR(event.v_after[0], 1, 1e-15);
    EXPECT_NEAR(event.energy_change, -1.5, 1e-14);
    ASSERT_EQ(event.impulses.size(), 1U);
    EXPECT_NEAR(event.impulses[0].second, 3, 1e-14);
    EXPECT_NEAR(run.samples.back().q[0], 0.15 - 5 * 0.15 * 0.15, 1e-12);
  }
}

TEST(Contact, PenetratedAtTheStartIsAnErrorWithItsName) {
  try {
    run_text(
        "[coordinates]\ny = -0.1\n[energy]\nkinetic = \"y'^2/2\"\n[[contact]]\nname = \"floor\"\ngap = "
        "\"y\"\n");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the contact 'floor' is penetrated at the start: its gap is -0.1");
    EXPECT_EQ(error.where().line, 6);  // of its name
  }
}

// Two walls, a ball between them without friction: energy stays, no gap is ever negative.
TEST(Contact, BetweenTwoWallsKeepsEnergyAndGaps) {
  const auto run = run_text(R"([coordinates]
x = { position = 0.3, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[[contact]]
name = "left"
gap = "x"
restitution = 1
[[contact]]
name = "right"
gap = "1 - x"
restitution = 1
[solve]
duration = 20
output_step = 0.01
)");
  EXPECT_EQ(run.report.events.size(), 20U);
  for (std::size_t k = 0; k < run.report.events.size(); ++k)
    EXPECT_NEAR(run.report.events[k].t, 0.7 + static_cast<double>(k), 1e-13);
  for (const auto& sample : run.samples) {
    EXPECT_GE(sample.q[0], -1e-14);
    EXPECT_LE(sample.q[0], 1 + 1e-14);
    EXPECT_NEAR(sample.energy, 0.5, 1e-14);
  }
}

// A ball of another mass rests with its own weight: parameters that are given hold whatever contacts do.
TEST(GivenParameters, HoldWhenContactsCloseAndOpen) {
  const System ball(read_model_text(R"toml([parameters]
m = 1
[coordinates]
y = 1
[energy]
kinetic = "m*y'^2/2"
potential = "m*10*y"
[[contact]]
name = "floor"
gap = "y"
restitution = 0.5
[outputs]
push = "lambda(floor)"
[solve]
duration = 3
)toml"));
  const std::vector<NamedValue> heavy{{"m", 3}};
  const System other = ball.with_parameters(heavy);
  const auto run = simulate(other, options_of(other.model()));
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  EXPECT_NEAR(run.report.event_energy, -30, 1e-12);
  EXPECT_NEAR(run.samples.back().outputs[0], 30, 1e-12);
  EXPECT_NEAR(run.samples.back().q[0], 0, 1e-14);
}

}  // namespace
}  // namespace dalembert

// Events: found at their times by every method, in order, and what they change.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/builder.hpp>

#include "events/run_text.hpp"

namespace dalembert {
namespace {

using testing::all_methods_on_seconds;
using testing::EventCase;
using testing::run_text;
using testing::times_of;

constexpr double pi = 3.14159265358979323846;

// x = cos t
std::string oscillator(const std::string& events, double duration = 10) {
  return R"([parameters]
k = 1
[coordinates]
x = { position = 1, velocity = 0 }
[energy]
kinetic = "x'^2/2"
potential = "k*x^2/2"
[outputs]
twice = "2*x"
)" + events +
         fmt::format("\n[solve]\nduration = {}\noutput_step = 0.5\n", duration);
}

// How far from the closed form times may be: of each method's own errors.
double allowed(const EventCase& one) {
  if (one.method == "adomian") return 1e-14;
  if (one.method == "euler") return 1e-1;
  if (one.step > 0) return 1e-4;
  return 1e-5;
}

TEST(Events, AreFoundByEveryMethodAtEveryChangeOfSign) {
  const std::string model = oscillator("[[event]]\nname = \"middle\"\nwhen = \"x\"\n");
  for (const EventCase& one : all_methods_on_seconds()) {
    const RunReport report = run_text(model, one).report;
    ASSERT_EQ(report.events.size(), 3U) << one.method;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(report.events[k].t, (static_cast<double>(k) + 0.5) * pi, allowed(one)) << one.method;
      EXPECT_EQ(report.events[k].kind, k % 2 == 0 ? "falling" : "rising") << one.method;
      EXPECT_NEAR(report.events[k].q[0], 0, 10 * allowed(one)) << one.method;
    }
  }
}

TEST(Events, HaveDirectionsOutputsAccelerationsAndSeveralFunctions) {
  const auto model = oscillator(R"([[event]]
name = "up"
when = "twice"
direction = "rising"
[[event]]
name = "half"
when = ["x'' + 0.5", "x'' - 0.5"]
[[event]]
name = "late"
when = "x"
after = 4
count = 1
)");
  const RunReport report = run_text(model).report;
  ASSERT_EQ(times_of(report, "up").size(), 1U);
  EXPECT_NEAR(times_of(report, "up")[0], 1.5 * pi, 1e-14);
  const std::vector<double> half = times_of(report, "half");  // |cos t| = 1/2
  const std::vector<double> thirds{1, 2, 4, 5, 7, 8};
  ASSERT_EQ(half.size(), thirds.size());
  for (std::size_t k = 0; k < half.size(); ++k) EXPECT_NEAR(half[k], thirds[k] * pi / 3, 1e-13);
  ASSERT_EQ(times_of(report, "late").size(), 1U);
  EXPECT_NEAR(times_of(report, "late")[0], 1.5 * pi, 1e-14);
}

TEST(Events, AtOneInstantComeByPriority) {
  const RunReport report = run_text(oscillator(R"([[event]]
name = "second"
when = "x"
[[event]]
name = "first"
when = "3*x"
priority = 2
)"))
                               .report;
  ASSERT_GE(report.events.size(), 2U);
  EXPECT_EQ(report.events[0].name, "first");
  EXPECT_EQ(report.events[1].name, "second");
}

TEST(Events, OfEvenOrderAreNamedTouching) {
  // 1 + sin comes down to zero at 3 pi/2 and turns round
  const RunReport report = run_text(R"([coordinates]
x = { position = 0, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[[event]]
name = "graze"
when = "(x - 1)^2"
[[event]]
name = "thrice"
when = "(x - 1.5)^3"
[solve]
duration = 2
)")
                               .report;
  ASSERT_EQ(times_of(report, "graze").size(), 1U);
  EXPECT_EQ(report.events[0].kind, "touching");
  EXPECT_NEAR(report.events[0].t, 1, 1e-7);  // rounding errors hide it within their root
  ASSERT_EQ(times_of(report, "thrice", "rising").size(), 1U);
  EXPECT_NEAR(times_of(report, "thrice")[0], 1.5, 1e-4);
}

TEST(Events, AtTimesAreAtThemExactly) {
  for (const EventCase& one : all_methods_on_seconds()) {
    const RunReport report = run_text(oscillator(R"([[event]]
name = "tick"
every = 0.7
count = 3
[[event]]
name = "kick"
after = 2
set = { "x'" = 0, x = 1 }
)",
                                                 4),
                                      one)
                                 .report;
    EXPECT_EQ(times_of(report, "tick"), (std::vector<double>{0.7, 2 * 0.7, 3 * 0.7})) << one.method;
    EXPECT_EQ(times_of(report, "kick"), std::vector<double>{2}) << one.method;
    EXPECT_EQ(report.outcome, Outcome::finished) << one.method << report.reason;
  }
}

TEST(Events, StopTheRunWhereTheyAre) {
  for (const EventCase& one : all_methods_on_seconds()) {
    const auto run = run_text(oscillator("[[event]]\nname = \"home\"\nwhen = \"x\"\nstop = true\n"), one);
    EXPECT_EQ(run.report.outcome, Outcome::finished) << one.method;
    EXPECT_EQ(run.report.reason, "the event 'home' stops the run") << one.method;
    EXPECT_NEAR(run.report.end_time, pi / 2, allowed(one)) << one.method;
    EXPECT_EQ(run.samples.back().t, run.report.end_time) << one.method;
  }
}

// A restitution by hand: the times and heights of a bouncing ball.
TEST(Events, SetVelocitiesByTheStateBefore) {
  const std::string model = R"([coordinates]
y = 1
[energy]
kinetic = "y'^2/2"
potential = "9.81*y"
[[event]]
name = "bounce"
when = "y"
direction = "falling"
set = { "y'" = "-0.5*y'" }
[solve]
duration = 1.28
)";
  for (const EventCase& one : all_methods_on_seconds()) {
    if (one.method == "euler") continue;  // its parabolas are none
    const RunReport report = run_text(model, one).report;
    const std::vector<double> times = times_of(report, "bounce");
    ASSERT_GE(times.size(), 4U) << one.method;
    const double fall = std::sqrt(2 / 9.81);
    double t = fall;
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(times[k], t, one.method == "adomian" ? 1e-14 : allowed(one)) << one.method << ' ' << k;
      t += 2 * fall * std::pow(0.5, static_cast<double>(k) + 1);
    }
    EXPECT_NEAR(report.event_energy, -9.81 * (1 - std::pow(0.25, 4)), 1e-3) << one.method;
  }
}

TEST(Events, SetParametersAndSwitchForces) {
  const RunReport report = run_text(oscillator(R"([[event]]
name = "stiffen"
when = "x"
count = 1
set = { k = "4*k" }
)"))
                               .report;
  // from x' = -1 at pi/2 on: x = -sin(2 (t - pi/2))/2; the energy stays, as x is zero there
  EXPECT_NEAR(report.end_energy, 0.5, 1e-13);
  EXPECT_EQ(report.outcome, Outcome::finished);
  const auto pushed = run_text(R"toml([coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
[forces]
x = "1"
[[event]]
name = "off"
after = 1
disable = "force(x)"
[solve]
duration = 3
)toml");
  EXPECT_NEAR(pushed.samples.back().q[0], 2.5, 1e-13);
  EXPECT_NEAR(pushed.samples.back().v[0], 1, 1e-14);
}

// A rod breaks where it pulls with more than 2.5 m g, and its end flies on.
TEST(Events, OfReactionsDisableConstraints) {
  const std::string model = R"([parameters]
g = 9.81
[coordinates]
x = 1
y = 0
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "g*y"
[constraints]
holonomic = { rod = "(x^2 + y^2 - 1)/2" }
[[event]]
name = "breaks"
when = "lambda(rod) - 2.5*g"
disable = ["rod"]
[solve]
duration = 1
output_step = 0.01
)";
  for (const EventCase& one : all_methods_on_seconds()) {
    const auto run = run_text(model, one);
    ASSERT_EQ(run.report.events.size(), 1U) << one.method << run.report.reason;
    const EventRecord& event = run.report.events[0];
    // lambda = 3 g sin(depth angle), where sin = -y
    EXPECT_NEAR(event.q[1], -2.5 / 3, 30 * allowed(one)) << one.method;
    const double left = run.report.end_time - event.t;
    const auto& end = run.samples.back();
    EXPECT_NEAR(end.q[0], event.q[0] + event.v[0] * left, 1e-6) << one.method;
    EXPECT_EQ(end.lambda[0], 0) << one.method;
    EXPECT_TRUE(std::isnan(end.g[0])) << one.method;
  }
}

// Two disks: a clutch that closes is a plastic impact onto their constraint.
TEST(Events, EnableConstraintsByAPlasticImpact) {
  const std::string model = R"([coordinates]
a = { position = 0, velocity = 3 }
b = 0
[energy]
kinetic = "a'^2/2 + 2*b'^2/2"
[constraints]
nonholonomic = { clutch = "a' - b'" }
disabled = ["clutch"]
[[event]]
name = "engage"
after = 1
enable = ["clutch"]
[solve]
duration = 2
)";
  for (const EventCase& one : all_methods_on_seconds()) {
    if (one.method == "rattle") continue;  // for holonomic constraints
    const RunReport report = run_text(model, one).report;
    ASSERT_EQ(report.events.size(), 1U) << one.method << report.reason;
    EXPECT_NEAR(report.events[0].v_after[0], 1, 1e-12) << one.method;
    EXPECT_NEAR(report.events[0].v_after[1], 1, 1e-12) << one.method;
    EXPECT_NEAR(report.event_energy, -3, 1e-11) << one.method;  // 9/2 to 3/2
    ASSERT_EQ(report.events[0].impulses.size(), 1U) << one.method;
    EXPECT_EQ(report.events[0].impulses[0].first, "clutch");
    EXPECT_NEAR(report.events[0].impulses[0].second, 2, 1e-12) << one.method;
  }
}

TEST(Events, ThatContradictConstraintsStopTheRunWithTheirName) {
  const RunReport report = run_text(R"([coordinates]
x = 1
y = 0
[energy]
kinetic = "(x'^2 + y'^2)/2"
[constraints]
holonomic = { circle = "x^2 + y^2 - 1" }
[[event]]
name = "push"
after = 0.5
set = { x = 2 }
[solve]
duration = 1
)")
                               .report;
  EXPECT_EQ(report.outcome, Outcome::stopped_early);
  EXPECT_EQ(report.reason,
            "the constraint 'circle' does not hold where an event wants it to: it is off by 3");
  EXPECT_EQ(report.end_time, 0.5);
}

TEST(Events, ThatNeverLetTimeGoOnStopTheRun) {
  const RunReport report = run_text(oscillator(R"([[event]]
name = "stuck"
when = "x - 0.5"
direction = "falling"
set = { x = "0.5 + 1e-12" }
)"))
                               .report;
  EXPECT_EQ(report.outcome, Outcome::stopped_early);
  EXPECT_NE(report.reason.find("time does not go on: 'stuck' happened 13 times"), std::string::npos)
      << report.reason;
  EXPECT_NEAR(report.end_time, pi / 3, 1e-9);
}

// Bounces by hand accumulate: the run ends there, with their name.
TEST(Events, ThatAccumulateEndTheRunThere) {
  const RunReport report = run_text(R"([coordinates]
y = 1
[energy]
kinetic = "y'^2/2"
potential = "9.81*y"
[[event]]
name = "bounce"
when = "y"
direction = "falling"
set = { "y'" = "-0.5*y'" }
[solve]
duration = 5
)")
                               .report;
  EXPECT_EQ(report.outcome, Outcome::stopped_early);
  EXPECT_NE(report.reason.find("'bounce'"), std::string::npos) << report.reason;
  EXPECT_NEAR(report.end_time, 3 * std::sqrt(2 / 9.81), 1e-10);  // the last of those that count
}

// A polynomial of the motion x = t with known roots: all are found, none is invented.
TEST(Events, OfThousandRandomFunctionsAreTheirRoots) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(0.05, 9.95);
  std::size_t found = 0;
  for (int trial = 0; trial < 200; ++trial) {
    ModelBuilder builder;
    builder.coordinate("x", {.position = 0, .velocity = Text(1)}).kinetic("x'^2/2").solve("duration", 10);
    std::vector<std::vector<double>> roots(5);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      std::string text = "1";
      for (std::size_t k = 0; k <= i; ++k) {
        roots[i].push_back(place(random));
        text += fmt::format("*sin((x - {:.17g})/4)", roots[i].back());  // no other zero within 4 pi
      }
      std::ranges::sort(roots[i]);
      builder.event(fmt::format("e{}", i), {{"when", Text(text)}});
    }
    const System system(builder.build());
    const RunReport report = testing::simulate(system, options_of(system.model())).report;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const std::vector<double> times = times_of(report, fmt::format("e{}", i));
      ASSERT_EQ(times.size(), roots[i].size()) << "trial " << trial;
      for (std::size_t k = 0; k < times.size(); ++k, ++found) EXPECT_NEAR(times[k], roots[i][k], 1e-8);
    }
  }
  EXPECT_EQ(found, 3000U);
}

// Their series are sums of rows of the step, without a program.
TEST(Events, OfLinearFunctionsAreTheirZeros) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> share(-1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    const double a = share(random), b = share(random), c = share(random), d = 0.05 * share(random);
    const std::string when =
        fmt::format("{:.17g}*x + {:.17g}*x' + 0.5*({:.17g}*x'' - 0.2) + {:.17g}*t", a, b, c, d);
    const auto f = [&](double t) {
      return (a - 0.5 * c) * std::cos(t) - b * std::sin(t) - 0.1 + d * t;  // x = cos t
    };
    std::vector<double> zeros;
    constexpr double h = 1e-4;
    for (double t = 0; t + h < 9.5; t += h) {
      double low = t, high = t + h;
      if ((f(low) > 0) == (f(high) > 0)) continue;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        ((f(middle) > 0) == (f(low) > 0) ? low : high) = middle;
      }
      zeros.push_back(high);
    }
    const RunReport report =
        run_text(oscillator("[[event]]\nname = \"e\"\nwhen = \"" + when + "\"\n")).report;
    std::vector<double> times = times_of(report, "e");
    std::erase_if(times, [](double t) { return t > 9.4999; });
    ASSERT_EQ(times.size(), zeros.size()) << when;
    for (std::size_t i = 0; i < zeros.size(); ++i) {
      EXPECT_NEAR(times[i], zeros[i], 1e-9) << when;
      EXPECT_NEAR(f(times[i]), 0, 1e-13) << when;
    }
  }
}

TEST(Events, TooManyForTheMemoryAreAnErrorWithTheirPlace) {
  try {
    run_text(R"toml([coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
[[event]]
name = "tick"
every = 1e-9
[solve]
duration = 1
)toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("'tick' would happen 1.0e+09 times"), std::string::npos)
        << error.message();
    EXPECT_GT(error.where().line, 0);
  }
}

// Two counted ones, however many periods the run has; seven million would fill the memory.
TEST(Events, AtTimesThatAreCountedTakeNoMoreThanTheirCount) {
  const auto text = [](const std::string& keys) {
    return "[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n[[event]]\nname = \"tick\"\n" + keys +
           "\n[solve]\nduration = 1\n";
  };
  for (const char* action : {"", "set = { x = 1 }"}) {
    const RunReport report = run_text(text(std::string("every = 1e-9\ncount = 2\n") + action)).report;
    const std::vector<double> times = times_of(report, "tick");
    ASSERT_EQ(times.size(), 2U) << action;
    EXPECT_EQ(times[0], 1e-9);
    EXPECT_EQ(times[1], 2e-9);
  }
  EXPECT_THROW(run_text(text("every = 1.4e-7")), Error);
}

// Actions that contradict each other at one time: the larger priority prevails; without one the run stops.
TEST(Events, ThatContradictEachOtherStopTheRunUnlessOnePrevails) {
  const auto text = [](const std::string& one, const std::string& other, int priority) {
    return fmt::format(
        "[parameters]\nk = 0\n[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"1 + k\"\n"
        "[[event]]\nname = \"one\"\nafter = 0.5\npriority = {}\n{}\n[[event]]\nname = \"other\"\nafter = "
        "0.5\n{}\n[solve]\nduration = 1\n",
        priority, one, other);
  };
  const std::string set = "set = { k = 1 }", reset = "set = { k = 2 }";
  const std::string on = "enable = [\"force(x)\"]", off = "disable = [\"force(x)\"]";
  for (const auto& [one, other, name] :
       {std::tuple{set, reset, "'k' to 1 and 2"}, std::tuple{on, off, "one enables 'force(x)'"}}) {
    const RunReport report = run_text(text(one, other, 0)).report;
    EXPECT_EQ(report.outcome, Outcome::stopped_early);
    EXPECT_NE(report.reason.find("'one' and 'other' contradict each other"), std::string::npos);
    EXPECT_NE(report.reason.find(name), std::string::npos) << report.reason;
    EXPECT_EQ(report.end_time, 0.5);
  }
  const auto speed = [&](const std::string& one, const std::string& other, int priority) {
    return run_text(text(one, other, priority)).samples.back().v[0];
  };
  EXPECT_NEAR(speed(set, reset, 1), 0.5 + 2 * 0.5, 1e-14);
  EXPECT_NEAR(speed(set, reset, -1), 0.5 + 3 * 0.5, 1e-14);
  EXPECT_NEAR(speed(on, off, 1), 1, 1e-14);
  EXPECT_NEAR(speed(on, off, -1), 0.5, 1e-14);
  EXPECT_NEAR(speed(set, set, 0), 0.5 + 2 * 0.5, 1e-14);
}

// Ten within the run; those before it never happen, however many they are.
TEST(Events, AtTimesThatBeginFarBeforeTheRunAreThoseWithinIt) {
  const RunReport report = run_text(R"toml([coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
[[event]]
name = "tick"
after = 0.05
every = 0.1
[solve]
start = 1e6
duration = 1
)toml")
                               .report;
  EXPECT_EQ(report.outcome, Outcome::finished) << report.reason;
  const std::vector<double> times = times_of(report, "tick");
  ASSERT_EQ(times.size(), 10U);
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(times[i], 1e6 + 0.05 + 0.1 * static_cast<double>(i), 1e-9) << i;
}

TEST(Events, ThatSetWhatIsNoNumberAreNamed) {
  const auto reason = [](const std::string& set) {
    const RunReport report = run_text(R"toml([parameters]
k = 1
[coordinates]
x = { position = 0, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[[event]]
name = "jump"
when = "x - 1"
set = {)toml" + set + " }\n[solve]\nduration = 2\n")
                                 .report;
    EXPECT_EQ(report.outcome, Outcome::stopped_early);
    EXPECT_NEAR(report.end_time, 1, 1e-12);
    return report.reason;
  };
  EXPECT_EQ(reason("x = \"exp(1000*x)\""), "the event 'jump' sets 'x' to inf, which is no finite number");
  EXPECT_EQ(reason("\"x'\" = \"log(-x)\""), "the event 'jump' sets 'x'' to nan, which is no finite number");
}

// The derivative of a linear input jumps at its knots.
TEST(Events, AreFoundWhereInputsJump) {
  for (const char* method : {"adomian", "dop853"}) {
    const auto run = run_text(R"toml([inputs]
u = { times = [0, 1, 2, 3, 4], values = [0, 1, 0, 0, 2] }
[coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
[forces]
x = "u"
[[event]]
name = "turn"
when = "u'"
[[event]]
name = "steep"
when = "u' - 1.5 + 0*x"
direction = "rising"
[solve]
duration = 4
)toml",
                              {method});
    EXPECT_EQ(times_of(run.report, "turn"), (std::vector<double>{1, 3})) << method;
    EXPECT_EQ(times_of(run.report, "steep"), (std::vector<double>{3})) << method;
  }
}

TEST(Events, AreRefusedBackwardsAndWithDigits) {
  const System system(read_model_text(oscillator("[[event]]\nname = \"a\"\nwhen = \"x\"\n")));
  SolveOptions options = options_of(system.model());
  options.duration = -1;
  EXPECT_THROW(solve(system, options, SampleSink<double>()), Error);
  options.duration = 1;
  options.digits = 30;
  EXPECT_THROW(solve(system, options, SampleSink<Real>()), Error);
}

TEST(Events, AreWrittenToModelFilesAsTheyWereRead) {
  ModelBuilder builder;
  builder.coordinate("y", {.position = 1}).kinetic("y'^2/2").potential("9.81*y");
  builder.event(
      "bounce",
      {{"when", "y"}, {"direction", "falling"}, {"set", Value::table_of({{"y'", "-0.5*y'"}})}, {"count", 3}});
  builder.contact("floor", {{"gap", "y + 1"}, {"restitution", 0.5}, {"law", "poisson"}});
  const Model read = read_model_text(builder.text());
  ASSERT_EQ(read->events.size(), 1U);
  EXPECT_EQ(read->events[0].count, 3U);
  EXPECT_EQ(read->events[0].direction, Crossing::falling);
  ASSERT_EQ(read->contacts.size(), 1U);
  EXPECT_EQ(read->contacts[0].law, Contact::Law::poisson);
}

}  // namespace
}  // namespace dalembert

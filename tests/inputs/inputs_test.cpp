// Functions of time that are given by data, beside exact motions.
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/model/builder.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/output/row.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/solve/dense_output.hpp>

#include "events/run_text.hpp"
#include "temporary_folder.hpp"

namespace dalembert {
namespace {

using testing::all_methods_on_seconds;
using testing::EventCase;
using testing::run_text;
using testing::simulate;
using testing::Simulation;
using testing::times_of;

using Numbers = std::vector<double>;

std::string list(const Numbers& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(shortest(number));
  return fmt::format("[{}]", join(texts, ", "));
}

std::string input(const Numbers& times, const Numbers& values, const std::string& more = "") {
  return fmt::format("[inputs]\nu = {{ times = {}, values = {}{} }}\n", list(times), list(values), more);
}

// x'' = u
std::string pushed_mass(const std::string& inputs, double duration) {
  return inputs + fmt::format(R"([coordinates]
x = {{ position = 0.3, velocity = -0.2 }}
[energy]
kinetic = "x'^2/2"
[forces]
x = "u"
[outputs]
force = "u"
slope = "u'"
[solve]
duration = {}
output_step = 0.1
)",
                              duration);
}

const Numbers knots{0, 0.35, 0.5, 1.3, 2};
const Numbers heights{1, -0.5, 2, 2, -1};

struct Place {
  double x, v;
};

// Integrals of the polygon through the knots.
Place pushed_by_polygon(double t) {
  Place place{0.3, -0.2};
  for (std::size_t i = 0; i + 1 < knots.size() && t > knots[i]; ++i) {
    const double h = std::min(t, knots[i + 1]) - knots[i];
    const double slope = (heights[i + 1] - heights[i]) / (knots[i + 1] - knots[i]);
    place.x += h * (place.v + h * (heights[i] / 2 + h * slope / 6));
    place.v += h * (heights[i] + h * slope / 2);
  }
  return place;
}

double allowed(const EventCase& one) {
  if (one.method == "adomian") return 2e-15;
  if (one.method == "dop853") return 1e-12;
  if (one.method == "euler") return 2e-2;
  return 1e-5;
}

TEST(Inputs, PushAMassAlongAPolygonByEveryMethod) {
  const std::string model = pushed_mass(input(knots, heights), 2);
  for (const EventCase& one : all_methods_on_seconds()) {
    const Simulation run = run_text(model, one);
    ASSERT_EQ(run.report.outcome, Outcome::finished) << one.method << ' ' << run.report.reason;
    ASSERT_EQ(run.samples.size(), 21U) << one.method;
    EXPECT_TRUE(run.report.events.empty());
    for (const auto& sample : run.samples) {
      const Place exact = pushed_by_polygon(sample.t);
      EXPECT_NEAR(sample.q[0], exact.x, allowed(one)) << one.method << ' ' << sample.t;
      EXPECT_NEAR(sample.v[0], exact.v, allowed(one)) << one.method << ' ' << sample.t;
    }
  }
}

// At t = 2, where the polygon has pushed the mass, on the piece before.
System pushed_to_the_end() {
  return System(read_model_text(pushed_mass(input(knots, heights), 2))).with_inputs_at(2, true);
}

Problem problem_at_the_end(const System& system) {
  const Place last = pushed_by_polygon(2);
  Start start;
  start.t = 2;
  start.q = {last.x};
  start.v = {last.v};
  return make_problem(system, start);
}

// Backwards through the same places.
TEST(Inputs, AreFollowedBackwardsByEveryMethod) {
  const System system = pushed_to_the_end();
  for (const EventCase& one : all_methods_on_seconds()) {
    SolveOptions options = options_of(system.model());
    options.method = one.method;
    options.step = one.step;
    options.start = 2;
    options.duration = -2;
    Simulation run;
    run.report =
        solve(problem_at_the_end(system), options, SampleSink<double>([&](const Sample<double>& sample) {
                const Place exact = pushed_by_polygon(sample.t);
                EXPECT_NEAR(sample.q[0], exact.x, allowed(one)) << one.method << ' ' << sample.t;
                EXPECT_NEAR(sample.v[0], exact.v, allowed(one)) << one.method << ' ' << sample.t;
                run.samples.emplace_back();
                return true;
              }));
    ASSERT_EQ(run.report.outcome, Outcome::finished) << one.method << ' ' << run.report.reason;
    EXPECT_EQ(run.samples.size(), 21U) << one.method;
    EXPECT_EQ(run.report.end_time, 0) << one.method;
  }
}

TEST(Inputs, AreKeptAsDenseOutputBackwards) {
  const System system = pushed_to_the_end();
  DenseOutput motion(system);
  SolveOptions options = options_of(system.model());
  options.start = 2;
  options.duration = -2;
  options.dense_output = &motion;
  EXPECT_EQ(solve(problem_at_the_end(system), options, SampleSink<double>()).outcome, Outcome::finished);
  for (int i = 0; i <= 200; ++i) {
    const double t = 0.01 * i;
    EXPECT_NEAR(motion.at(t).q[0], pushed_by_polygon(t).x, 4e-15) << t;
    EXPECT_NEAR(motion.at(t).v[0], pushed_by_polygon(t).v, 4e-15) << t;
  }
}

TEST(Inputs, GoBackwardsWithoutEventsAlone) {
  const std::string event = "[[event]]\nname = \"through\"\nwhen = \"x\"\n";
  const System system(read_model_text(pushed_mass(input(knots, heights), 2) + event));
  SolveOptions options = options_of(system.model());
  options.start = 2;
  options.duration = -1;
  EXPECT_THROW(solve(system, options, SampleSink<double>()), Error);
}

// Steps that end at the knots keep the order of a method: a bend within a step would leave errors of 1e-4.
TEST(Inputs, KeepTheAccuracyOfMethodsAcrossBends) {
  const std::string model = pushed_mass(input(knots, heights), 2);
  for (const char* method : {"bdf", "dop853", "ndf"}) {
    const Simulation run = run_text(model, {method, 0, 1e-10});
    const Place exact = pushed_by_polygon(2);
    EXPECT_NEAR(run.samples.back().q[0], exact.x, 2e-9) << method;
    EXPECT_NEAR(run.samples.back().v[0], exact.v, 2e-9) << method;
  }
}

// u = 1 − 2t + 3t² − t³/2 through points at any times, so x = 0.3 − 0.2t + t²/2 − t³/3 + t⁴/4 − t⁵/40.
TEST(Inputs, CubicOnesAreThePolynomialThatTheirDataAreOf) {
  const auto u = [](double t) { return 1 + t * (-2 + t * (3 - t / 2)); };
  for (const Numbers& times : {Numbers{0, 0.3, 1.1, 2}, Numbers{0, 0.01, 0.4, 0.9, 1.7, 1.71, 2}}) {
    Numbers values;
    for (const double t : times) values.push_back(u(t));
    double shortest_gap = 1;  // slopes have rounding errors of values over it
    for (std::size_t i = 1; i < times.size(); ++i)
      shortest_gap = std::min(shortest_gap, times[i] - times[i - 1]);
    const std::string model = pushed_mass(input(times, values, R"(, interpolation = "cubic")"), 2);
    for (const char* method : {"adomian", "dop853", "bdf"}) {
      const Simulation run = run_text(model, {method, 0, method == std::string("adomian") ? 0 : 1e-11});
      const double error = method == std::string("adomian") ? 1e-14 : 1e-9;
      for (const auto& sample : run.samples) {
        const double t = sample.t;
        EXPECT_NEAR(sample.q[0], 0.3 + t * (-0.2 + t * (0.5 + t * (-1.0 / 3 + t * (0.25 - t / 40)))), error)
            << method << ' ' << t;
        EXPECT_NEAR(sample.outputs[0], u(t), 2e-14);
        EXPECT_NEAR(sample.outputs[1], -2 + t * (6 - 1.5 * t), 5e-15 / shortest_gap);
      }
    }
  }
}

TEST(Inputs, OfTwoOrThreePointsAreLinesAndParabolas) {
  const PiecewiseCubic line(Numbers{1, 3}, Numbers{2, 8}, Interpolation::cubic, false);
  EXPECT_DOUBLE_EQ(line.eval(2), 5);
  const PiecewiseCubic parabola(Numbers{0, 1, 3}, Numbers{0, 1, 9}, Interpolation::cubic, false);
  for (const double t : {0.0, 0.5, 2.0, 3.0}) {
    EXPECT_NEAR(parabola.eval(t), t * t, 1e-15);
    EXPECT_NEAR(parabola.eval(t, 1), 2 * t, 2e-15);
    EXPECT_NEAR(parabola.eval(t, 2), 2, 2e-15);
  }
}

// Two derivatives are continuous: the second of sin is met to h².
TEST(Inputs, CubicOnesAreSmooth) {
  Numbers times, values;
  for (int i = 0; i <= 60; ++i) {
    times.push_back(0.1 * i + 0.03 * std::sin(7.0 * i));
    values.push_back(std::sin(times.back()));
  }
  const PiecewiseCubic curve(times, values, Interpolation::cubic, false);
  for (std::size_t i = 1; i + 1 < times.size(); ++i) {
    const auto before = curve[curve.find(times[i], true)];
    const double h = times[i] - before.origin;
    EXPECT_NEAR(curve.eval(times[i]), values[i], 1e-16);
    EXPECT_NEAR(before.c[1] + h * (2 * before.c[2] + 3 * h * before.c[3]), curve.eval(times[i], 1), 2e-15);
    EXPECT_NEAR(2 * before.c[2] + 6 * h * before.c[3], curve.eval(times[i], 2), 1e-13);
    EXPECT_NEAR(curve.eval(times[i], 2), -std::sin(times[i]), 0.02);
  }
}

// A spring between the mass and a place u(t): from energies, with ∂V/∂t in the balance; as a force the same
// motion.
TEST(Inputs, InPotentialsKeepTheBalanceOfEnergy) {
  const std::string head = input(knots, heights) + R"([coordinates]
x = 0.3
[energy]
kinetic = "x'^2/2"
)";
  const std::string tail = "[solve]\nduration = 2\noutput_step = 0.1\n";
  const Simulation from_energy = run_text(head + "potential = \"9*(x - u)^2/2\"\n" + tail);
  const Simulation from_force = run_text(head + "[forces]\nx = \"9*(u - x)\"\n" + tail);
  EXPECT_LT(from_energy.report.max_energy_error, 1e-13);
  EXPECT_LT(std::abs(from_energy.report.event_energy), 1e-13);
  EXPECT_NE(from_energy.report.end_energy, from_energy.report.start_energy);
  ASSERT_EQ(from_energy.samples.size(), from_force.samples.size());
  // x'' + 9 x = 9 (u_i + s τ): x = u + A cos 3τ + B sin 3τ, on each piece
  double x = 0.3, v = 0;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const double h = knots[i + 1] - knots[i], slope = (heights[i + 1] - heights[i]) / h;
    const double A = x - heights[i], B = (v - slope) / 3;
    x = heights[i + 1] + A * std::cos(3 * h) + B * std::sin(3 * h);
    v = slope + 3 * (B * std::cos(3 * h) - A * std::sin(3 * h));
  }
  for (const Simulation* run : {&from_energy, &from_force}) {
    EXPECT_NEAR(run->samples.back().q[0], x, 1e-14);
    EXPECT_NEAR(run->samples.back().v[0], v, 4e-14);
  }
}

std::string led_mass(const std::string& inputs) {
  return inputs + R"([coordinates]
x = { position = 0, guess = true }
y = { position = 0.5, velocity = 0.1 }
[energy]
kinetic = "x'^2 + y'^2/2"
[constraints.holonomic]
lead = "x - u"
[solve]
duration = 2
output_step = 0.1
)";
}

// x = u(t): λ = −2 u'', v = u'.
TEST(Inputs, LeadThroughConstraintsWithExactDerivatives) {
  const auto u = [](double t) { return 1 + t * (-2 + t * (3 - t / 2)); };
  Numbers times{0, 0.2, 0.7, 1.2, 1.9, 2}, values;
  for (const double t : times) values.push_back(u(t));
  const std::string model = led_mass(input(times, values, R"(, interpolation = "cubic")"));
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const bool is_series = method == std::string("adomian");
    const Simulation run = run_text(model, {method, 0, is_series ? 0 : 1e-11});
    ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
    for (const auto& sample : run.samples) {
      EXPECT_NEAR(sample.q[0], u(sample.t), is_series ? 1e-14 : 1e-8) << method;
      EXPECT_NEAR(sample.v[0], -2 + sample.t * (6 - 1.5 * sample.t), is_series ? 1e-13 : 1e-7) << method;
      EXPECT_NEAR(sample.lambda[0], -2 * (6 - 3 * sample.t), is_series ? 1e-12 : 1e-6) << method;
      EXPECT_NEAR(sample.q[1], 0.5 + 0.1 * sample.t, is_series ? 1e-15 : 1e-7) << method;
    }
  }
}

// At a bend of a constraint the velocity jumps as constraints demand; what that does is in the balance of
// energy.
TEST(Inputs, ThatBendConstraintsPushAtTheirKnots) {
  const Simulation run = run_text(led_mass(input(knots, heights)));
  double kinetic_jumps = 0;
  for (std::size_t i = 1; i + 1 < knots.size(); ++i) {
    const auto slope = [](std::size_t k) {
      return (heights[k + 1] - heights[k]) / (knots[k + 1] - knots[k]);
    };
    kinetic_jumps += std::pow(slope(i), 2) - std::pow(slope(i - 1), 2);
  }
  EXPECT_NEAR(run.report.event_energy, kinetic_jumps, 1e-12);
  EXPECT_LT(run.report.max_energy_error, 1e-12);
  EXPECT_NEAR(run.samples[4].v[0], 2.5 / 0.15, 1e-13);  // t = 0.4
  EXPECT_NEAR(run.samples[4].lambda[0], 0, 1e-12);
  EXPECT_NEAR(run.samples.back().q[0], -1, 1e-14);
}

TEST(Inputs, ThatBendConstraintsPushBackwardsToo) {
  const System system(read_model_text(led_mass(input(knots, heights))));
  SolveOptions options = options_of(system.model());
  options.start = 2;
  options.duration = -2;
  const Simulation forwards = run_text(led_mass(input(knots, heights)));
  const Simulation run = simulate(system, options);
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  EXPECT_NEAR(run.report.event_energy, -forwards.report.event_energy, 1e-12);
  EXPECT_LT(run.report.max_energy_error, 1e-12);
  EXPECT_NEAR(run.samples.back().q[0], 1, 1e-14);
  EXPECT_NEAR(run.samples.back().v[0], -1.5 / 0.35, 1e-13);
}

// Columns that a sample does not hold: −Cᵀ λ with u in C.
TEST(Inputs, AreInConstraintForcesOfResults) {
  const session::LoadedModel model = session::load_text(input({0, 1, 2}, {1, 1.5, 0.5}) + R"([coordinates]
x = { position = 1, velocity = 0.5 }
y = { position = 0, guess = true }
[energy]
kinetic = "(x'^2 + y'^2)/2"
[constraints]
nonholonomic = { slope = "y' - u*x'" }
[view.points]
P = ["x", "u"]
[solve]
duration = 2
output_step = 0.25
)");
  const session::Motion motion = session::run(model, std::span<const GivenOption>());
  const Numbers t = motion.column("t"), lambda = motion.column("lambda(slope)");
  const Numbers force_x = motion.column("force(x)"), force_y = motion.column("force(y)");
  const PiecewiseCubic u(Numbers{0, 1, 2}, Numbers{1, 1.5, 0.5}, Interpolation::linear, false);
  ASSERT_EQ(t.size(), 9U);
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(force_x[i], u.eval(t[i]) * lambda[i], 1e-15);
    EXPECT_NEAR(force_y[i], -lambda[i], 1e-15);
  }
  EXPECT_NE(lambda[2], 0);
  RowFiller<double> drawn(model.described(), view_columns(*model.described()), {});
  solve(model.system(), options_of(*model.described()), SampleSink<double>([&](const Sample<double>& sample) {
          EXPECT_DOUBLE_EQ(drawn.fill(sample)[1], u.eval(sample.t));
          return true;
        }));
}

TEST(Inputs, AreKeptAsDenseOutputAcrossKnots) {
  const System system(read_model_text(pushed_mass(input(knots, heights), 2)));
  DenseOutput motion(system);
  SolveOptions options = options_of(system.model());
  options.dense_output = &motion;
  EXPECT_EQ(simulate(system, options).report.outcome, Outcome::finished);
  EXPECT_EQ(motion.end(), 2);
  for (int i = 200; i >= 0; --i) {
    const double t = 0.01 * i;
    const DenseOutput::State state = motion.at(t);
    EXPECT_NEAR(state.q[0], pushed_by_polygon(t).x, 2e-15) << t;
    EXPECT_NEAR(state.v[0], pushed_by_polygon(t).v, 2e-15) << t;
    EXPECT_NEAR(state.a[0], PiecewiseCubic(knots, heights, Interpolation::linear, false).eval(t), 1e-14) << t;
    EXPECT_NEAR(state.outputs[0], state.a[0], 1e-14) << t;
  }
}

TEST(Inputs, EndWhereTheirDataEndOrHoldTheirValues) {
  const auto error_of = [](const std::string& text) {
    try {
      run_text(text);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("none");
  };
  EXPECT_EQ(
      error_of(pushed_mass(input(knots, heights), 3)),
      "the run from t = 0 to 3 leaves the data of the input 'u', which are from 0 to 2: outside = \"hold\" "
      "keeps the value of its ends");
  const Simulation run =
      run_text(pushed_mass(input({0.5, 1}, {2, 4}, ", outside = \"hold\""), 3));  // 2, a ramp, 4
  ASSERT_EQ(run.report.outcome, Outcome::finished);
  const double v1 = -0.2 + 1, x1 = 0.3 - 0.2 * 0.5 + 0.25;
  const double v2 = v1 + 1.5, x2 = x1 + 0.5 * v1 + 2 * 0.125 + 4 * 0.125 / 6;
  EXPECT_NEAR(run.samples.back().v[0], v2 + 8, 1e-14);
  EXPECT_NEAR(run.samples.back().q[0], x2 + 2 * v2 + 8, 1e-14);
  EXPECT_EQ(run.samples.front().outputs[0], 2);
  EXPECT_EQ(run.samples.back().outputs[0], 4);
}

// Events between knots and at them, on a motion that an input drives.
TEST(Inputs, GoWithEvents) {
  const std::string model =
      pushed_mass(input({0, 1, 2}, {-1, -1, -3}, ", interpolation = \"linear\""), 2) +
      "[[event]]\nname = \"through\"\nwhen = \"x\"\n[[event]]\nname = \"tick\"\nafter = 1\n"
      "set = { \"x'\" = \"-x'\" }\n";
  const Simulation run = run_text(model);
  // 0.3 − 0.2 t − t²/2 = 0; behind the tick −0.4 + 1.2 s − s²/2 − s³/3 = 0
  ASSERT_EQ(run.report.events.size(), 4U);
  for (const std::size_t i : {2U, 3U}) {
    const double s = run.report.events[i].t - 1;
    EXPECT_NEAR(-0.4 + s * (1.2 - s * (0.5 + s / 3)), 0, 1e-15);
  }
  EXPECT_NEAR(run.report.events[0].t, -0.2 + std::sqrt(0.04 + 0.6), 1e-15);
  EXPECT_EQ(run.report.events[1].t, 1);
  EXPECT_NEAR(run.report.events[1].v_after[0], 1.2, 1e-15);
  EXPECT_NEAR(run.samples.back().v[0], 1.2 - 2, 1e-14);
}

TEST(Inputs, HideNoEventAtTheirKnots) {
  const std::string model =
      "[inputs]\nu = { times = [0, 1, 3], values = [1, 2, 1.5] }\n[coordinates]\nx = 0\n[energy]\n"
      "kinetic = \"x'^2/2\"\n[forces]\nx = \"0*u\"\n[solve]\nduration = 3\n[[event]]\nname = \"kick\"\n"
      "when = \"t-1\"\nset = { \"x'\" = \"1\" }\n";
  for (const char* method : {"adomian", "dop853", "bdf"}) {
    const Simulation run = run_text(model, {method});
    EXPECT_NEAR(run.samples.back().q[0], 2, 1e-12) << method;
    const std::vector<double> times = times_of(run.report, "kick");
    ASSERT_EQ(times.size(), 1U) << method;
    EXPECT_NEAR(times[0], 1, 1e-15) << method;
  }
}

TEST(Inputs, AreReadFromColumnsBesideTheModel) {
  const test::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
  };
  write("drive.csv", "# of a test bench\ntime,other,u\r\n0,5,1\r\n0.35,5,-0.5\n0.5,5,2\n1.3,5,2\n2,5,-1\n");
  write("bare.txt", "0 1\n0.35 -0.5\n5e-1 2\n1.3 2\n2 -1\n");
  for (const char* source : {"file = \"drive.csv\"", "file = \"drive.csv\", time = \"time\", value = \"u\"",
                             "file = \"bare.txt\""}) {
    write("model.toml", pushed_mass(fmt::format("[inputs]\nu = {{ {} }}\n", source), 2));
    const System system(read_model(folder.path() / "model.toml"));
    const Simulation run = simulate(system, options_of(system.model()));
    EXPECT_NEAR(run.samples.back().q[0], pushed_by_polygon(2).x, 2e-15) << source;
  }
  write("broken.csv", "t,u\n0,1\n1,two\n");
  write("model.toml", pushed_mass("[inputs]\nu = { file = \"broken.csv\" }\n", 2));
  try {
    read_model(folder.path() / "model.toml");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), (SourceLocation{(folder.path() / "broken.csv").string(), 3, 3}));
    EXPECT_EQ(error.message(), "'two' is no finite number");
    EXPECT_EQ(error.excerpt(), "  1,two\n    ^");
  }
}

// A parameter of the slider-crank becomes a function of time; the same values all along give the same motion.
TEST(Inputs, TakeThePlaceOfParameters) {
  const auto run = [](const std::vector<std::string>& settings) {
    const std::vector<GivenOption> options{give("duration", 1.0), give("tolerance", 1e-12)};
    return session::run(session::load("slider_crank", settings), options);
  };
  const session::Motion constant = run({"torque=8"});
  const session::Motion held = run({"torque={ times = [0.3, 0.6], values = [8, 8], outside = 'hold' }"});
  ASSERT_EQ(constant.samples(), held.samples());
  for (const char* column : {"theta1", "theta2'", "guide_force"}) {
    const Numbers a = constant.column(column), b = held.column(column);
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], b[i], 1e-11 * (1 + std::abs(a[i]))) << column;
  }
  try {
    session::load("slider_crank", {"torqe={ times = [0, 1], values = [8, 8] }"});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "--set torqe: the model has no parameter or coordinate 'torqe'; did you mean 'torque'?");
  }
  try {
    session::load("slider_crank", {"torque={ times = [0, 0], values = [8, 8] }"});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "--set torque: error: the times of the input 'torque' must increase: 0 follows 0");
  }
}

TEST(Inputs, OfABuiltModelAreWrittenToItsFile) {
  const ModelBuilder builder =
      ModelBuilder()
          .input("u", {{"times", {0, 1, 2}}, {"values", {1, 0.5, 3}}, {"interpolation", "cubic"}})
          .coordinate("x", {.position = 1})
          .kinetic("x'^2/2")
          .force("x", "u - x*u'")
          .solve("duration", 2);
  const System built(builder.build()), read(read_model_text(builder.text()));
  const Simulation one = simulate(built, options_of(built.model())),
                   other = simulate(read, options_of(read.model()));
  ASSERT_FALSE(one.samples.empty());
  EXPECT_EQ(one.samples.back().q[0], other.samples.back().q[0]);
  EXPECT_EQ(one.samples.back().v[0], other.samples.back().v[0]);
}

TEST(Inputs, OfBodiesAreTorquesOfForceElements) {
  const Simulation run = run_text(input(knots, heights) + R"(
[[body]]
name = "disk"
mass = 1
inertia = 0.5
position = [0, 0]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "disk"]
point = [0, 0]
[[force]]
name = "drive"
type = "torque"
body = "disk"
torque = "u"
[solve]
duration = 2
)");
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  EXPECT_NEAR(run.samples.back().v.back(), 2 * (pushed_by_polygon(2).v + 0.2), 1e-13);
}

}  // namespace
}  // namespace dalembert

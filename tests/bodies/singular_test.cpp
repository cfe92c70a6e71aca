// Configurations where constraints lose rank: the motion goes on along its smooth branch and says so, or
// stops with its reason; never another branch.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/solve/dense_output.hpp>

#include "bodies/motion.hpp"
#include "bodies/space_text.hpp"

namespace dalembert {
namespace {

using testing::Motion;
using testing::run;
using testing::run_shipped;

struct Reference {
  double t, x, y;
};

// Exact by elliptic functions, B2 of the benchmark library: the top of the first crank.
void expect_reference(const Motion& m, const std::vector<Reference>& references) {
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  for (const Reference& r : references) {
    const auto i = static_cast<std::size_t>(std::lround(r.t));  // samples are a second apart
    const double error = 5e-13 * r.t;  // the phase drifts by what rounding errors do to the energy
    EXPECT_NEAR(m["top_x"][i], r.x, error) << r.t;
    EXPECT_NEAR(m["top_y"][i], r.y, error) << r.t;
  }
}

TEST(BenchmarkA02, FollowsTheExactMotionThroughItsSingularConfigurations) {
  const Motion m = run_shipped("iftomm_a02", 20, 1);
  expect_reference(m, {{1, -0.19502030194943509364405865, -0.98079920566217383260177286},
                       {4, 0.11761610237680861171488323, 0.99305913845132510096012465},
                       {10, 0.32845811154081537865216417, 0.94451853817860096216128544},
                       {20, 0.83974657430684354653999458, 0.54297853635288466159496537}});
  EXPECT_LT(m.report.max_energy_error, 1e-13 * m.report.energy_scale);
  // a turn takes two of them, and the cranks turn ten times
  ASSERT_EQ(m.report.singular_times.size(), 20U);
  const auto note = m.report.warnings.back();
  EXPECT_EQ(
      note,
      "constraints lost rank at t = 0.714356, 1.22816, 2.65687 ... (20 times): the motion went on along "
      "its smooth branch");
}

// φ from the upright of parallel cranks, I φ'' = c g sin φ, with I = (N+1)/3 + N and c = (N+1)/2 + N:
// I/2 φ'² + c g cos φ stays.
double speed_of_cranks(double cos_phi) { return std::sqrt(1 + 2 * 3.5 / 3 * 9.81 * (1 - cos_phi)); }

// ∫ dφ/φ' from the upright to the first flat configuration, by Simpson's rule.
double first_flat_time() {
  constexpr int parts = 2000;
  const double width = std::acos(-1.0) / 2 / parts;
  double sum = 0;
  for (int i = 0; i <= parts; ++i) {
    const int weight = i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight / speed_of_cranks(std::cos(i * width));
  }
  return sum * width / 3;
}

// Long steps of loose tolerances leap over most of them between two good states.
TEST(BenchmarkA02, EverySingularConfigurationIsReportedAtEveryTolerance) {
  const System system(read_model(find_model("iftomm_a02")));
  for (const double exponent : {-3.0, -4.0, -4.7, -5.0, -6.0, -6.3, -7.0, -7.5, -8.0, -9.0, -11.0, -13.0}) {
    SCOPED_TRACE(exponent);
    SolveOptions options = options_of(system.model());
    options.tolerance = std::pow(10.0, exponent);
    options.duration = 20;
    options.output_step = 0;
    const RunReport report = solve(system, options, SampleSink<double>([](const auto&) { return true; }));
    ASSERT_EQ(report.outcome, Outcome::finished) << report.reason;
    EXPECT_EQ(report.singular_times.size(), 20U);
    // the vertex of a parabola is known to the root of rounding errors, 1e-8 of the second
    EXPECT_NEAR(report.singular_times.at(0), first_flat_time(), 10 * options.tolerance + 1e-8);
  }
}

TEST(BenchmarkA02, OfFortyFourBarsFollowsTheExactMotionThroughItsSingularConfigurations) {
  const Motion m = run_shipped("iftomm_a02_n40", 4, 1);
  expect_reference(m, {{1, -0.1153568806321098980629997, -0.99332411130045018568709412},
                       {4, 0.069342032227999171521686716, 0.99759294432473364614500715}});
  EXPECT_LT(m.report.max_energy_error, 1e-13 * m.report.energy_scale);
  EXPECT_EQ(m.report.singular_times.size(), 4U);
}

TEST(BenchmarkA02, SamplesNearASingularConfigurationAreOfTheSameMotion) {
  const System system(read_model(find_model("iftomm_a02")));
  DenseOutput dense(system);
  SolveOptions options = options_of(system.model());
  options.duration = 1;
  options.output_step = 0;
  options.dense_output = &dense;
  const RunReport report = solve(system, options, SampleSink<double>([](const auto&) { return true; }));
  ASSERT_EQ(report.outcome, Outcome::finished) << report.reason;
  ASSERT_EQ(report.singular_times.size(), 1U);
  const double singular = report.singular_times[0];
  for (const double offset : {-1e-2, -1e-4, -1e-6, -1e-8, 0.0, 1e-8, 1e-6, 1e-4, 1e-2}) {
    SCOPED_TRACE(offset);
    const DenseOutput::State state = dense.at(singular + offset);
    const double angle = state.q[2];  // of crank0, from the ground
    EXPECT_NEAR(state.q[5], angle, 1e-11);
    EXPECT_NEAR(state.q[8], angle, 1e-11);
    EXPECT_NEAR(state.q[11], 0, 1e-11);  // the couplers stay level
    EXPECT_NEAR(-state.v[2], speed_of_cranks(std::sin(angle)), 1e-10);
    EXPECT_NEAR(state.a[2], -3.5 / 3 * 9.81 * std::cos(angle), 1e-7);
  }
}

// The outer cranks alone would swing at another pace than the inner one, so the couplers push along their
// line with a force H that has a pole. Crank 0 with half of the coupler, about its pivot:
// (1/3 + 1/2) φ'' = (1/2 + 1/2) g sin φ − H cos φ, where H acts on the coupler besides half of its inertia.
TEST(BenchmarkA02, ForcesHaveTheirPole) {
  const Motion m = run_shipped("iftomm_a02", 0.8, 0.01);
  ASSERT_EQ(m.report.singular_times.size(), 1U);
  for (std::size_t i = 50; i < m["t"].size(); ++i) {
    const double phi = std::acos(-1.0) / 2 - m["crank0.angle"][i];
    const double push = (1 - 5.0 / 6 * 3.5 / 3) * 9.81 * std::tan(phi);
    EXPECT_NEAR(m["left1.force_x"][i] - 0.5 * m["coupler1.x''"][i], push, 1e-9 * (1 + std::abs(push)))
        << m["t"][i];
  }
}

Model parallelogram(const char* right_mass) {
  const auto crank = [&](double x, const char* mass) -> std::vector<Entry> {
    return {{"shape", "rod"},  {"length", 1},          {"mass", mass},          {"position", {x, 0.5}},
            {"angle", "pi/2"}, {"velocity", {0.5, 0}}, {"angular_velocity", -1}};
  };
  const auto pin = [](const char* a, const char* b, double x, double y) -> std::vector<Entry> {
    return {{"type", "revolute"}, {"bodies", {a, b}}, {"point", {x, y}}};
  };
  return ModelBuilder("Parallelogram")
      .body("left", crank(0, "1"))
      .body("right", crank(2, right_mass))
      .body("bar", {{"shape", "rod"}, {"length", 2}, {"mass", 1}, {"position", {1, 1}}, {"velocity", {1, 0}}})
      .joint("a", pin("ground", "left", 0, 0))
      .joint("b", pin("ground", "right", 2, 0))
      .joint("c", pin("left", "bar", 0, 1))
      .joint("d", pin("bar", "right", 2, 1))
      .force_element("weight", {{"type", "gravity"}})
      .build();
}

// Every method keeps the cranks parallel to the end or stops with its reason; what it gave until then is of
// the same motion. Methods of low order lose energy, not the branch.
class Flattening : public ::testing::TestWithParam<std::string> {};

void expect_parallel(const Motion& m, const std::string& other_crank) {
  const std::string first = m.columns.contains("left.angle") ? "left.angle" : "crank0.angle";
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    EXPECT_NEAR(m[first][i], m[other_crank][i], 1e-5) << m["t"][i];
  }
  if (m.report.outcome == Outcome::finished) {
    EXPECT_LT(m[first].back(), -5) << "it turned";
    EXPECT_GE(m.report.singular_times.size(), 2U) << "and says so";
  } else {
    EXPECT_NE(m.report.reason.find("dependent"), std::string::npos) << m.report.reason;
  }
}

TEST_P(Flattening, KeepsTheCranksParallelOrStopsWithItsReason) {
  for (const char* right_mass : {"1", "2"}) {
    const System system(parallelogram(right_mass));
    expect_parallel(run(system, 3, 0.05, GetParam()), "right.angle");
  }
  const System system(read_model(find_model("iftomm_a02")));
  expect_parallel(run(system, 3, 0.05, GetParam()), "crank2.angle");
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.emplace_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(AllMethods, Flattening, ::testing::ValuesIn(method_names()),
                         [](const auto& info) { return info.param; });

std::size_t passages_of_a02(const SolveOptions& options) {
  const System system(read_model(find_model("iftomm_a02")));
  const RunReport report = solve(system, options, SampleSink<double>([](const auto&) { return true; }));
  EXPECT_TRUE(reached_end(report.outcome)) << report.reason;  // long steps lose energy, and say so
  return report.singular_times.size();
}

TEST(Passages, AreCountedForEveryMethodThatMakesThem) {
  SolveOptions options;
  options.duration = 19.5;  // the last of 20 is at t = 18.7, the next at 20.1
  for (const char* method : {"dop853", "dopri5", "nullspace"}) {
    options.method = method;
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7}) {
      if (options.method == "dopri5" && tolerance > 3e-5) continue;  // it gains half a turn
      options.tolerance = tolerance;
      EXPECT_EQ(passages_of_a02(options), 20U) << method << ' ' << tolerance;
    }
  }
  for (const char* method : {"rk4", "rattle", "generalized_alpha"}) {
    options.method = method;
    for (const double step : {0.03, 0.01}) {
      options.step = step;
      EXPECT_EQ(passages_of_a02(options), 20U) << method << ' ' << step;
    }
  }
}

// The norm of a quaternion constrains a motion without inertia: there is no rank to lose, whatever rounding
// errors say.
TEST(Passages, AreNotSeenInTheTurnsOfAFreeBody) {
  for (const char* turn : {"1, 0.5, 2", "0.4, 1.1, 2", "0.1, 3, 0.2", "2, 2, 2"}) {
    const System system = testing::system_of(fmt::format(
        "[[body]]\nname = \"body\"\nmass = 2\ninertia = [0.3, 0.2, 0.1]\nangular_velocity = [{}]\n", turn));
    for (const char* method : {"adomian", "dop853"}) {
      for (const double tolerance : {1e-5, 1e-9, 1e-13, 1e-15}) {
        SolveOptions options;
        options.method = method;
        options.tolerance = tolerance;
        options.duration = 10;
        const RunReport report = solve(system, options, SampleSink<double>([](const auto&) { return true; }));
        EXPECT_EQ(report.outcome, Outcome::finished) << report.reason;
        EXPECT_TRUE(report.singular_times.empty()) << turn << ' ' << method << ' ' << tolerance;
      }
    }
  }
}

// Without projection the bars get other lengths, and what was one configuration becomes a gap between two
// branches.
TEST(Passages, MethodsThatDriftStopWhereTheyMayHaveChangedTheBranch) {
  struct Case {
    const char* method;
    Stabilization stabilization;
    double tolerance;
    const char* right_mass;
  };
  for (const Case& c :
       {Case{"dop853", Stabilization::none, 1e-5, "2"}, Case{"dop853", Stabilization::none, 1e-5, "5"},
        Case{"dop853", Stabilization::none, 1e-3, "5"}, Case{"dopri5", Stabilization::none, 1e-3, "1"},
        Case{"dopri5", Stabilization::none, 1e-3, "2"},
        Case{"dopri5", Stabilization::baumgarte, 1e-3, "5"}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", c.method, c.tolerance, c.right_mass));
    const System system(parallelogram(c.right_mass));
    SolveOptions options;
    options.method = c.method;
    options.stabilization = c.stabilization;
    options.tolerance = c.tolerance;
    options.duration = 6;
    options.output_step = 0.01;
    double apart = 0;
    const RunReport report = solve(system, options, SampleSink<double>([&](const auto& sample) {
                                     apart = std::max(apart, std::abs(sample.q[2] - sample.q[5]));
                                     return true;
                                   }));
    EXPECT_EQ(report.outcome, Outcome::stopped_early);
    EXPECT_NE(report.reason.find("branch"), std::string::npos) << report.reason;  // changed, or may branch
    EXPECT_LT(apart, 0.2) << "rad: another branch has the cranks apart by up to a turn";
  }
}

// Equal cranks carry the bar alike, so no force along it is needed: no pole, and a limit in the
// configuration.
TEST(FlatParallelogram, HasFiniteForcesWhereTheyHaveALimit) {
  const System system(parallelogram("1"));
  DenseOutput dense(system);
  SolveOptions options = options_of(system.model());
  options.duration = 1;
  options.dense_output = &dense;
  const RunReport report = solve(system, options, SampleSink<double>([](const auto&) { return true; }));
  ASSERT_EQ(report.outcome, Outcome::finished) << report.reason;
  ASSERT_EQ(report.singular_times.size(), 1U);
  const DenseOutput::State state = dense.at(report.singular_times[0]);
  const std::size_t c_y = 5;  // constraints a.x, a.y, b.x, b.y, c.x, c.y
  ASSERT_EQ(system.constraint_name(c_y), "c.y");
  // half of the bar's weight and inertia each: it falls with (1/2 + 1/2) g / (1/3 + 1/2) = 1.2 g
  EXPECT_NEAR(state.a[7], -1.2 * 9.81, 1e-7);  // rounding errors across the constraints grow here
  EXPECT_NEAR(std::abs(state.lambda[c_y]), 0.1 * 9.81, 1e-7);
}

}  // namespace
}  // namespace dalembert

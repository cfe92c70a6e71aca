// Trajectories in lanes against the same ones alone, and against exact solutions.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/batch.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::shipped_system;
using testing::simulate;

TEST(Batch, EveryLaneIsItsSingleRunOnTheConstraints) {
  for (const std::size_t count : {1U, 3U, 4U, 5U, 9U, 20U}) {
    const System system = shipped_system("pendulum_cartesian");
    SolveOptions options = options_of(system.model());
    options.duration = 5;
    options.output_step = 0.7;
    std::vector<BatchCase> cases(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double angle = 0.3 + 0.1 * static_cast<double>(i);  // far from the unstable one, π
      cases[i].q = {std::sin(angle), std::cos(angle)};
      cases[i].v = {0, 0};
    }
    std::map<std::size_t, std::vector<std::vector<double>>> samples;
    const BatchReport report = solve_batch(system, cases, options, [&](const BatchSample& sample) {
      samples[sample.number].push_back(
          {sample.t, sample.q[0], sample.q[1], sample.v[0], sample.a[1], sample.lambda[0]});
    });
    for (std::size_t i = 0; i < count; ++i) {
      const auto text = [](double x) { return fmt::format("{:.17g}", x); };
      const System own =
          shipped_system("pendulum_cartesian", {{"x", text(cases[i].q[0])}, {"y", text(cases[i].q[1])}});
      const auto alone = simulate(own, options);
      ASSERT_EQ(samples[i].size(), alone.samples.size());
      for (std::size_t k = 0; k < alone.samples.size(); ++k) {
        EXPECT_EQ(samples[i][k][0], alone.samples[k].t);
        EXPECT_NEAR(samples[i][k][1], alone.samples[k].q[0], 1e-13);
        EXPECT_NEAR(samples[i][k][2], alone.samples[k].q[1], 1e-13);
        EXPECT_NEAR(samples[i][k][3], alone.samples[k].v[0], 1e-12);
        EXPECT_NEAR(samples[i][k][4], alone.samples[k].a[1], 1e-11);
        EXPECT_NEAR(samples[i][k][5], alone.samples[k].lambda[0], 1e-11);
      }
      EXPECT_EQ(report.cases[i].outcome, Outcome::finished);
      EXPECT_EQ(report.cases[i].end_time, 5);
      EXPECT_LE(report.cases[i].max_position_residual, 1e-14);
      EXPECT_LE(report.cases[i].max_velocity_residual, 1e-14);
    }
  }
}

TEST(Batch, LanesMayHaveTheirOwnParameters) {
  const System system = shipped_system("slider_crank");
  SolveOptions options = options_of(system.model());
  options.duration = 1;
  options.output_times = {1};
  std::vector<BatchCase> cases(6);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].parameters = {{"torque", 5 + static_cast<double>(i)},
                           {"l1", 0.2 + 0.01 * static_cast<double>(i)}};
  }
  const BatchReport report = solve_batch(system, cases, options);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const System own =
        shipped_system("slider_crank", {{"torque", fmt::format("{}", cases[i].parameters[0].second)},
                                        {"l1", fmt::format("{:.17g}", cases[i].parameters[1].second)}});
    const auto alone = simulate(own, options);
    for (std::size_t k = 0; k < own.n(); ++k) {
      EXPECT_NEAR(report.cases[i].q[k], alone.samples.at(0).q[k], 1e-12);
      EXPECT_NEAR(report.cases[i].v[k], alone.samples.at(0).v[k], 1e-11);
    }
  }
}

// 8, 8 and 4 lanes: with parameters of their own in the first group, in none of the second, in one of the
// third.
TEST(Batch, GroupsDoNotTakeEachOthersParameters) {
  const System system = shipped_system("slider_crank");
  SolveOptions options = options_of(system.model());
  options.duration = 0.5;
  options.output_times = {0.2, 0.5};
  std::vector<BatchCase> cases(20);
  for (std::size_t i = 0; i < 8; ++i) cases[i].parameters = {{"torque", 5 + static_cast<double>(i)}};
  cases[17].parameters = {{"torque", 3}};
  std::map<std::size_t, std::vector<double>> early;
  const BatchReport report = solve_batch(system, cases, options, [&](const BatchSample& sample) {
    if (sample.t < 0.5) early[sample.number].assign(sample.q.begin(), sample.q.end());
  });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<Override> own;
    for (const auto& [name, value] : cases[i].parameters) own.push_back({name, fmt::format("{}", value)});
    const auto alone = simulate(shipped_system("slider_crank", own), options);
    for (std::size_t k = 0; k < system.n(); ++k) {
      EXPECT_NEAR(early[i][k], alone.samples.at(0).q[k], 1e-12) << i;
      EXPECT_NEAR(report.cases[i].q[k], alone.samples.at(1).q[k], 1e-12) << i;
    }
  }
}

// One pivot of the car axis falls to a sixtieth of itself in the first step; its constraints stay as
// independent as they were.
TEST(Batch, LanesStayTogetherWhereConstraintsAreIndependent) {
  for (const char* model :
       {"car_axis", "andrews", "double_pendulum", "heavy_top", "chain10", "rolling_disk"}) {
    const System system = shipped_system(model);
    SolveOptions options = options_of(system.model());
    options.tolerance = 1e-9;
    options.duration /= 4;
    const BatchReport report = solve_batch(system, std::vector<BatchCase>(4), options);
    const auto alone = simulate(system, options);
    EXPECT_LT(report.steps, 1.2 * static_cast<double>(alone.report.steps)) << model;
  }
}

// x'' = −x beside a lane that is a million times larger: the solution is amplitude · cos t.
TEST(Batch, ASmallLaneMeetsTheToleranceBesideALargeOne) {
  const System system(read_model_text(R"(
[coordinates]
x = { position = 1 }
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
)"));
  SolveOptions options;
  options.duration = 3;
  options.tolerance = 1e-8;
  std::vector<BatchCase> cases(4);
  for (std::size_t i = 0; i < 4; ++i) {
    cases[i].q = {std::pow(100.0, static_cast<double>(i))};
    cases[i].v = {0};
  }
  const BatchReport report = solve_batch(system, cases, options);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(report.cases[i].q[0] / cases[i].q[0], std::cos(3.0), 20 * options.tolerance);
    EXPECT_NEAR(report.cases[i].v[0] / cases[i].q[0], -std::sin(3.0), 20 * options.tolerance);
  }
}

// x'' = 6 x² has the solutions 1/(c − t)²: only the lane with c = 1 blows up before the end.
TEST(Batch, ALaneThatBecomesSingularIsReportedAndTheOthersGoOn) {
  const System system(read_model_text(R"(
[coordinates]
x = { position = 1, velocity = 2 }
[energy]
kinetic = "x'^2/2"
potential = "-2*x^3"
)"));
  SolveOptions options;
  options.duration = 2;
  options.output_step = 0.5;
  const std::vector<double> c = {5, 1, 6, 7};
  std::vector<BatchCase> cases;
  for (const double place : c) cases.push_back({{1 / (place * place)}, {2 / (place * place * place)}, {}});
  std::vector<int> samples(4, 0);
  const BatchReport report =
      solve_batch(system, cases, options, [&](const BatchSample& sample) { ++samples[sample.number]; });
  for (const std::size_t i : {0U, 2U, 3U}) {
    EXPECT_EQ(report.cases[i].outcome, Outcome::finished) << report.cases[i].reason;
    EXPECT_EQ(report.cases[i].end_time, 2);
    EXPECT_NEAR(report.cases[i].q[0] * (c[i] - 2) * (c[i] - 2), 1, 1e-12);
    EXPECT_EQ(samples[i], 5);
  }
  EXPECT_EQ(report.cases[1].outcome, Outcome::stopped_early);
  EXPECT_NE(report.cases[1].reason.find("singular"), std::string::npos);
  EXPECT_NEAR(report.cases[1].end_time, 1, 1e-3);
}

// √(x²) is |x|, not x: the series of the lane that comes to zero does not go on, the others do.
TEST(Batch, ALaneThatComesToAKinkOfARootStopsThere) {
  const System system(read_model_text(R"(
[coordinates]
x = { position = 1, velocity = -1 }
y = 0
[energy]
kinetic = "x'^2/2 + y'^2/2"
[forces]
y = "sqrt(x^2 + 0*y)^3"
)"));
  SolveOptions options;
  options.duration = 2;
  const std::vector<BatchCase> cases{
      {{1, 0}, {-0.1, 0}, {}}, {{1, 0}, {-1, 0}, {}}, {{1, 0}, {0.5, 0}, {}}, {{1, 0}, {-0.3, 0}, {}}};
  const BatchReport report = solve_batch(system, cases, options, [](const BatchSample&) {});
  for (const std::size_t i : {0U, 2U, 3U})
    EXPECT_EQ(report.cases[i].outcome, Outcome::finished) << report.cases[i].reason;
  EXPECT_EQ(report.cases[1].outcome, Outcome::stopped_early);
  EXPECT_NE(report.cases[1].reason.find("kink"), std::string::npos) << report.cases[1].reason;
  EXPECT_NEAR(report.cases[1].end_time, 1, 1e-6);
}

// The row of four-bars loses rank ten times in ten seconds, at other times for every speed.
TEST(Batch, GoesThroughSingularConfigurationsLikeSingleRuns) {
  const System system = shipped_system("iftomm_a02");
  for (const double tolerance : {1e-15, 1e-6}) {
    SolveOptions options = options_of(system.model());
    options.tolerance = tolerance;
    options.duration = 6;
    options.output_step = 0.25;
    std::vector<BatchCase> cases(5);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      cases[i].parameters = {{"speed", 1 + 0.25 * static_cast<double>(i)}};
    }
    std::map<std::size_t, std::vector<std::vector<double>>> samples;
    const BatchReport report = solve_batch(system, cases, options, [&](const BatchSample& sample) {
      samples[sample.number].push_back(
          {sample.t, sample.q[2], sample.v[2], sample.a[2], sample.q[5], sample.q[8], sample.q[11]});
    });
    for (std::size_t i = 0; i < cases.size(); ++i) {
      SCOPED_TRACE(fmt::format("{} {}", tolerance, i));
      const System own =
          shipped_system("iftomm_a02", {{"speed", fmt::format("{}", cases[i].parameters[0].second)}});
      const auto alone = simulate(own, options);
      const CaseReport& found = report.cases[i];
      ASSERT_EQ(found.outcome, Outcome::finished) << found.reason << " at " << found.end_time;
      ASSERT_EQ(found.singular_times.size(), alone.report.singular_times.size());
      EXPECT_GE(found.singular_times.size(), 6U);
      const double error = 1e-11 + 1e3 * tolerance;  // of the phase, after six turns at most
      for (std::size_t k = 0; k < found.singular_times.size(); ++k) {
        // where a minimum is, known to the root of rounding errors
        EXPECT_NEAR(found.singular_times[k], alone.report.singular_times[k], 1e-6 + error);
      }
      ASSERT_EQ(samples[i].size(), alone.samples.size());
      for (std::size_t k = 0; k < alone.samples.size(); ++k) {
        const std::vector<double>& at = samples[i][k];
        EXPECT_EQ(at[0], alone.samples[k].t);
        EXPECT_NEAR(at[1], alone.samples[k].q[2], error);
        EXPECT_NEAR(at[2], alone.samples[k].v[2], 10 * error);
        double distance = 1;  // rounding errors of a grow like 1/distance²
        for (const double t : found.singular_times) distance = std::min(distance, std::abs(at[0] - t));
        const double rounding = 1e-14 / (distance * distance);
        EXPECT_NEAR(at[3], -3.5 / 3 * 9.81 * std::cos(at[1]), 10 * error + rounding);  // of parallel cranks
        EXPECT_NEAR(at[4], at[1], 1e-11);
        EXPECT_NEAR(at[5], at[1], 1e-11);
        EXPECT_NEAR(at[6], 0, 1e-11);
      }
    }
  }
}

// The model's start is off its circle, and moves onto it without what is rolled along.
TEST(Batch, CasesWithoutAStartOfTheirOwnStartLikeARun) {
  const System system(read_model_text(R"toml(
[parameters]
w = 2
[coordinates]
x = 1
y = 0
p = 0.3
[energy]
kinetic = "(x'^2 + y'^2)/2 + p'^2/3"
potential = "9.81*y"
[forces]
p = "cos(w*t)"
[constraints]
holonomic = ["x^2 + y^2 = 1 + sin(w*t)/10"]
nonholonomic = ["2*p' - x' - cos(t)/5"]
)toml"));
  SolveOptions options = options_of(system.model());
  options.start = 0.2;
  options.duration = 1;
  options.output_times = {1.2};
  const auto alone = simulate(system, options);
  const BatchReport report = solve_batch(system, std::vector<BatchCase>(3), options);
  for (const CaseReport& found : report.cases) {
    for (std::size_t i = 0; i < system.n(); ++i) {
      EXPECT_NEAR(found.q[i], alone.samples.at(0).q[i], 1e-12);
      EXPECT_NEAR(found.v[i], alone.samples.at(0).v[i], 1e-12);
    }
  }
}

// Runs cases in a batch and alone, each with its parameters, and compares all that a sample has.
void expect_like_alone(const System& system, const std::vector<BatchCase>& cases, const SolveOptions& options,
                       double tolerance) {
  std::map<std::size_t, std::vector<std::vector<double>>> samples;
  const auto values_of = [](const Sample<double>& s) {
    std::vector<double> values{s.kinetic, s.potential, s.energy, s.work};
    for (const auto& part : {s.q, s.v, s.a, s.lambda, s.outputs})
      values.insert(values.end(), part.begin(), part.end());
    return values;
  };
  const BatchReport report = solve_batch(system, cases, options, [&](const BatchSample& sample) {
    samples[sample.number].push_back(values_of(sample));
  });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    const System own = system.with_parameters(cases[i].parameters);
    std::vector<std::vector<double>> alone;
    const RunReport run = solve(own, options, SampleSink<double>([&](const Sample<double>& sample) {
                                  alone.push_back(values_of(sample));
                                  return true;
                                }));
    const CaseReport& found = report.cases[i];
    EXPECT_EQ(found.outcome, run.outcome) << found.reason << run.reason;
    EXPECT_EQ(found.end_time, run.end_time);
    EXPECT_EQ(found.samples, run.samples);
    EXPECT_NEAR(found.start_energy, run.start_energy, 1e-12 * run.energy_scale);
    EXPECT_NEAR(found.end_energy, run.end_energy, tolerance * run.energy_scale);
    EXPECT_NEAR(found.work, run.work, tolerance * run.energy_scale);
    EXPECT_LE(found.max_energy_error, found.explained_energy_error);
    EXPECT_EQ(found.conservative, run.conservative);
    ASSERT_EQ(samples[i].size(), alone.size());
    std::vector<double> sizes(alone.empty() ? 0 : alone[0].size(), 0.0);
    for (const auto& sample : alone)
      for (std::size_t j = 0; j < sizes.size(); ++j) sizes[j] = std::max(sizes[j], std::abs(sample[j]));
    for (std::size_t k = 0; k < alone.size(); ++k)
      for (std::size_t j = 0; j < sizes.size(); ++j)
        EXPECT_NEAR(samples[i][k][j], alone[k][j], tolerance * sizes[j] + 1e-300) << k << " " << j;
  }
}

TEST(Batch, HasOutputsEnergiesAndWorkOfEachCase) {
  const System system = shipped_system("slider_crank");
  SolveOptions options = options_of(system.model());
  options.duration = 1;
  options.output_step = 0.13;
  std::vector<BatchCase> cases(7);
  const std::string name = system.model().parameters[0].name;
  const double value = system.parameter_values<double>().at(system.model().parameters[0].symbol.id());
  for (std::size_t i = 1; i < cases.size(); ++i)
    cases[i].parameters = {{name, value * (1 + 0.01 * static_cast<double>(i))}};
  expect_like_alone(system, cases, options, 1e-10);
}

TEST(Batch, RunsSystemsWithBranchesAndRedundantConstraints) {
  const System kinked(read_model_text(R"(
[parameters]
k = 3
[coordinates]
x = { position = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-k*abs(x)/2 - sign(x')/10 - x"
[outputs]
spring = "k*abs(x)/2"
)"));
  SolveOptions options;
  options.duration = 3;
  options.output_step = 0.5;
  expect_like_alone(kinked, {{{}, {}, {}}, {{}, {}, {{"k", 2}}}, {{}, {}, {{"k", 5}}}}, options, 1e-11);

  const System redundant(read_model_text(R"(
[parameters]
l = 1
[coordinates]
x = { position = "l" }
y = { position = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[constraints.holonomic]
rod = "x^2 + y^2 = l^2"
twin = "2*x^2 + 2*y^2 = 2*l^2"
)"));
  expect_like_alone(redundant, {{{}, {}, {}}, {{}, {}, {{"l", 2}}}}, options, 1e-10);
}

// The model's constraints are independent, those of a case are not: it is looked at by itself.
TEST(Batch, ACaseWhoseConstraintsAreRedundantSaysSo) {
  const System system(read_model_text(R"(
[parameters]
slope = 0.5
[coordinates]
x = { position = 0 }
y = { position = 0 }
z = { position = 0 }
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "9.81*x + 9.81*z"
[constraints.holonomic]
one = "x - 2*y"
two = "slope*x - y"
)"));
  SolveOptions options;
  options.duration = 1;
  std::vector<BatchCase> cases(10);
  for (std::size_t i = 0; i < cases.size(); ++i)
    cases[i].parameters = {{"slope", i == 4 ? 0.5 : 1 + 0.1 * static_cast<double>(i)}};
  for (const double models_own : {0.5, 1.0}) {
    const BatchReport report =
        solve_batch(system.with_parameters(std::vector<NamedValue>{{"slope", models_own}}), cases, options);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      ASSERT_EQ(report.cases[i].outcome, Outcome::finished) << report.cases[i].reason;
      EXPECT_EQ(report.cases[i].warnings.size(), i == 4 ? 1U : 0U) << i;
      // along x = 2 y the weight of x accelerates by 4/5 of itself; else x and y stay
      EXPECT_NEAR(report.cases[i].q[0], i == 4 ? -9.81 * 0.8 / 2 : 0, 1e-12) << i;
      EXPECT_NEAR(report.cases[i].q[2], -9.81 / 2, 1e-12) << i;
    }
    EXPECT_NE(report.cases[4].warnings[0].find("'two' is redundant"), std::string::npos)
        << report.cases[4].warnings[0];
  }
}

TEST(Batch, ACaseWithoutAStartIsReportedAndTheOthersRun) {
  const System system(read_model_text(R"(
[parameters]
l = 1
[coordinates]
x = { position = 1, fixed = true }
y = { position = 0, guess = true }
[energy]
kinetic = "(x'^2 + y'^2)/2"
[constraints.holonomic]
rod = "x^2 + y^2 = l^2"
)"));
  SolveOptions options;
  options.duration = 0.1;
  std::vector<BatchCase> cases(4);
  cases[1].parameters = {{"l", 0.5}};
  cases[2].parameters = {{"l", 2}};
  const BatchReport report = solve_batch(system, cases, options);
  EXPECT_EQ(report.cases[1].outcome, Outcome::stopped_early);
  EXPECT_NE(report.cases[1].reason.find("rod"), std::string::npos) << report.cases[1].reason;
  EXPECT_EQ(report.cases[2].outcome, Outcome::finished) << report.cases[2].reason;
  EXPECT_NEAR(std::hypot(report.cases[2].q[0], report.cases[2].q[1]), 2, 1e-14);
  EXPECT_EQ(report.cases[3].outcome, Outcome::finished);
}

TEST(Batch, TellsProgressAndCanBeInterrupted) {
  const System system = shipped_system("slider_crank");
  SolveOptions options = options_of(system.model());
  options.duration = 10;
  options.output_step = 0.5;
  std::vector<double> fractions;
  options.progress = [&](const Progress& progress) {
    fractions.push_back(progress.fraction);
    return true;
  };
  const BatchReport all = solve_batch(system, std::vector<BatchCase>(16), options);
  EXPECT_FALSE(all.interrupted);
  ASSERT_FALSE(fractions.empty());
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_GT(fractions.back(), 0.5);
  EXPECT_LE(fractions.back(), 1);

  options.progress = [&](const Progress& progress) { return progress.fraction < 0.1; };
  const BatchReport some = solve_batch(system, std::vector<BatchCase>(16), options);
  EXPECT_TRUE(some.interrupted);
  EXPECT_EQ(some.cases[0].outcome, Outcome::interrupted);
  EXPECT_GT(some.cases[0].end_time, 0);
  EXPECT_LT(some.cases[0].end_time, 10);
  EXPECT_EQ(some.cases[15].outcome, Outcome::interrupted);
  EXPECT_EQ(some.cases[15].end_time, 0);
}

TEST(Batch, NoCaseRunsBehindAnInterruption) {
  const System kinked(read_model_text(R"(
[coordinates]
x = { position = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-abs(x)/2 - x"
)"));
  SolveOptions options;
  options.duration = 1000;
  options.output_step = 100;
  options.progress = [](const Progress&) { return false; };
  std::vector<std::size_t> samples(3, 0);
  const BatchReport report = solve_batch(kinked, std::vector<BatchCase>(3), options,
                                         [&](const BatchSample& sample) { ++samples[sample.number]; });
  EXPECT_TRUE(report.interrupted);
  for (const CaseReport& one : report.cases) EXPECT_EQ(one.outcome, Outcome::interrupted);
  EXPECT_GT(samples[0], 0U);
  EXPECT_EQ(samples[1], 0U);
  EXPECT_EQ(samples[2], 0U);
}

TEST(Batch, MistakesOfTheCallerAreErrors) {
  const System system = shipped_system("pendulum");
  const SolveOptions options = options_of(system.model());
  EXPECT_THROW(solve_batch(system, std::vector<BatchCase>{{{1, 2, 3, 4, 5}, {}, {}}}, options), Error);
  EXPECT_THROW(solve_batch(system, std::vector<BatchCase>{{{}, {}, {{"no_such", 1}}}}, options), Error);
  EXPECT_THROW(solve_batch(system, std::vector<BatchCase>{{{std::nan("")}, {0}, {}}}, options), Error);
  SolveOptions other = options;
  other.method = "dop853";
  EXPECT_THROW(solve_batch(system, std::vector<BatchCase>(2), other), Error);
}

}  // namespace
}  // namespace dalembert

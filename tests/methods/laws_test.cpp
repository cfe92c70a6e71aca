// The laws that every method keeps: order, agreement with the series method, multipliers, drift, energy,
// reversal.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>

#include "laws/simulate.hpp"
#include "methods/traits.hpp"

namespace dalembert {
namespace {

using testing::all_traits;
using testing::KeptSample;
using testing::MethodTraits;
using testing::shipped_system;
using testing::simulate;

struct TestModel {
  std::string name;
  double duration;
};

// Pendula with one and two rods, a driven mechanism, one with exact solution, a moving constraint, a
// nonholonomic one, none at all.
const std::vector<TestModel>& test_models() {
  static const std::vector<TestModel> models{{"pendulum_cartesian", 1},
                                             {"double_pendulum_cartesian", 0.5},
                                             {"slider_crank", 0.5},
                                             {"two_link_robot", 1},
                                             {"car_axis", 0.3},
                                             {"knife_edge", 1},
                                             {"pendulum", 1}};
  return models;
}

// The options with which a test runs a method, or nothing where it refuses the model.
bool accepts(const System& system, const SolveOptions& options) {
  const Method& method = find_method(options.method);
  return method.refuse == nullptr ||
         method.refuse(make_problem(system, options.start), complete(options)).empty();
}

SolveOptions options_for(const System& system, const TestModel& model, const std::string& method) {
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.duration = model.duration;
  options.tolerance = 0;
  options.output_times = {options.start + model.duration};
  return options;
}

SolveOptions with_steps(SolveOptions options, const MethodTraits& traits, int steps) {
  const double step = options.duration / steps;
  if (traits.adaptive) {
    options.tolerance = 1e300;  // steps are limited by max_step alone
    options.max_step = step * (1 + 1e-12);
  } else {
    options.step = step;
  }
  return options;
}

KeptSample end_of(const System& system, const SolveOptions& options) {
  const auto result = simulate(system, options);
  // steps that are too long on purpose lose energy, and say so
  EXPECT_TRUE(reached_end(result.report.outcome)) << options.method << ": " << result.report.reason;
  return result.samples.back();
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double largest = 0;
  double size = 1e-3;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(x[i] - y[i]));
    size = std::max(size, std::abs(y[i]));
  }
  return largest / size;
}

double state_error(const KeptSample& sample, const KeptSample& reference) {
  return std::max(distance(sample.q, reference.q), distance(sample.v, reference.v));
}

class MethodLaws : public ::testing::TestWithParam<MethodTraits> {};

TEST_P(MethodLaws, MeasuredOrderEqualsTheTheoreticalOne) {
  const MethodTraits& traits = GetParam();
  if (traits.order == 0) GTEST_SKIP() << "its order varies";
  // so many steps that the error follows its leading term, and so few that rounding errors do not show
  const int steps =
      std::vector<int>{0, 1200, 300, 150, 100, 60, 40, 30, 20}.at(static_cast<std::size_t>(traits.order));
  for (const TestModel& model : test_models()) {
    const System system = shipped_system(model.name);
    const SolveOptions options = options_for(system, model, traits.name);
    if (!accepts(system, options)) continue;
    const KeptSample exact = end_of(system, options_for(system, model, "adomian"));
    const double coarse = state_error(end_of(system, with_steps(options, traits, steps)), exact);
    const double fine = state_error(end_of(system, with_steps(options, traits, 2 * steps)), exact);
    if (fine < 1e-13) continue;  // a motion that the method follows exactly
    EXPECT_NEAR(std::log2(coarse / fine), traits.order, 0.15 * traits.order + 0.1)
        << model.name << ": " << coarse << " -> " << fine;
  }
}

TEST_P(MethodLaws, ToleranceIsHeldAndMultipliersToo) {
  const MethodTraits& traits = GetParam();
  if (!traits.adaptive) GTEST_SKIP() << "its step is constant";
  for (const TestModel& model : test_models()) {
    const System system = shipped_system(model.name);
    SolveOptions options = options_for(system, model, traits.name);
    if (!accepts(system, options)) continue;
    const KeptSample exact = end_of(system, options_for(system, model, "adomian"));
    for (const double tolerance : {1e-5, 1e-8}) {
      options.tolerance = tolerance;
      const KeptSample sample = end_of(system, options);
      EXPECT_LE(state_error(sample, exact), traits.error_per_tolerance * tolerance)
          << model.name << ' ' << tolerance;
      EXPECT_LE(distance(sample.lambda, exact.lambda), 10 * traits.error_per_tolerance * tolerance)
          << model.name << ' ' << tolerance;
    }
  }
}

TEST_P(MethodLaws, ConstraintsAreKeptAsPromisedAtStepsAndSamples) {
  const MethodTraits& traits = GetParam();
  for (const TestModel& model : test_models()) {
    const System system = shipped_system(model.name);
    SolveOptions options = options_for(system, model, traits.name);
    if (!accepts(system, options)) continue;
    options.output_times.clear();
    options.output_step = model.duration / 137;  // falls inside the steps
    if (!traits.adaptive) options.step = model.duration / 1000;
    const auto result = simulate(system, options);
    ASSERT_TRUE(reached_end(result.report.outcome)) << model.name;
    if (traits.adaptive) {
      EXPECT_EQ(result.report.outcome, Outcome::finished) << model.name;
    }
    double speed = 1;
    for (const KeptSample& sample : result.samples) {
      for (const double v : sample.v) speed = std::max(speed, std::abs(v));
    }
    if (traits.keeps_positions) {
      EXPECT_LE(result.report.max_position_residual, 1e-13) << model.name;
    }
    if (traits.keeps_velocities) {
      EXPECT_LE(result.report.max_velocity_residual, 1e-13 * speed) << model.name;
    }
  }
}

TEST_P(MethodLaws, SamplesInsideTheStepsAreAsGoodAsTheSteps) {
  const MethodTraits& traits = GetParam();
  for (const TestModel& model : test_models()) {
    const System system = shipped_system(model.name);
    SolveOptions options = options_for(system, model, traits.name);
    if (!accepts(system, options)) continue;
    options.output_times.clear();
    options.output_step = model.duration / 50.5;
    const auto reference = [&] {
      SolveOptions exact = options;
      exact.method = "adomian";
      return simulate(system, exact);
    }();
    options = traits.adaptive ? options : with_steps(options, traits, 40);
    if (traits.adaptive) options.tolerance = 1e-7;
    const auto result = simulate(system, options);
    ASSERT_EQ(result.samples.size(), reference.samples.size());
    double at_end = state_error(result.samples.back(), reference.samples.back());
    if (traits.adaptive) at_end = std::max(at_end, options.tolerance);
    for (std::size_t i = 0; i < result.samples.size(); ++i) {
      EXPECT_LE(state_error(result.samples[i], reference.samples[i]), 30 * at_end + 1e-12)
          << model.name << " at " << result.samples[i].t;
    }
  }
}

TEST_P(MethodLaws, EnergyBalanceIsAsGoodAsTheMotion) {
  const MethodTraits& traits = GetParam();
  for (const TestModel& model : test_models()) {
    const System system = shipped_system(model.name);
    SolveOptions options = options_for(system, model, traits.name);
    if (!accepts(system, options)) continue;
    const KeptSample exact = end_of(system, options_for(system, model, "adomian"));
    options = traits.adaptive ? options : with_steps(options, traits, 400);
    if (traits.adaptive) options.tolerance = 1e-7;
    const auto result = simulate(system, options);
    const double error = std::max(state_error(result.samples.back(), exact), traits.adaptive ? 1e-7 : 0);
    EXPECT_LE(result.report.max_energy_error / result.report.energy_scale, 100 * error + 1e-12) << model.name;
  }
}

TEST_P(MethodLaws, RunsBackToItsStart) {
  const MethodTraits& traits = GetParam();
  const TestModel model{"double_pendulum_cartesian", 0.5};
  const System system = shipped_system(model.name);
  SolveOptions options = options_for(system, model, traits.name);
  if (!accepts(system, options)) GTEST_SKIP();
  options = traits.adaptive ? options : with_steps(options, traits, 500);
  if (traits.adaptive) options.tolerance = 1e-9;
  const KeptSample there = end_of(system, options);
  std::vector<Override> turn;
  for (std::size_t i = 0; i < system.n(); ++i) {
    turn.push_back({system.coordinate_name(i), fmt::format("{:.17g}", there.q[i])});
    turn.push_back({system.coordinate_name(i) + "'", fmt::format("{:.17g}", there.v[i])});
  }
  const System turned = shipped_system(model.name, turn);
  options.start = model.duration;
  options.duration = -model.duration;
  options.output_times = {0};
  const KeptSample back = end_of(turned, options);
  const double forth_error = state_error(there, end_of(system, options_for(system, model, "adomian")));
  const double allowed = traits.symmetric ? 1e-11 : 100 * std::max(forth_error, 1e-9);
  EXPECT_LE(distance(back.q, system.given_positions<double>()), allowed);
}

INSTANTIATE_TEST_SUITE_P(AllMethods, MethodLaws, ::testing::ValuesIn(all_traits()),
                         [](const auto& info) { return info.param.name; });

TEST(Methods, EveryRegisteredMethodIsUnderTheLaws) {
  for (const Method& method : methods()) {
    EXPECT_TRUE(std::any_of(all_traits().begin(), all_traits().end(), [&](const MethodTraits& traits) {
      return traits.name == method.name;
    })) << method.name;
  }
}

}  // namespace
}  // namespace dalembert

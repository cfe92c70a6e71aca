// The multistep methods bdf and ndf: order, tolerance, drift of each index form, failures.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::shipped_system;
using testing::simulate;
using testing::Simulation;

SolveOptions options_for(const System& system, const std::string& method, double duration) {
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.duration = duration;
  options.output_times.clear();
  constexpr int samples = 16;
  for (int k = 1; k <= samples; ++k) options.output_times.push_back(options.start + duration * k / samples);
  return options;
}

// The largest difference of positions at any sample, beside the largest position.
double error_of(const Simulation& run, const Simulation& reference) {
  double error = 0, size = 0;
  for (std::size_t k = 0; k < reference.samples.size(); ++k) {
    for (std::size_t i = 0; i < reference.samples[k].q.size(); ++i) {
      error = std::max(error, std::abs(run.samples.at(k).q[i] - reference.samples[k].q[i]));
      size = std::max(size, std::abs(reference.samples[k].q[i]));
    }
  }
  return error / size;
}

struct Case {
  std::string method;
  std::string index_form;
  std::string formula;
};
std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return info.param.method + "_" + info.param.index_form + (info.param.formula.empty() ? "" : "_bdf");
}

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.method << " " << c.index_form; }

struct Example {
  const char* model;
  double duration;
};
constexpr std::array examples{Example{"pendulum_cartesian", 2}, Example{"double_pendulum_cartesian", 1.5},
                              Example{"rolling_disk", 2}, Example{"two_link_robot", 3}};

class Multistep : public ::testing::TestWithParam<Case> {
 protected:
  SolveOptions options(const System& system, const Example& example) const {
    SolveOptions result = options_for(system, GetParam().method, example.duration);
    result.index_form = GetParam().index_form;
    result.formula = GetParam().formula;
    return result;
  }
  static Simulation reference(const System& system, const Example& example) {
    return simulate(system, options_for(system, "adomian", example.duration));
  }
};

TEST_P(Multistep, ErrorFallsWithTheNumberOfStepsToThePowerOfTheOrder) {
  for (const Example& example : examples) {
    const System system = shipped_system(example.model);
    const Simulation exact = reference(system, example);
    for (const int order : {2, 3, 4}) {
      std::vector<double> log_error, log_steps;
      for (const double tolerance : {std::pow(10, -4 - order), std::pow(10, -7 - order)}) {
        SolveOptions asked = options(system, example);
        asked.order = order;
        asked.tolerance = tolerance;
        const Simulation run = simulate(system, asked);
        ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
        EXPECT_EQ(run.report.highest_order, order);
        log_error.push_back(std::log(error_of(run, exact)));
        log_steps.push_back(std::log(static_cast<double>(run.report.steps)));
      }
      const double slope = (log_error[0] - log_error[1]) / (log_steps[1] - log_steps[0]);
      EXPECT_NEAR(slope, order, 0.25 * order) << example.model << " order " << order;
    }
  }
}

TEST_P(Multistep, ErrorFollowsTheTolerance) {
  for (const Example& example : examples) {
    const System system = shipped_system(example.model);
    const Simulation exact = reference(system, example);
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      SolveOptions asked = options(system, example);
      asked.tolerance = tolerance;
      const Simulation run = simulate(system, asked);
      ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
      EXPECT_LE(error_of(run, exact), 1000 * tolerance) << example.model << " " << tolerance;
    }
  }
}

TEST_P(Multistep, StaysOnTheConstraintsOfItsFormulation) {
  const System system = shipped_system("double_pendulum_cartesian");
  const Example example{"", 3};
  SolveOptions asked = options(system, example);
  asked.tolerance = 1e-8;
  asked.output_times.clear();
  asked.output_step = 0;  // the constraints hold at the ends of steps
  const Simulation run = simulate(system, asked);
  ASSERT_EQ(run.report.outcome, Outcome::finished);
  // Newton's method stops at a fraction of the tolerance beside the largest velocity, which is about 10
  EXPECT_LE(run.report.max_position_residual, GetParam().index_form == "ggl" ? asked.tolerance : 1e-4);
  EXPECT_LE(run.report.max_velocity_residual,
            GetParam().index_form == "index1" ? 1e-3 : 10 * asked.tolerance);
  if (GetParam().index_form == "index1") {
    EXPECT_GE(run.report.max_position_residual, 1e-9) << "no drift?";
  }
}

TEST_P(Multistep, RunsBackwardsInTime) {
  const System system = shipped_system("pendulum_cartesian");
  const Example example{"", -2};
  const Simulation exact = reference(system, example);
  SolveOptions asked = options(system, example);
  asked.tolerance = 1e-9;
  const Simulation run = simulate(system, asked);
  ASSERT_EQ(run.report.outcome, Outcome::finished) << run.report.reason;
  EXPECT_EQ(run.report.end_time, -2);
  EXPECT_LE(error_of(run, exact), 1e-6);
}

TEST_P(Multistep, SamplesInsideStepsAreAsGoodAsTheirEnds) {
  const System system = shipped_system("pendulum_cartesian");
  const Example example{"", 2};
  SolveOptions asked = options(system, example);
  asked.tolerance = 1e-8;
  asked.output_times.clear();
  asked.output_step = 0.0137;
  SolveOptions exact = asked;
  exact.method = "adomian";
  exact.tolerance = 0;
  const Simulation run = simulate(system, asked), reference = simulate(system, exact);
  ASSERT_EQ(run.samples.size(), reference.samples.size());
  for (std::size_t k = 0; k < run.samples.size(); ++k) {
    EXPECT_NEAR(run.samples[k].q[0], reference.samples[k].q[0], 2e-6);
    EXPECT_NEAR(run.samples[k].v[0], reference.samples[k].v[0], 2e-5);
    EXPECT_NEAR(run.samples[k].lambda[0], reference.samples[k].lambda[0], 2e-5);
  }
}

TEST_P(Multistep, StopsWithTimeAndReasonAtASingularityOfTheSolution) {
  // x'' = 6 x², x(0) = 1, x'(0) = 2 has the solution 1/(1 − t)²
  const Model model = read_model_text(R"(
[coordinates]
x = { position = 1, velocity = 2 }
[energy]
kinetic = "x'^2/2"
potential = "-2*x^3"
)");
  const System system(model);
  const Example example{"", 2};
  const Simulation run = simulate(system, options(system, example));
  EXPECT_EQ(run.report.outcome, Outcome::stopped_early);
  EXPECT_NEAR(run.report.end_time, 1, 1e-2);
  EXPECT_FALSE(run.report.reason.empty());
}

INSTANTIATE_TEST_SUITE_P(Methods, Multistep,
                         ::testing::Values(Case{"bdf", "index1", ""}, Case{"bdf", "index2", ""},
                                           Case{"bdf", "ggl", ""}, Case{"ndf", "index1", ""},
                                           Case{"ndf", "index2", ""}, Case{"ndf", "ggl", ""},
                                           Case{"ndf", "index1", "bdf"}),
                         name_of);

// x = cos t, with a spring and a damper of the rate mu that pull there: v is the derivative of what the
// spring dictates, and an explicit method needs steps of 1/mu.
constexpr const char* stiff_spring = R"toml(
title = "Stiff spring"
[parameters]
mu = 1e4
damping = 2
[coordinates]
x = { position = 1, velocity = 0 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-mu^2*(x - cos(t)) - damping*mu*(x' + sin(t)) - cos(t)"
[solve]
duration = 10
)toml";

// The same on a circle: x = cos t, y = sin t, the centripetal force is all that the constraint gives, so that
// λ = 1/2.
constexpr const char* stiff_circle = R"toml(
title = "Stiff springs on a circle"
[parameters]
mu = 1e4
[coordinates]
x = { position = 1, velocity = 0 }
y = { position = 0, velocity = 1 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
[forces]
x = "-mu^2*(x - cos(t)) - 2*mu*(x' + sin(t))"
y = "-mu^2*(y - sin(t)) - 2*mu*(y' - cos(t))"
[constraints]
holonomic = { circle = "x^2 + y^2 = 1" }
[solve]
duration = 10
)toml";

System stiff_system(const char* text, const Override& override_) {
  return System(read_model_text(text, "stiff.toml", {override_}));
}

TEST_P(Multistep, FollowsTheSlowMotionOfStiffSprings) {
  for (const Override& changed :
       {Override{"mu", "1e2"}, Override{"mu", "1e4"}, Override{"mu", "1e6"}, Override{"damping", "20"}}) {
    SCOPED_TRACE(changed.name + " = " + changed.value);
    const System system = stiff_system(stiff_spring, changed);
    SolveOptions asked = options(system, {"", 10});
    for (const double tolerance : {1e-6, 1e-9}) {
      asked.tolerance = tolerance;
      const Simulation run = simulate(system, asked);
      ASSERT_EQ(run.report.outcome, Outcome::finished);
      EXPECT_LT(run.report.steps + run.report.rejected, 1500u);
      for (const testing::KeptSample& sample : run.samples) {
        EXPECT_NEAR(sample.q[0], std::cos(sample.t), 100 * tolerance);
        EXPECT_NEAR(sample.v[0], -std::sin(sample.t), 100 * tolerance);
      }
    }
  }
}

TEST_P(Multistep, AccelerationsAndMultipliersOfStiffForcesAreAsGoodAsTheState) {
  for (const char* mu : {"1e2", "1e4"}) {
    SCOPED_TRACE(mu);
    const System system = stiff_system(stiff_circle, {"mu", mu});
    SolveOptions asked = options(system, {"", 10});
    asked.tolerance = 1e-8;
    const Simulation run = simulate(system, asked);
    ASSERT_EQ(run.report.outcome, Outcome::finished);
    EXPECT_LT(run.report.steps + run.report.rejected, 1000u);
    for (const testing::KeptSample& sample : run.samples) {
      EXPECT_NEAR(sample.q[0], std::cos(sample.t), 2e-6);
      EXPECT_NEAR(sample.a[0], -std::cos(sample.t), 2e-6);
      EXPECT_NEAR(sample.a[1], -std::sin(sample.t), 2e-6);
      EXPECT_NEAR(sample.lambda[0], 0.5, 2e-6);
    }
  }
}

TEST(Ndf, NeedsFewerStepsThanBdfOfTheSameCode) {  // section 2.1 of [shampinereichelt1997]: about a quarter
  const System system = shipped_system("slider_crank");
  SolveOptions options = options_for(system, "ndf", 2);
  options.order = 2;
  options.tolerance = 1e-6;
  const Simulation ndf = simulate(system, options);
  options.formula = "bdf";
  const Simulation bdf = simulate(system, options);
  EXPECT_LT(static_cast<double>(ndf.report.steps), 0.9 * static_cast<double>(bdf.report.steps));
}

// x'' = acos x reaches x = 1, where no force is any more.
TEST_P(Multistep, StopsWhereAForceLeavesItsDomain) {
  const System system(read_model_text(R"toml(
[coordinates]
x = { position = 0.5, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "acos(x)"
)toml"));
  SolveOptions options = options_of(system.model());
  options.method = GetParam().method;
  options.index_form = GetParam().index_form;
  options.formula = GetParam().formula;
  options.duration = 2;
  const Simulation motion = simulate(system, options);
  EXPECT_EQ(motion.report.outcome, Outcome::stopped_early);
  EXPECT_NEAR(motion.report.end_time, 0.42420314574, 1e-6);
  EXPECT_LT(motion.report.max_energy_error, 1e-5);
}

// At rest both signs are zero, the force jumps to 2 with the first motion.
TEST_P(Multistep, StartsFromRestWhereSignsJumpAtOnce) {
  const System system(read_model_text(R"toml(
[coordinates]
x = { position = 0.3 }
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[forces]
x = "2*sign(x*x')*sign(x')"
)toml"));
  SolveOptions options = options_for(system, GetParam().method, 1);
  options.index_form = GetParam().index_form;
  options.formula = GetParam().formula;
  const Simulation motion = simulate(system, options);
  ASSERT_EQ(motion.report.outcome, Outcome::finished) << motion.report.reason;
  EXPECT_NEAR(motion.samples.back().q[0], 2 - 1.7 * std::cos(1.0), 1e-5);  // x'' = 2 - x
}

TEST(MultistepOptions, ThatAreUnknownAreRefused) {
  const System system = shipped_system("pendulum_cartesian");
  const auto message = [&](const auto& change) {
    SolveOptions options = options_for(system, "ndf", 1);
    change(options);
    try {
      simulate(system, options);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("accepted");
  };
  EXPECT_NE(message([](SolveOptions& o) { o.index_form = "index 1"; }).find("did you mean 'index1'"),
            std::string::npos);
  EXPECT_NE(message([](SolveOptions& o) { o.formula = "bdff"; }).find("did you mean 'bdf'"),
            std::string::npos);
  EXPECT_NE(message([](SolveOptions& o) { o.order = 6; }).find("orders from 1 to 5"), std::string::npos);
}

}  // namespace
}  // namespace dalembert

// Dry friction that is written more than once: the signs of one slip slide together.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::Simulation;

constexpr const char* two_bodies = R"toml(
[parameters]
p = 2
n = -3
[coordinates]
x = {{ position = 0, velocity = 1 }}
y = 0
[energy]
kinetic = "x'^2/2 + y'^2"
potential = "{}"
[forces]
x = "{}"
y = "{}"
[solve]
duration = 5
)toml";

Simulation simulate_rubbing(const std::string& text, const std::string& method = "adomian") {
  const System system(read_model_text(text));
  SolveOptions options = options_of(system.model());
  options.method = method;
  return testing::simulate(system, options);
}

struct Pair {
  const char* on_x;
  const char* on_y;
};

const std::vector<Pair> pairs{{"-0.5*sign(x' - y')", "0.5*sign(x' - y')"},
                              {"-0.5*sign(x' - y')", "-0.5*sign(y' - x')"},
                              {"0.5*sign(2*y' - 2*x')", "-0.5*sign(y' - x')"},
                              {"-0.5*sign(p*x' - p*y')", "-0.5*sign(y' - x')"},
                              {"-0.5*sign(x' - y')", "-0.5*sign(n*(x' - y'))"},
                              {"-0.3*sign(x' - y') - 0.2*sign(p*(x' - y'))", "0.5*sign((x' - y')/3)"}};

// Free: slip 1 − 0.75 t ends at t = 4/3 with the speed 1/3 of both, since momentum is 1.
TEST(FrictionPair, BodiesThatRubStickTogetherAndKeepTheirMomentum) {
  for (const Pair& pair : pairs) {
    const Simulation result = simulate_rubbing(fmt::format(two_bodies, "0", pair.on_x, pair.on_y));
    ASSERT_EQ(result.report.outcome, Outcome::finished) << pair.on_x << ": " << result.report.reason;
    const auto& end = result.samples.back();
    EXPECT_NEAR(end.v[0], 1.0 / 3, 1e-14) << pair.on_x;
    EXPECT_NEAR(end.v[1], 1.0 / 3, 1e-14) << pair.on_x;
    EXPECT_NEAR(end.q[0] - end.q[1], 2.0 / 3, 1e-14) << pair.on_x;
  }
}

TEST(FrictionPair, SpringsMoveBothTheSameHoweverItIsWritten) {
  const char* springs = "0.1*x^2 + 0.3*(y - 1)^2";
  const Simulation reference =
      simulate_rubbing(fmt::format(two_bodies, springs, pairs[0].on_x, pairs[0].on_y));
  EXPECT_NEAR(reference.samples.back().v[0], reference.samples.back().v[1], 1e-14);
  for (const Pair& pair : pairs) {
    const Simulation result = simulate_rubbing(fmt::format(two_bodies, springs, pair.on_x, pair.on_y));
    ASSERT_EQ(result.report.outcome, Outcome::finished) << pair.on_x << ": " << result.report.reason;
    EXPECT_NEAR(result.samples.back().q[0], reference.samples.back().q[0], 1e-13) << pair.on_x;
    EXPECT_LT(result.report.max_energy_error, 1e-13) << pair.on_x;
  }
}

// One body on the ground under another: each slip has a sign of its own, and they may stick together.
TEST(FrictionPair, GroundAndPairStickOneAfterTheOther) {
  const Simulation result = simulate_rubbing(
      fmt::format(two_bodies, "0", "-0.5*sign(x' - y')", "-0.5*sign(y' - x') - 0.2*sign(y')"));
  ASSERT_EQ(result.report.outcome, Outcome::finished) << result.report.reason;
  EXPECT_NEAR(result.samples.back().v[0], 0, 1e-14);
  EXPECT_NEAR(result.samples.back().v[1], 0, 1e-14);
}

// A spring of force 1 does not move what friction of 1.3 holds: methods that do not know of sticking say so
// after a few steps, although no step ends on the other side.
TEST(FrictionPair, AStartThatSticksStaysByEveryMethodThatCan) {
  const std::string text = R"toml(
[coordinates]
x = -1
[energy]
kinetic = "x'^2"
potential = "x^2/2"
[forces]
x = "-1.3*sign(x')"
)toml";
  const Simulation right = simulate_rubbing(text);
  ASSERT_EQ(right.report.outcome, Outcome::finished) << right.report.reason;
  EXPECT_EQ(right.samples.back().q[0], -1);
  for (const char* method : {"dop853", "dopri5", "ndf"}) {
    const Simulation result = simulate_rubbing(text, method);
    EXPECT_EQ(result.report.outcome, Outcome::finished) << method << result.report.reason;
    EXPECT_NEAR(result.samples.back().q[0], -1, 1e-12) << method;
  }
}

// x + x' = 0 is where a force of the other sign holds the motion; when the force turns round, it drives the
// motion away from there on both sides, and no side is right.
TEST(Sliding, EndsWhereEitherSideDrivesTheMotionAway) {
  constexpr const char* turning = R"toml(
[coordinates]
x = {{ position = 1, velocity = -0.5 }}
[energy]
kinetic = "x'^2/2"
[forces]
x = "-2*sign(x + x')*sign({})"
)toml";
  const Simulation held = simulate_rubbing(fmt::format(turning, "1"));
  ASSERT_EQ(held.report.outcome, Outcome::finished) << held.report.reason;
  EXPECT_NEAR(held.samples.back().q[0] + held.samples.back().v[0], 0, 1e-14);
  const Simulation turned = simulate_rubbing(fmt::format(turning, "1.25 - t"));
  EXPECT_EQ(turned.report.outcome, Outcome::stopped_early);
  EXPECT_NE(turned.report.reason.find("not unique"), std::string::npos) << turned.report.reason;
  EXPECT_NEAR(turned.report.end_time, 1.25, 1e-14);
}

}  // namespace
}  // namespace dalembert

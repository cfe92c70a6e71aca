#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dalembert/system/start.hpp>

#include "system/models.hpp"

namespace dalembert {
namespace {

using test::particle;
using test::shipped;
using test::slider_crank;
using testing::IsSubstring;

std::string message_of(const System& system) {
  try {
    find_start(system);
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

TEST(Start, ConsistentValuesAreNotTouchedAtAll) {
  for (const char* name : {"andrews", "car_axis", "chain10", "double_pendulum_cartesian", "fekete",
                           "heavy_top", "knife_edge", "particle_on_circle", "pendulum", "pendulum_cartesian",
                           "rolling_disk", "slider_crank", "spherical_pendulum", "two_link_robot"}) {
    const System system = shipped(name);
    const Start start = find_consistent_state(system);
    EXPECT_TRUE(start.changes.empty()) << name << ": " << start.changes.front().name << " moved";
    EXPECT_EQ(start.q, system.given_positions<double>()) << name;
    EXPECT_EQ(start.v, system.given_velocities<double>()) << name;
    EXPECT_EQ(start.iterations, 0) << name;
  }
}

TEST(Start, GuessesOfTheFourBarCloseTheLoopAndTheCrankStays) {
  const Start start = find_start(shipped("four_bar"));
  EXPECT_EQ(start.q[0], std::acos(-1.0) / 3);
  ASSERT_EQ(start.changes.size(), 2U);
  EXPECT_EQ(start.changes[0].name, "theta2");
  EXPECT_EQ(start.changes[0].from, 0.5);
  EXPECT_EQ(start.changes[0].to, start.q[1]);
  EXPECT_EQ(start.changes[1].name, "theta3");
  const double l1 = 0.1, l2 = 0.35, l3 = 0.25, l4 = 0.3;
  EXPECT_NEAR(l1 * std::cos(start.q[0]) + l2 * std::cos(start.q[1]) - l4 - l3 * std::cos(start.q[2]), 0,
              2e-16);
  EXPECT_NEAR(l1 * std::sin(start.q[0]) + l2 * std::sin(start.q[1]) - l3 * std::sin(start.q[2]), 0, 2e-16);
  EXPECT_GT(std::abs(start.g_given[0]), 1e-3);
  EXPECT_GT(start.iterations, 0);
}

TEST(Start, GuessesFarOffFindTheirWayForEveryCrankAngle) {
  for (int k = 0; k < 24; ++k) {
    for (const double guess : {0.0, 1.5, -3.0}) {
      const std::string angle = std::to_string(k) + "*pi/12";
      const System system =
          shipped("four_bar",
                  {{"theta1", angle}, {"theta2", std::to_string(guess)}, {"theta3", std::to_string(guess)}});
      const Start start = find_consistent_state(system);
      EXPECT_LT(std::abs(start.g[0]) + std::abs(start.g[1]), 1e-15) << angle << " from " << guess;
      EXPECT_EQ(start.q[0], system.given_positions<double>()[0]);
      EXPECT_LT(std::abs(start.q[1] - guess), 2 * std::acos(-1.0)) << "no turns beyond need";
    }
  }
}

TEST(Start, GivenValuesStayWhenGuessesSuffice) {
  const System system(
      slider_crank({.position = 0.7}, {.position = 0, .guess = true}, {.position = 9, .guess = true})
          .build());
  const Start start = find_consistent_state(system);
  EXPECT_EQ(start.q[0], 0.7);
  EXPECT_NEAR(start.q[1], std::asin(0.3 * std::sin(0.7)), 1e-15);
  EXPECT_NEAR(start.q[2], 0.3 * std::cos(0.7) + std::cos(start.q[1]), 1e-15);
}

TEST(Start, GivenValuesMoveWhereGuessesDoNotSuffice) {
  const System system(
      slider_crank({.position = 0.7}, {.position = 0, .guess = true}, {.position = 1.1}).build());
  const Start start = find_consistent_state(system);
  EXPECT_LT(std::abs(start.g[0]) + std::abs(start.g[1]), 1e-15);
  EXPECT_EQ(start.changes.size(), 3U);
  EXPECT_LT(std::abs(start.q[0] - 0.7) + std::abs(start.q[2] - 1.1), 0.3);
}

TEST(Start, MovesAreSharedByMass) {
  const System system(ModelBuilder("bar")
                          .coordinate("x1", {.position = 0})
                          .coordinate("x2", {.position = 2})
                          .kinetic("x1'^2/2 + 3*x2'^2/2")
                          .holonomic("bar", "x2 - x1 = 1")
                          .build());
  const Start start = find_consistent_state(system);
  EXPECT_NEAR(start.q[0], 0.75, 1e-15);
  EXPECT_NEAR(start.q[1], 1.75, 1e-15);
}

// z is in no constraint; its inertia is coupled to that of x and y, which must move.
TEST(Start, AGuessThatNoConstraintKnowsIsNotDraggedAlong) {
  for (const double coupling : {0.4, -0.9}) {
    const System system(ModelBuilder("coupled")
                            .coordinate("x", {.position = 1.2, .velocity = 1})
                            .coordinate("y", {.position = 1, .velocity = 1})
                            .coordinate("z", {.position = 1, .guess = true})
                            .kinetic("x'^2 + y'^2 + z'^2 + (" + std::to_string(coupling) + ")*x'*z'")
                            .holonomic("sum", "x + y = 3 + t")
                            .holonomic("product", "x*y = 2")
                            .build());
    const Start start = find_consistent_state(system);
    EXPECT_NEAR(start.q[0] + start.q[1], 3, 1e-14);
    EXPECT_EQ(start.q[2], 1);
    EXPECT_EQ(start.v[2], 0);
  }
}

TEST(Start, FixedCoordinatesNeverMove) {
  const System system(ModelBuilder("bar")
                          .coordinate("x1", {.position = 0, .fixed = true})
                          .coordinate("x2", {.position = 2})
                          .kinetic("x1'^2/2 + 3*x2'^2/2")
                          .holonomic("bar", "x2 - x1 = 1")
                          .build());
  const Start start = find_consistent_state(system);
  EXPECT_EQ(start.q[0], 0);
  EXPECT_NEAR(start.q[1], 1, 1e-15);
}

TEST(Start, AGuessWhereTheConstraintHasNoSlopeStillFindsAWay) {
  const System system(particle({.position = 0, .guess = true}, {.position = 0, .guess = true})
                          .holonomic("circle", "x^2 + y^2 = 4")
                          .build());
  const Start start = find_consistent_state(system);
  EXPECT_NEAR(std::hypot(start.q[0], start.q[1]), 2, 1e-15);
}

TEST(Start, FarFromTheManifoldTheNearestSideIsFound) {
  const System system(
      particle({.position = 3000}, {.position = -4000}).holonomic("circle", "x^2 + y^2 = 1").build());
  const Start start = find_consistent_state(system);
  EXPECT_NEAR(start.q[0], 0.6, 1e-14);
  EXPECT_NEAR(start.q[1], -0.8, 1e-14);
}

TEST(Start, VelocitiesThatWereNotGivenFollowThoseThatWere) {
  const System system(slider_crank({.position = 0.7, .velocity = 2}, {.position = 0.1, .guess = true},
                                   {.position = 1, .guess = true})
                          .build());
  const Start start = find_consistent_state(system);
  const double psi_rate = 0.3 * std::cos(0.7) * 2 / std::cos(start.q[1]);
  EXPECT_EQ(start.v[0], 2);
  EXPECT_NEAR(start.v[1], psi_rate, 1e-15);
  EXPECT_NEAR(start.v[2], -0.3 * std::sin(0.7) * 2 - std::sin(start.q[1]) * psi_rate, 1e-15);
}

TEST(Start, TimeDependentConstraintsSetTheVelocity) {
  const System system(particle({.position = 0}, {.position = 0}).holonomic("drive", "x = sin(3*t)").build());
  const Start start = find_start(system);
  EXPECT_NEAR(start.v[0], 3, 1e-15);
  EXPECT_EQ(start.v[1], 0);
  EXPECT_NEAR(start.a[0], 0, 1e-15);
  EXPECT_NEAR(start.a[1], -10, 1e-14);
}

TEST(Start, BeginsAtTheTimeOfTheModel) {
  const Start start = find_start(shipped("particle_on_circle"));
  EXPECT_EQ(start.t, 1);
  EXPECT_NEAR(start.lambda[0], 2, 1e-14);  // λ = 2 t²
}

TEST(Start, PendulumHangingStillFeelsItsWeight) {
  const Start start = find_start(
      System(particle({.position = 0}, {.position = -2}).holonomic("rod", "x^2 + y^2 = 4").build()));
  EXPECT_NEAR(start.a[0], 0, 1e-15);
  EXPECT_NEAR(start.a[1], 0, 1e-15);
  EXPECT_NEAR(start.lambda[0], 2.5, 1e-15);  // 2 y λ = −10 for M a = f − Cᵀ λ
}

TEST(Start, RedundantConstraintsShareTheMultiplier) {
  const System system(particle({.position = 0}, {.position = -2})
                          .holonomic("rod", "x^2 + y^2 = 4")
                          .holonomic("twin", "x^2 + y^2 = 4")
                          .build());
  const Start start = find_start(system);
  EXPECT_NEAR(start.lambda[0], 1.25, 1e-14);
  EXPECT_NEAR(start.lambda[1], 1.25, 1e-14);
}

TEST(Start, RedundantConstraintsAreProjectedOnLikeSingleOnes) {
  const System system(particle({.position = 2.2}, {.position = -1})
                          .holonomic("rod", "x^2 + y^2 = 4")
                          .holonomic("twin", "3*x^2 + 3*y^2 = 12")
                          .build());
  const Start start = find_consistent_state(system);
  EXPECT_NEAR(std::hypot(start.q[0], start.q[1]), 2, 1e-15);
}

TEST(Start, ContradictingConstraintsAreNamedTogether) {
  const System system(particle({.position = 0}, {.position = 0})
                          .holonomic("left", "x = 1")
                          .holonomic("right", "x = 2")
                          .build());
  const std::string message = message_of(system);
  EXPECT_PRED_FORMAT2(IsSubstring, "level of positions", message);
  EXPECT_PRED_FORMAT2(IsSubstring, "`right` contradicts `left`", message);
  EXPECT_PRED_FORMAT2(IsSubstring, "off by", message);
}

TEST(Start, ContradictingVelocitiesAreNamedTogether) {
  const System system(particle({.position = 0}, {.position = 0})
                          .nonholonomic("slow", "x' = 1")
                          .nonholonomic("fast", "2*x' = 4")
                          .build());
  const std::string message = message_of(system);
  EXPECT_PRED_FORMAT2(IsSubstring, "level of velocities", message);
  EXPECT_PRED_FORMAT2(IsSubstring, "`fast` contradicts `slow`", message);
}

TEST(Start, AContradictionOfAccelerationsAloneIsNamed) {
  const System system(particle({.position = 0}, {.position = 0})  // at rest in 0, but x = t² leaves
                          .holonomic("wall", "x = 0")
                          .holonomic("drive", "x = t^2")
                          .build());
  const std::string message = message_of(system);
  EXPECT_PRED_FORMAT2(IsSubstring, "no accelerations exist", message);
  EXPECT_PRED_FORMAT2(IsSubstring, "`drive` contradicts `wall`", message);
}

TEST(Start, AFixedCoordinateOutOfReachIsBlamed) {
  const System system(particle({.position = 0.5}, {.position = 2, .fixed = true})
                          .holonomic("circle", "x^2 + y^2 = 1")
                          .build());
  const std::string message = message_of(system);
  EXPECT_PRED_FORMAT2(IsSubstring, "`circle` is off by 3", message);
  EXPECT_PRED_FORMAT2(IsSubstring, "change `y`", message);
  EXPECT_PRED_FORMAT2(IsSubstring, "fixed = true", message);
}

TEST(Start, AFixedVelocityThatDoesNotFitIsBlamed) {
  const System system(particle({.position = 1, .velocity = 1, .fixed = true}, {.position = 0})
                          .holonomic("circle", "x^2 + y^2 = 1")
                          .build());
  const std::string message = message_of(system);
  EXPECT_PRED_FORMAT2(IsSubstring, "`circle` is off by 2", message);
  EXPECT_PRED_FORMAT2(IsSubstring, "change `x'`, or let it move", message);
}

TEST(Start, AConstraintThatNothingCanMeetIsNamedWithItsResidual) {
  const System system(particle({.position = 3}, {.position = 4}).holonomic("never", "x^2 + y^2 + 1").build());
  EXPECT_PRED_FORMAT2(IsSubstring, "`never` is off by 1", message_of(system));
}

TEST(Start, AConstraintWithoutAValueIsNamed) {
  const System system(particle({.position = -1}, {.position = 0}).holonomic("root", "sqrt(x) = 1").build());
  EXPECT_PRED_FORMAT2(IsSubstring, "`root` has no finite value", message_of(system));
}

TEST(Start, AForceWithoutAValueIsNamed) {
  const System system(particle({.position = 0}, {.position = 0}).force("y", "1/x").build());
  EXPECT_PRED_FORMAT2(IsSubstring, "the force on `y` has no finite value", message_of(system));
}

TEST(Start, CoordinatesWithoutInertiaAreNamed) {
  const System system(
      ModelBuilder("massless").coordinate("x").coordinate("y").kinetic("x'^2/2").potential("y^2").build());
  EXPECT_PRED_FORMAT2(IsSubstring, "`y` has no inertia", message_of(system));
}

TEST(Start, AndrewsAccelerationsAndMultipliersEqualThePrintedDigits) {
  std::ifstream file(std::string(DALEMBERT_SOURCE_DIR) + "/tests/references/andrews.json");
  const auto reference = nlohmann::json::parse(file)["points"][0];
  const System system = shipped("andrews");
  const Start start = find_start(system);
  for (std::size_t i = 0; i < system.n(); ++i) {
    const double a = std::stod(reference["a"][system.coordinate_name(i)].get<std::string>());
    EXPECT_NEAR(start.a[i], a, 1e-13 * 14222) << system.coordinate_name(i);
  }
  for (std::size_t j = 0; j < system.m(); ++j) {
    const double lambda = std::stod(reference["lambda"][system.constraint_name(j)].get<std::string>());
    EXPECT_NEAR(start.lambda[j], lambda, 1e-13 * 98.6) << system.constraint_name(j);
  }
}

}  // namespace
}  // namespace dalembert

#include <array>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <dalembert/system/structure.hpp>

#include "system/models.hpp"

namespace dalembert {
namespace {

using test::particle;
using test::shipped;
using test::slider_crank;
using Indices = std::vector<std::size_t>;

Structure structure_of(const System& system) {
  return analyse_structure(system, find_consistent_state(system));
}

Structure structure_of(const ModelBuilder& builder) { return structure_of(System(builder.build())); }

struct Expected {
  const char* name;
  std::size_t degrees_of_freedom;
  std::size_t configuration_freedom;
  int index;
};

TEST(Structure, ShippedModelsHaveTheirFreedomAndIndex) {
  for (const Expected& expected : {Expected{"andrews", 1, 1, 3},
                                   {"car_axis", 2, 2, 3},
                                   {"chain10", 10, 10, 3},
                                   {"double_pendulum", 2, 2, 0},
                                   {"double_pendulum_cartesian", 2, 2, 3},
                                   {"fekete", 40, 40, 3},
                                   {"four_bar", 1, 1, 3},
                                   {"heavy_top", 3, 3, 3},
                                   {"knife_edge", 2, 3, 2},
                                   {"particle_on_circle", 1, 1, 3},
                                   {"pendulum", 1, 1, 0},
                                   {"pendulum_cartesian", 1, 1, 3},
                                   {"rolling_disk", 3, 5, 2},
                                   {"slider_crank", 1, 1, 3},
                                   {"spherical_pendulum", 2, 2, 3},
                                   {"two_link_robot", 1, 1, 3}}) {
    const Structure structure = structure_of(shipped(expected.name));
    EXPECT_EQ(structure.degrees_of_freedom, expected.degrees_of_freedom) << expected.name;
    EXPECT_EQ(structure.configuration_freedom, expected.configuration_freedom) << expected.name;
    EXPECT_EQ(structure.index, expected.index) << expected.name;
    EXPECT_TRUE(structure.redundant.empty()) << expected.name;
    EXPECT_TRUE(structure.singular.empty()) << expected.name;
    EXPECT_TRUE(structure.contradictions.empty()) << expected.name;
    EXPECT_TRUE(structure.inertia.missing.empty()) << expected.name;
    EXPECT_TRUE(structure.inertia.negative.empty()) << expected.name;
  }
}

TEST(Structure, ARedundantConstraintNamesThoseItDependsOn) {
  ModelBuilder builder = slider_crank({.position = 0.7}, {.position = 0.2, .guess = true}, {.position = 1});
  builder.holonomic("unrelated", "phi - 0.7 - t^2");
  builder.holonomic("sum", "l1*sin(phi) - l2*sin(psi) + 2*(l1*cos(phi) + l2*cos(psi) - x)");
  const Structure structure = structure_of(builder);
  EXPECT_EQ(structure.rank, 3U);
  EXPECT_EQ(structure.degrees_of_freedom, 0U);
  ASSERT_EQ(structure.redundant.size(), 1U);
  EXPECT_EQ(structure.redundant[0].constraint, 3U);
  EXPECT_EQ(structure.redundant[0].others, (Indices{0, 1}));
  EXPECT_TRUE(structure.singular.empty());
}

TEST(Structure, AFlatParallelogramIsSingularNotRedundant) {
  ModelBuilder builder("parallelogram");
  builder.coordinate("a").coordinate("b").coordinate("c").kinetic("a'^2 + b'^2 + c'^2");
  builder.holonomic("loop_x", "cos(a) + 2*cos(b) - cos(c) - 2")
      .holonomic("loop_y", "sin(a) + 2*sin(b) - sin(c)");
  const Structure structure = structure_of(builder);
  EXPECT_EQ(structure.rank, 1U);
  EXPECT_TRUE(structure.redundant.empty());
  ASSERT_EQ(structure.singular.size(), 1U);
  EXPECT_EQ(structure.singular[0].constraint, 0U);
  EXPECT_TRUE(structure.singular[0].others.empty()) << "the row of loop_x vanishes";
}

TEST(Structure, RedundancyAndSingularityAreToldApart) {
  ModelBuilder builder("parallelogram");
  builder.coordinate("a").coordinate("b").coordinate("c").kinetic("a'^2 + b'^2 + c'^2");
  builder.holonomic("loop_x", "cos(a) + 2*cos(b) - cos(c) - 2")
      .holonomic("loop_y", "sin(a) + 2*sin(b) - sin(c)");
  builder.holonomic("twin_y", "3*sin(a) + 6*sin(b) - 3*sin(c)");
  const Structure structure = structure_of(builder);
  EXPECT_EQ(structure.rank, 1U);
  ASSERT_EQ(structure.redundant.size(), 1U);
  EXPECT_EQ(structure.redundant[0].constraint, 2U);
  EXPECT_EQ(structure.redundant[0].others, (Indices{1}));
  ASSERT_EQ(structure.singular.size(), 1U);
  EXPECT_EQ(structure.singular[0].constraint, 0U);
}

// Four coordinates on three surfaces, and a fourth that follows from them or not.
Structure structure_in_units(const std::array<double, 4>& units, bool has_redundant) {
  const std::array<double, 4> place{-0.15, 0.15, 0.28, -0.82};
  ModelBuilder builder;
  std::array<std::string, 4> x;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string name = fmt::format("x{}", i);
    builder.coordinate(name, {.position = fmt::format("{}", place[i] * units[i])});
    x[i] = fmt::format("({}/{})", name, units[i]);
  }
  const auto rate = [&](std::size_t i) { return fmt::format("(x{}'/{})", i, units[i]); };
  builder.kinetic(fmt::format("{}^2 + 0.5*{}^2 + {}^2 + 1.2*{}^2", rate(0), rate(1), rate(2), rate(3)))
      .holonomic("g0", fmt::format("{}^2 + {}^2", x[0], x[2]) + " = 0.15^2 + 0.28^2")
      .holonomic("g1", fmt::format("sqrt(1 + {}^2 + {}^2) - {}", x[1], x[2], x[0]) +
                           " = sqrt(1 + 0.15^2 + 0.28^2) + 0.15")
      .holonomic("g2", fmt::format("{} + sin({})", x[2], x[0]) + " = 0.28 - sin(0.15)");
  if (has_redundant)
    builder.holonomic("g3", fmt::format("3*{} + 3*sin({})", x[2], x[0]) + " = 3*0.28 - 3*sin(0.15)");
  return structure_of(builder);
}

TEST(Structure, RankDoesNotDependOnTheUnitsOfCoordinates) {
  for (const std::array<double, 4>& units : {std::array<double, 4>{1, 1, 1, 1},
                                             {1e5, 10, 1e-6, 1e3},
                                             {1e-8, 1e8, 1, 1e4},
                                             {1e3, 1e3, 1e-9, 1e9}}) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(units, ", ")));
    const Structure regular = structure_in_units(units, false);
    EXPECT_EQ(regular.degrees_of_freedom, 1U);
    EXPECT_TRUE(regular.redundant.empty() && regular.singular.empty());
    EXPECT_GT(regular.smallest_pivot, 1e-3);
    const Structure redundant = structure_in_units(units, true);
    EXPECT_EQ(redundant.degrees_of_freedom, 1U);
    ASSERT_EQ(redundant.redundant.size(), 1U);
    EXPECT_EQ(redundant.redundant[0].constraint, 3U);
    EXPECT_EQ(redundant.redundant[0].others, Indices{2});
    EXPECT_NEAR(redundant.redundant[0].coefficients[0], 3, 1e-9);
  }
}

// The rows of a model with other parameters are looked at beside those of the model.
TEST(Structure, UsualInertiaIsFoundWhereRowsAreClearlyIndependentAlone) {
  const System usual(shipped("four_bar"));
  const Structure structure = structure_of(usual);
  ASSERT_EQ(structure.row_sizes.size(), usual.m());
  const auto found = [&](const System& system, const std::vector<double>& row_sizes) {
    return find_usual_inertia(system, find_consistent_state(system), row_sizes).has_value();
  };
  EXPECT_TRUE(found(usual, structure.row_sizes));
  EXPECT_TRUE(found(usual.with_parameters(std::vector<NamedValue>{{"l2", 0.36}}), structure.row_sizes));
  // a row that is small beside what it usually is; sizes of another system
  EXPECT_FALSE(found(usual, {1e6, 1}));
  EXPECT_FALSE(found(usual, {1}));
}

TEST(Structure, AnIsolatedPointIsSingular) {
  const Structure structure =
      structure_of(particle({.position = 0}, {.position = 0}).holonomic("point", "x^2 + y^2"));
  EXPECT_EQ(structure.rank, 0U);
  ASSERT_EQ(structure.singular.size(), 1U);
}

TEST(Structure, ContradictingAccelerationsAreFound) {
  const Structure structure = structure_of(
      particle({.position = 0}, {.position = 0}).holonomic("wall", "x = 0").holonomic("drive", "x = t^2"));
  ASSERT_EQ(structure.contradictions.size(), 1U);
  EXPECT_EQ(structure.contradictions[0].rows.constraint, 1U);
  EXPECT_EQ(structure.contradictions[0].rows.others, (Indices{0}));
  EXPECT_EQ(structure.contradictions[0].mismatch, -2);
  EXPECT_FALSE(structure.index);
}

TEST(Structure, CoordinatesWithoutInertiaAreFoundUnlessAConstraintHoldsThem) {
  ModelBuilder builder("massless");
  builder.coordinate("x").coordinate("y").coordinate("z").kinetic("(x' + z')^2/2").potential("y^2");
  EXPECT_EQ(structure_of(builder).inertia.missing, (Indices{0, 1, 2}));
  builder.holonomic("y_is_x", "y = x");
  EXPECT_EQ(structure_of(builder).inertia.missing, (Indices{0, 1, 2}));
  builder.holonomic("x_is_z", "x = z");
  EXPECT_TRUE(structure_of(builder).inertia.missing.empty());
}

TEST(Structure, ADamperWithoutMassHasIndexOneAndASpringWithoutMassHasNone) {
  ModelBuilder damper("damper");
  damper.coordinate("x").coordinate("y").kinetic("x'^2/2").potential("(x - y)^2").dissipation("y'^2/2");
  const Structure structure = structure_of(damper);
  EXPECT_TRUE(structure.inertia.missing.empty());  // the damper determines its velocity
  EXPECT_EQ(structure.index, 1);
  ModelBuilder spring("spring");
  spring.coordinate("x").coordinate("y").kinetic("x'^2/2").potential("(x - y)^2");
  EXPECT_FALSE(structure_of(spring).index);
}

TEST(Structure, NegativeInertiaCountsOnlyOnAllowedMotions) {
  ModelBuilder builder("negative");
  builder.coordinate("x").coordinate("y").kinetic("2*x'^2 - y'^2/2");
  EXPECT_EQ(structure_of(builder).inertia.negative, (Indices{1}));
  builder.holonomic("together", "x = y");
  EXPECT_TRUE(structure_of(builder).inertia.negative.empty());
}

TEST(Structure, GivenCoordinatesAreTheFreeOnesAndGuessesFollow) {
  const Structure structure = structure_of(slider_crank(
      {.position = 0.7, .velocity = 1}, {.position = 0, .guess = true}, {.position = 1, .guess = true}));
  EXPECT_EQ(structure.free_positions, (Indices{0}));
  EXPECT_EQ(structure.free_velocities, (Indices{0}));
}

TEST(Structure, FreeVariablesDetermineTheRest) {
  const Structure disk = structure_of(shipped("rolling_disk"));
  EXPECT_EQ(disk.free_positions, (Indices{0, 1, 2, 3, 4}));
  EXPECT_EQ(disk.free_velocities.size(), 3U);
  const Structure axis = structure_of(shipped("car_axis"));
  EXPECT_EQ(axis.free_positions.size(), 2U);
}

}  // namespace
}  // namespace dalembert

// Systems large enough for sparse factors.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>

#include "system/models.hpp"

namespace dalembert {
namespace {

// N unit masses on unit rods, hung from the origin; `place` writes the start of mass i.
template <class Place>
System hanging_chain(int links, Place place, const std::string& more_constraints = "") {
  std::string text = "[coordinates]\n";
  std::string kinetic, potential, rods;
  for (int i = 1; i <= links; ++i) {
    const std::string k = std::to_string(i);
    text += place(i);
    kinetic += (i > 1 ? " + x" : "x") + k + "'^2 + y" + k + "'^2";
    potential += (i > 1 ? " + y" : "y") + k;
    const std::string before = std::to_string(i - 1);
    rods += "rod" + k + " = \"" +
            (i == 1 ? "x1^2 + y1^2 - 1"
                    : "(x" + k + " - x" + before + ")^2 + (y" + k + " - y" + before + ")^2 - 1") +
            "\"\n";
  }
  text += "[energy]\nkinetic = \"1/2*(" + kinetic + ")\"\npotential = \"10*(" + potential + ")\"\n";
  return System(read_model_text(text + "[constraints.holonomic]\n" + rods + more_constraints));
}

std::string at(int i, const std::string& x, const std::string& y) {
  const std::string k = std::to_string(i);
  return "x" + k + " = { position = " + x + " }\ny" + k + " = { position = " + y + " }\n";
}

TEST(LargeSystem, AHangingChainCarriesTheWeightBelow) {
  const int links = 200;
  const System system = hanging_chain(links, [](int i) { return at(i, "0", "-" + std::to_string(i)); });
  const Start start = find_start(system);
  EXPECT_TRUE(start.changes.empty());
  for (int j = 0; j < links; ++j) {  // tension 2 λ = 10 (N − j)
    EXPECT_NEAR(start.lambda[static_cast<std::size_t>(j)], 5.0 * (links - j), 1e-10) << j;
  }
  for (const double a : start.a) EXPECT_NEAR(a, 0, 1e-11);
  const Structure structure = analyse_structure(system, start);
  EXPECT_EQ(structure.rank, 200U);
  EXPECT_EQ(structure.degrees_of_freedom, 200U);
  EXPECT_EQ(structure.index, 3);
  EXPECT_TRUE(structure.redundant.empty());
}

// One mass moves along its two rods; the others are fixed: the point of the circle nearest to the wish.
TEST(LargeSystem, AWishMovesAsLittleAsPossible) {
  const System system = hanging_chain(100, [](int i) {
    const std::string place = at(i, "0", fmt::format("-{}", i));
    if (i < 100) return place;
    return at(100, "0.6", "-98.1");  // 1.5 times the unit vector (0.4, 0.9165…) and some more
  });
  const Start start = find_start(system);
  ASSERT_FALSE(start.changes.empty());
  double squares = 0;
  for (const StartChange& change : start.changes) squares += std::pow(change.to - change.from, 2);
  const double given = std::hypot(0.6, 0.9);  // distance from mass 99
  // the whole chain takes part in the correction, so it is shorter than moving the last mass alone
  EXPECT_LT(std::sqrt(squares), given - 1 + 1e-12);
  EXPECT_GT(std::sqrt(squares), 0.1 * (given - 1));
  for (const double g : start.g) EXPECT_NEAR(g, 0, 1e-12);
}

TEST(LargeSystem, OnlyGuessesMoveWhereTheyAreEnough) {
  const System system = hanging_chain(100, [](int i) {
    if (i < 100) return at(i, "0", "-" + std::to_string(i));
    return std::string("x100 = { position = 0.6 }\ny100 = { position = -99.5, guess = true }\n");
  });
  const Start start = find_start(system);
  ASSERT_EQ(start.changes.size(), 1U);
  EXPECT_EQ(start.changes[0].name, "y100");
  EXPECT_NEAR(start.changes[0].to, -99.8, 1e-12);  // 0.6² + 0.8² = 1
}

TEST(LargeSystem, RedundantConstraintsAreStillNamed) {
  const System system = hanging_chain(
      90, [](int i) { return at(i, "0", "-" + std::to_string(i)); }, "again = \"2*x1^2 + 2*y1^2 - 2\"\n");
  const Start start = find_start(system);
  const Structure structure = analyse_structure(system, start);
  ASSERT_EQ(structure.redundant.size(), 1U);
  EXPECT_EQ(structure.rank, 90U);
}

TEST(LargeSystem, ContradictingConstraintsAreStillRefused) {
  const System system = hanging_chain(
      90, [](int i) { return at(i, "0", "-" + std::to_string(i)); }, "other = \"x1^2 + y1^2 - 4\"\n");
  EXPECT_THROW(find_start(system), Error);
}

}  // namespace
}  // namespace dalembert

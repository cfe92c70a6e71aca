// Mechanisms with more constraints than they need.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/system/structure.hpp>
#include <dalembert/system/uniqueness.hpp>

#include "bodies/motion.hpp"

namespace dalembert {
namespace {

using testing::Motion;
using testing::run_shipped;

TEST(FourHingesInSpace, AreRedundantByThreeAndMoveAsInThePlane) {
  const System system(read_model(find_model("spatial_four_bar")));
  const Structure structure = analyse_structure(system, find_consistent_state(system));
  EXPECT_EQ(structure.degrees_of_freedom, 1U);
  EXPECT_EQ(structure.redundant.size(), 3U);
  const Motion plane = run_shipped("four_bar_bodies", 1, 0.1);
  const Motion space = run_shipped("spatial_four_bar", 1, 0.1);
  ASSERT_EQ(space.report.outcome, Outcome::finished) << space.report.reason;
  for (std::size_t i = 0; i < plane["t"].size(); ++i) {
    EXPECT_NEAR(space["coupler.x"][i], plane["coupler.x"][i], 1e-10);
    EXPECT_NEAR(space["coupler.y"][i], plane["coupler.y"][i], 1e-10);
    EXPECT_NEAR(space["coupler.z"][i], 0, 1e-12);
    EXPECT_NEAR(space["rocker_pin.force_x"][i], plane["rocker_pin.force_x"][i],
                1e-8);  // of 200 N: these are unique
    EXPECT_NEAR(space["rocker_pin.force_y"][i], plane["rocker_pin.force_y"][i], 1e-8);
  }
}

TEST(RedundantHinges, KeepTheEnergyForTenSeconds) {
  for (const char* name : {"spatial_four_bar", "door"}) {
    const Motion m = run_shipped(name, 10, 1);
    ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
    EXPECT_LT(m.report.max_energy_error, 1e-12) << name;  // minus the work of a motor
  }
}

// Rows of C whose terms all vanish but for round-off contradict nothing.
TEST(RedundantHinges, MayStartMoving) {
  const auto changed = [](const char* model, const std::string& joint, const std::string& key) {
    std::ifstream file(find_model(model));
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string name = "name = \"" + joint + "\"\n";
    text.insert(text.find(name) + name.size(), key + "\n");
    return System(read_model_text(text));
  };
  const auto expect_run = [](const System& system) {
    const Motion m = testing::run(system, 0.5, 0.1);
    EXPECT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
    EXPECT_LT(m.report.max_position_residual, 1e-14);
    return m;
  };
  for (const double speed : {2.0, -1.3, 0.6}) {
    SCOPED_TRACE(speed);
    const Motion crank = expect_run(changed("spatial_four_bar", "bearing", fmt::format("speed = {}", speed)));
    EXPECT_NEAR(2 * crank["crank.e3'"][0], speed * crank["crank.e0"][0], 1e-14);
    expect_run(changed("bricard", "A", fmt::format("speed = {}", speed)));
    const Motion driven =
        expect_run(changed("spatial_four_bar", "bearing", fmt::format("drive = '{}*t'", speed)));
    const double half_angle = std::atan2(driven["crank.e3"][0], driven["crank.e0"][0]);
    for (std::size_t i = 0; i < driven["t"].size(); ++i) {
      EXPECT_NEAR(driven["crank.e3"][i], std::sin(half_angle + speed * driven["t"][i] / 2), 1e-14);
    }
  }
}

// Two drives of one hinge agree at the start with their first two derivatives, and part like t⁴.
TEST(RedundantDrives, ThatContradictEachOtherLaterStopTheRun) {
  for (const char* method : {"adomian", "dop853", "bdf", "nullspace"}) {
    const System system(read_model_text(R"(
space = "plane"
[[body]]
name = "arm"
mass = 1
inertia = 0.1
position = [1, 0]
[[joint]]
name = "one"
type = "revolute"
bodies = ["ground", "arm"]
point = [0, 0]
drive = "t"
[[joint]]
name = "two"
type = "revolute"
bodies = ["ground", "arm"]
point = [0, 0]
drive = "t + 0.01*t^4"
)"));
    SolveOptions options = options_of(system.model());
    options.method = method;
    options.duration = 1;
    const RunReport report =
        solve(system, options, SampleSink<double>([](const Sample<double>&) { return true; }));
    EXPECT_EQ(report.outcome, Outcome::stopped_early) << method;
    EXPECT_NE(report.reason.find("two.drive"), std::string::npos) << method << report.reason;
    EXPECT_NE(report.reason.find("contradicts"), std::string::npos) << method << report.reason;
  }
}

TEST(BricardsLinkage, MovesAlthoughItsConstraintsAreAsManyAsItsFreedoms) {
  const System system(read_model(find_model("bricard")));
  const Structure structure = analyse_structure(system, find_consistent_state(system));
  EXPECT_EQ(structure.degrees_of_freedom, 1U);
  EXPECT_EQ(structure.redundant.size(), 1U);
  const Motion m = testing::run(system, 10, 1);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  EXPECT_LT(m.report.max_energy_error, 1e-12);             // of 29 J
  EXPECT_GT(std::abs(m["cd.y"][1] - m["cd.y"][0]), 0.01);  // it does move
}

// The door's weight is carried by both hinges together; its moment about y by their forces along x and their
// moments.
TEST(DoorOnTwoHinges, SharesItsLoad) {
  const System system(read_model(find_model("door"), {{"tilt", "0"}}));
  const Structure structure = analyse_structure(system, find_consistent_state(system));
  EXPECT_EQ(structure.degrees_of_freedom, 1U);
  EXPECT_EQ(structure.redundant.size(), 5U);
  const Motion m = testing::run(system, 0.1, 0.1);
  EXPECT_NEAR(m["lower_hinge.force_z"][0] + m["upper_hinge.force_z"][0], 25 * 9.81, 1e-10);
  const double moment = m["lower_hinge.moment_y"][0] + m["upper_hinge.moment_y"][0] +
                        0.8 * (m["upper_hinge.force_x"][0] - m["lower_hinge.force_x"][0]);
  EXPECT_NEAR(moment, -25 * 9.81 * 0.4, 1e-10);  // about the point between the hinges
}

// Hinges 1.5 m apart and 0.45 m from the centre of mass. Least norm of forces and moments: the weight in
// halves, and of 2 M + 1.5 F = 196.2 · 0.45 = 88.29 the least 2 F² + 2 M², that is (F, M) = 88.29/6.25 (1.5,
// 2).
TEST(DoorOnTwoHinges, SharesItsLoadByTheJointsReactionsAlone) {
  const System system(read_model_text(R"toml(
space = "space"
[[body]]
name = "door"
shape = "box"
size = [0.9, 0.04, 2]
mass = 20
position = [0.45, 0, 0]
[[joint]]
name = "low"
type = "revolute"
bodies = ["ground", "door"]
point = [0, 0, -0.8]
axis = [0, 0, 1]
[[joint]]
name = "high"
type = "revolute"
bodies = ["ground", "door"]
point = [0, 0, 0.7]
axis = [0, 0, 1]
[[force]]
type = "gravity"
[outputs]
opening = "low.angle"
)toml"));
  const Start start = find_start(system);
  for (std::size_t j = 0; j < system.m(); ++j) {
    if (!system.constraint_name(j).ends_with(".z")) continue;
    EXPECT_NEAR(start.lambda[j], -98.1, 1e-10);
  }
  const Motion m = testing::run(system, 0.2, 0.1);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    EXPECT_NEAR(m["low.force_z"][i], 98.1, 1e-10);
    EXPECT_NEAR(m["high.force_z"][i], 98.1, 1e-10);
    EXPECT_NEAR(m["high.force_x"][i], -21.1896, 1e-10);
    EXPECT_NEAR(m["low.force_x"][i], 21.1896, 1e-10);
    EXPECT_NEAR(m["low.moment_y"][i], -28.2528, 1e-10);
    EXPECT_NEAR(m["high.moment_y"][i], -28.2528, 1e-10);
  }
}

TEST(DoorOnTwoHinges, WithAxesThatDoNotMeetIsAnErrorThatNamesThem) {
  const Model model = ModelBuilder("Crooked door")
                          .space("space")
                          .body("door", {{"mass", 25},
                                         {"inertia", {3, 4, 5}},
                                         {"position", {0.4, 0, 0}},
                                         {"angular_velocity", {0, 0, 1}}})
                          .joint("lower", {{"type", "revolute"},
                                           {"bodies", {"ground", "door"}},
                                           {"point", {0, 0, -0.8}},
                                           {"axis", {0, 0, 1}}})
                          .joint("upper", {{"type", "revolute"},
                                           {"bodies", {"ground", "door"}},
                                           {"points", {{0, 0, 0.8}, {-0.3, 0, 0.8}}},
                                           {"axis", {0, 0, 1}}})
                          .build();
  try {
    find_start(System(model));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("upper."), std::string::npos) << error.message();
  }
}

// Forces along the hinges and moments across them may be added without any effect; the others are those of
// the plane.
TEST(FourHingesInSpace, NameTheReactionsThatAreNotUnique) {
  const System system(read_model(find_model("spatial_four_bar")));
  const Start start = find_start(system);
  const NotUnique open = find_not_unique(system, start, analyse_structure(system, start));
  const std::vector<std::string> names = names_of(system, open);
  const std::set<std::string> components{"force_z", "moment_x", "moment_y",
                                         "force_3", "moment_1", "moment_2"};
  for (const std::string& name : names) {
    EXPECT_EQ(components.count(name.substr(name.find('.') + 1)), 1U) << name;
  }
  EXPECT_EQ(names.size(), 4 * components.size());
  const Motion m = run_shipped("spatial_four_bar", 0.01, 0.01);
  EXPECT_EQ(m.report.not_unique, names);
}

// Two hinges on one axis may be braced against each other by forces and moments in every direction but about
// the axis.
TEST(DoorOnTwoHinges, NamesTheReactionsThatAreNotUnique) {
  const System system(read_model(find_model("door")));
  const Start start = find_start(system);
  const NotUnique open = find_not_unique(system, start, analyse_structure(system, start));
  const std::vector<std::string> names = names_of(system, open);
  for (const std::string hinge : {"lower_hinge", "upper_hinge"}) {
    for (const char* component : {"force_x", "force_y", "force_z", "moment_x", "moment_y"}) {
      EXPECT_EQ(std::count(names.begin(), names.end(), hinge + "." + component), 1) << component;
    }
    EXPECT_EQ(std::count(names.begin(), names.end(), hinge + ".moment_z"), 0);
  }
}

TEST(SystemWithoutRedundancy, HasUniqueReactions) {
  const System system(read_model(find_model("four_bar_bodies")));
  const Start start = find_start(system);
  EXPECT_TRUE(find_not_unique(system, start, analyse_structure(system, start)).empty());
}

TEST(LooseBody, IsAWarningThatNamesIt) {
  const Model model = read_model_text(R"(
[[body]]
name = "rod"
mass = 1
inertia = 1

[[body]]
name = "stone"
mass = 1
inertia = 1

[[joint]]
type = "revolute"
bodies = ["ground", "rod"]
point = [1, 0]
)");
  const std::vector<std::string>& warnings = model->warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0], "no joint connects 'stone' to the ground: it moves freely");
}

TEST(LooseBody, IsNoneThatASpringOrAConstraintHolds) {
  const std::string bodies = R"(
[[body]]
name = "cart"
mass = 1
inertia = 1

[[body]]
name = "stone"
position = [1, 0]
mass = 1
inertia = 1

[[joint]]
type = "distance"
bodies = ["cart", "stone"]
points = [[0, 0], [0, 0]]
length = 1
)";
  EXPECT_EQ(read_model_text(bodies)->warnings.size(), 1U);
  const std::string spring =
      "[[force]]\ntype = \"spring\"\nbodies = [\"ground\", \"stone\"]\n"
      "points = [[2, 0], [0, 0]]\nstiffness = 1\n";
  EXPECT_TRUE(read_model_text(bodies + spring)->warnings.empty());
  EXPECT_TRUE(
      read_model_text(bodies + "[constraints]\nholonomic = { rail = \"cart.y\" }\n")->warnings.empty());
}

}  // namespace
}  // namespace dalembert

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using test::dalembert;
using test::Finished;

const std::string arm = DALEMBERT_SOURCE_DIR "/tests/data/urdf/arm6.urdf";

TEST(Import, PrintsAModelFileOfTheRobot) {
  const Finished run = dalembert("import '" + arm + "' --set j2=0.5");
  if (run.messages.find("urdfdom") != std::string::npos) GTEST_SKIP() << "built without urdfdom";
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_NE(run.output.find("[[body]]\nname = \"forearm\"\nmass = 3\n"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("start = 0.5\n"), std::string::npos);
}

TEST(Import, SaysWhichJointIsUnknown) {
  const Finished run = dalembert("import '" + arm + "' --set j9=0.5");
  if (run.messages.find("urdfdom") != std::string::npos) GTEST_SKIP() << "built without urdfdom";
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.messages.find("the robot has no moving joint 'j9'"), std::string::npos) << run.messages;
  EXPECT_TRUE(run.output.empty());
}

TEST(Import, NamesTheFileAndNoLineOfTheTextThatItMakes) {
  const std::string robot = ::testing::TempDir() + "import_test_mass.urdf";
  std::ofstream(robot) << R"(<robot name="r"><link name="base"/><link name="l1"><inertial><mass value="-2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.09"/></inertial></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="l1"/></joint></robot>)";
  const Finished run = dalembert("import '" + robot + "'");
  if (run.messages.find("urdfdom") != std::string::npos) GTEST_SKIP() << "built without urdfdom";
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages, robot + ": error: the mass of the link 'l1' is -2, which no body has\n");
  EXPECT_TRUE(run.output.empty());
}

TEST(Import, SaysWhatWasKeptAndWhatWasNot) {
  const Finished run = dalembert("import '" DALEMBERT_SOURCE_DIR "/tests/data/urdf/gripper.urdf'");
  if (run.messages.find("urdfdom") != std::string::npos) GTEST_SKIP() << "built without urdfdom";
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_EQ(run.messages,
            "note: 4 bodies of 6 links, 2 degrees of freedom\n"
            "note: the root link 'world' is the ground; --floating frees it\n"
            "note: kept: limits (a run that leaves them says so; they do not act) of 3 joints, damping of 2 "
            "joints, "
            "mimicking of 2 joints\n"
            "note: not kept: Coulomb friction of 1 joint (comments; --friction dry applies it), "
            "limits of "
            "velocity and effort of 3 joints (comments)\n");
}

TEST(Import, ARunSaysWhichJointsLeaveTheirLimits) {
  const std::string model = ::testing::TempDir() + "import_test_limits.toml";
  const Finished made = dalembert("import '" DALEMBERT_SOURCE_DIR
                                  "/tests/data/urdf/platform_arm.urdf' --set shoulder=0.3 -o '" +
                                  model + "'");
  if (made.messages.find("urdfdom") != std::string::npos) GTEST_SKIP() << "built without urdfdom";
  ASSERT_EQ(made.status, 0) << made.messages;
  const Finished run = dalembert("run '" + model + "' -o none --duration 1");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_NE(run.messages.find("beyond"), std::string::npos) << run.messages;
  EXPECT_NE(run.messages.find("shoulder (upper limit, t = "), std::string::npos) << run.messages;
}

TEST(Import, StopsJointsAtTheirLimits) {
  const std::string model = ::testing::TempDir() + "import_test_stops.toml";
  const Finished made =
      dalembert("import '" DALEMBERT_SOURCE_DIR
                "/tests/data/urdf/platform_arm.urdf' --set shoulder=0.3 --limits stop -o '" +
                model + "'");
  if (made.messages.find("urdfdom") != std::string::npos) GTEST_SKIP() << "built without urdfdom";
  ASSERT_EQ(made.status, 0) << made.messages;
  EXPECT_NE(made.messages.find("kept: limits as stops of 4 joints"), std::string::npos) << made.messages;
  const Finished run = dalembert("run '" + model + "' -o none --duration 1");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_EQ(run.messages.find("beyond"), std::string::npos) << run.messages;
  EXPECT_NE(run.messages.find("shoulder.upper (impact)"), std::string::npos) << run.messages;
  EXPECT_NE(dalembert("check '" + model + "'").output.find("contacts             8: x.lower, x.upper, "),
            std::string::npos);
}

// A torque of 0.4 does not move a wheel of the inertia 0.09 with a dry friction of 1/2; 0.8 turns it by
// (0.8 − 0.5)/(2 · 0.09) in a second.
TEST(Import, JointsStickAndSlideByTheirDryFriction) {
  const std::string robot = ::testing::TempDir() + "import_test_rubs.urdf";
  std::ofstream(robot)
      << R"(<robot name="r"><link name="world"/><link name="wheel"><inertial><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.09"/></inertial></link>
    <joint name="axle" type="continuous"><parent link="world"/><child link="wheel"/><axis xyz="0 0 1"/>
    <dynamics friction="0.5"/></joint></robot>)";
  const std::string model = ::testing::TempDir() + "import_test_rubs.toml";
  const Finished made = dalembert("import '" + robot + "' --friction dry -o '" + model + "'");
  if (made.messages.find("urdfdom") != std::string::npos) GTEST_SKIP() << "built without urdfdom";
  ASSERT_EQ(made.status, 0) << made.messages;
  const auto angle_at_end = [&](const std::string& torque) {
    const Finished run =
        dalembert("run '" + model + "' -o - --columns axle.angle --set torque_axle=" + torque);
    EXPECT_EQ(run.status, 0) << run.messages;
    double angle = -1;
    std::istringstream lines(run.output);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("1,")) angle = std::stod(line.substr(2));
    return angle;
  };
  EXPECT_NEAR(angle_at_end("0.4"), 0, 1e-12);
  EXPECT_NEAR(angle_at_end("0.8"), 0.3 / 0.18, 1e-9);
}

TEST(Check, ListsFriction) {
  const Finished run = dalembert("check clutch");
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.output.find("friction             1: clutch (0.3, sticking 0.35)"), std::string::npos)
      << run.output;
}

TEST(Import, SaysWhyAFileCannotBeRead) {
  const Finished run = dalembert("import /nowhere/arm.urdf");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages, "/nowhere/arm.urdf: error: cannot read the file: No such file or directory\n");
}

TEST(Check, NamesTheReactionsThatAreNotUnique) {
  const Finished run = dalembert("check door --json");
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.output.find("`lower_hinge` (force_x, force_y"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("are not unique: those of least norm"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace dalembert

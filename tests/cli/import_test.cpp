#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using test::dalembert;
using test::Finished;

const std::string arm = DALEMBERT_SOURCE_DIR "/tests/data/arm6.urdf";

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
  const std::string robot = ::testing::TempDir() + "import_test_inertia.urdf";
  std::ofstream(robot) << R"(<robot name="r"><link name="base"/><link name="l1"><inertial><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="12" iyz="0" izz="0.09"/></inertial></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="l1"/></joint></robot>)";
  const Finished run = dalembert("import '" + robot + "'");
  if (run.messages.find("urdfdom") != std::string::npos) GTEST_SKIP() << "built without urdfdom";
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages.find(robot + ": error: no body has the inertia of the body 'l1'"), 0U)
      << run.messages;
  EXPECT_TRUE(run.output.empty());
}

TEST(Import, SaysWhyAFileCannotBeRead) {
  const Finished run = dalembert("import /nowhere/arm.urdf");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages, "/nowhere/arm.urdf: error: cannot read the file: No such file or directory\n");
}

TEST(Check, NamesTheReactionsThatAreNotUnique) {
  const Finished run = dalembert("check door --json");
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.output.find("`lower_hinge.force_x`"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("are not unique: those of least norm"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace dalembert

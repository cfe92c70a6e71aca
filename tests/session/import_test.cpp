// A robot of another format, imported and run.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/session/import.hpp>
#include <dalembert/session/run.hpp>

#include "session/failure.hpp"
#include "temporary_folder.hpp"

namespace dalembert::session {
namespace {

using ::testing::IsSubstring;

const std::string arm = R"(<robot name="arm">
  <link name="world"/>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="pin" type="continuous"><parent link="world"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>)";

TEST(ImportOfARobot, GivesAModelThatRuns) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("arm.urdf", arm);
  UrdfOptions options;
  const std::vector<std::string> settings{"pin=0.3", "pin'=1"};
  set_joints(settings, options);
  EXPECT_EQ(options.start.at("pin"), 0.3);
  EXPECT_EQ(options.velocities.at("pin"), 1);
  ImportedRobot robot;
  try {
    robot = import_robot(file.string(), options);
  } catch (const Error& error) {
    if (error.message().find("urdfdom") != std::string::npos) GTEST_SKIP() << error.message();
    throw;
  }
  const Motion motion = run(load_text(robot.model), {give("duration", 0.1)});
  EXPECT_EQ(motion.report().outcome, Outcome::finished);
  EXPECT_LT(motion.report().max_position_residual, 1e-12);
}

TEST(ImportOfARobot, NamesTheFileThatCannotBeRead) {
  const Error error = failure([] { import_robot("/nonexistent/arm.urdf"); });
  EXPECT_EQ(error.where().file, "/nonexistent/arm.urdf");
  EXPECT_PRED_FORMAT2(IsSubstring, "cannot read the file", error.message());
  UrdfOptions options;
  const std::vector<std::string> settings{"pin=much"};
  EXPECT_EQ(failure([&] { set_joints(settings, options); }).message(), "joint pin: 'much' is no number");
}

}  // namespace
}  // namespace dalembert::session

// Texts that are no robots: each is an Error that says what is wrong.
#include <string>

#include <gtest/gtest.h>

#include "import/robot_motion.hpp"

namespace dalembert {
namespace {

std::string message_of(const std::string& xml) {
  try {
    import_urdf(xml);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

const std::string body =
    R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";

std::string link(const std::string& name, const std::string& inside = body) {
  return "<link name=\"" + name + "\">" + inside + "</link>";
}

std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = "") {
  return "<joint name=\"" + name + R"(" type="continuous"><parent link=")" + parent + R"("/><child link=")" +
         child + "\"/>" + inside + "</joint>";
}

std::string robot(const std::string& inside) { return "<robot name=\"r\">" + inside + "</robot>"; }

std::string repeated(const std::string& text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

class Malformed : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_urdf()) GTEST_SKIP() << "built without urdfdom";
  }
};

TEST_F(Malformed, XmlThatIsNestedDeeplyOverflowsNoStack) {
  const std::string deep = "elements of the XML text are nested more than 200 deep; those of a robot are not";
  for (const std::size_t levels : {201U, 50'000U, 500'000U}) {
    EXPECT_EQ(message_of(repeated("<a>", levels)), deep) << levels;
    EXPECT_EQ(message_of(robot(repeated("<a>", levels) + repeated("</a>", levels))), deep) << levels;
    EXPECT_EQ(message_of(robot(repeated("<a b='/>' c=\"</a>\"><!-- </a> --><![CDATA[</a>]]>", levels))),
              deep);
    EXPECT_EQ(message_of(repeated("<_\n", levels) + repeated("<a >", levels)), deep) << levels;
  }
  EXPECT_EQ(message_of(robot(link("a") + repeated("<!-- <a> --><b c='<a><a>'/>", 300))), "");
}

TEST_F(Malformed, LinksThatAreNoTreeAreNamed) {
  EXPECT_EQ(
      message_of(robot(link("a") + link("b") + link("c") + joint("j", "b", "c") + joint("k", "c", "b"))),
      "the joint 'j' is not connected to the root link 'a': its links form a loop");
  const std::string two_parents =
      ": URDF describes trees; remove one of them and close the loop by a joint in the model file";
  EXPECT_EQ(message_of(robot(link("a") + link("b") + link("c") + joint("j", "a", "b") + joint("k", "a", "c") +
                             joint("l", "b", "c"))),
            "the link 'c' is the child of two joints" + two_parents);
  EXPECT_EQ(message_of(robot(link("a") + link("b") + joint("j", "a", "b") + joint("k", "a", "b"))),
            "the link 'b' is the child of two joints" + two_parents);
  const std::string no_robot = "this is no URDF of a robot with one root link: ";
  EXPECT_EQ(message_of(robot(link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a"))),
            no_robot + "Failed to find root link: No root link found. The robot xml is not a valid tree.");
  EXPECT_EQ(message_of(robot(link("a") + link("a"))), no_robot + "link 'a' is not unique.");
  EXPECT_NE(message_of(robot(link("b") + joint("j", "nobody", "b")))
                .find("parent link [nobody] of joint [j] not found"),
            std::string::npos);
}

TEST_F(Malformed, NumbersThatAreNoneAreNamed) {
  const auto with = [](const std::string& inside) {
    return message_of(robot(link("a") + link("b") + joint("j", "a", "b", inside)));
  };
  const auto says = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says(with(R"(<origin xyz="nan 0 0"/>)"), "Unable to parse component [nan] to a double");
  says(with(R"(<origin xyz="1e999 0 0"/>)"), "joint [j]");
  says(with(R"(<dynamics damping="inf"/>)"), "damping value (inf) is not a valid float");
  EXPECT_EQ(with(R"(<axis xyz="0 0 0"/>)"), "the axis of the joint 'j' has no direction");
  const auto inertia = [](const std::string& mass, const std::string& ixx) {
    return message_of(robot(link("a", "<inertial><mass value=\"" + mass + "\"/><inertia ixx=\"" + ixx +
                                          R"(" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)")));
  };
  EXPECT_EQ(inertia("1", "1"), "");
  for (const char* wrong : {"nan", "inf", "1,5", "1e999", "one", ""}) {
    says(inertia(wrong, "1"), "an inertia cannot be read: ");
    says(inertia("1", wrong), "an inertia cannot be read: ");
  }
}

TEST_F(Malformed, RobotsBeyondMeasureAreRefused) {
  std::string chain = link("l0");
  for (int i = 1; i < 10'100; ++i)
    chain += link("l" + std::to_string(i)) +
             joint("j" + std::to_string(i), "l" + std::to_string(i - 1), "l" + std::to_string(i));
  EXPECT_EQ(message_of(robot(chain)), "a robot of more than 10000 links is not read");
  EXPECT_NE(message_of(std::string((64U << 20U) + 1, ' ')), "");
}

TEST_F(Malformed, ALongChainIsFreedWithoutRecursion) {
  std::string chain = link("z0");  // the root is freed last
  for (int i = 1; i < 9'000; ++i)
    chain +=
        link("l" + std::to_string(i)) +
        joint("j" + std::to_string(i), i == 1 ? "z0" : "l" + std::to_string(i - 1), "l" + std::to_string(i));
  EXPECT_EQ(import_urdf(robot(chain)).notes.front(), "9000 bodies of 9000 links, 9005 degrees of freedom");
}

TEST_F(Malformed, AWorldThatIsNotDeclaredIsTheGround) {
  const ImportedRobot imported = import_urdf(robot(link("a") + joint("j", "world", "a")));
  EXPECT_EQ(imported.notes.front(), "1 body of 2 links, 1 degree of freedom");
}

}  // namespace
}  // namespace dalembert

#include "cli/program.hpp"

namespace dalembert {
namespace {

using test::dalembert;
using test::Finished;
using test::TemporaryFolder;
using testing::IsSubstring;

TEST(Stability, PrintsTheHonestIntervalBesideThePublishedOne) {
  const Finished run = dalembert("stability ellipse --box x=-1.1:1.1,y=-3.1:3.1");
  ASSERT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "-995 <= k <= -5", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "admissible", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "Published for these numbers: -359.6 <= k <= -0.5", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "-6.838 <= k <= -5", run.output);
}

TEST(Stability, TakesTheBoxFromARun) {
  const Finished run = dalembert("stability ellipse --epsilon 0.01 --step 0.0005");
  ASSERT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "x from -1.2 to 1.2", run.output);  // cos 3t and a tenth of its width
  EXPECT_EQ(run.output.find("Published"), std::string::npos);
}

TEST(Stability, RefusesWhatItCannotMean) {
  EXPECT_EQ(dalembert("stability pendulum").status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "kinematic", dalembert("stability pendulum").messages);
  EXPECT_PRED_FORMAT2(IsSubstring, "says nothing of 'y'",
                      dalembert("stability ellipse --box x=-1:1").messages);
  EXPECT_PRED_FORMAT2(IsSubstring, "no coordinate 'z'", dalembert("stability ellipse --box z=-1:1").messages);
  EXPECT_EQ(dalembert("stability ellipse --a 1.5").status, 1);
}

TEST(Run, KinematicSystemsHaveNeitherEnergiesNorMultipliers) {
  const Finished run = dalembert("run ellipse --method rk4 --step 0.01 --times 0,1");
  ASSERT_EQ(run.status, 0) << run.messages;
  EXPECT_EQ(run.output.substr(0, run.output.find('\n')), "t,x,y,x',y',deviation,g(ellipse),gv(ellipse)");
  EXPECT_EQ(run.messages.find("energy"), std::string::npos) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "max |g|", run.messages);
}

TEST(Run, AStepForAMethodThatChoosesItsStepsIsAMistake) {
  const Finished run = dalembert("run pendulum --method dop853 --step 0.01");
  EXPECT_EQ(run.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "--max-step", run.messages);
}

TEST(Stability, ABoxAwayFromTheConstraintIsAnError) {
  const Finished run = dalembert("stability ellipse --box x=5:6,y=5:6");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.messages.find("no point of the box has |f| <= 0.1"), std::string::npos) << run.messages;
}

TEST(Stability, AStartOutsideTheBoxIsTold) {
  const Finished run = dalembert("stability ellipse --box x=-1:-0.5,y=-3:3");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_NE(run.output.find("outside the box"), std::string::npos) << run.output;
}

// On the circle x² + y² = 1 with K = −2 − 98 y² a turn meets K = −100: Euler's longest step is 2/100.
TEST(Stability, AGainThatDependsOnTheStateCountsWhereTheMotionGoes) {
  const TemporaryFolder folder;
  const auto path = folder.write("circle.toml", R"(
kind = "kinematic"
[coordinates]
x = 1
y = 0
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[kinematics]
c = 1
K = [["-2 - 98*y^2"]]
[solve]
method = "rk4"
step = 0.001
duration = 4
)");
  const Finished run = dalembert("stability '" + path.string() + "'");
  EXPECT_EQ(run.status, 0) << run.messages;
  const std::size_t line = run.output.find("  euler ");
  ASSERT_NE(line, std::string::npos) << run.output;
  const std::string text = run.output.substr(line, run.output.find('\n', line) - line);
  EXPECT_NEAR(std::stod(text.substr(text.rfind(' '))), 0.02, 1e-5) << run.output;
}

TEST(Stability, OfAModelWithoutConstraintsIsNoQuestion) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "free.toml";
  std::ofstream(path) << "kind = \"kinematic\"\n[coordinates]\nx = 1\ny = 0\n"
                         "[kinematics]\nc = 2\nC = [[\"x\", \"y\"]]\n[solve]\nduration = 1\n";
  const Finished run = dalembert("stability '" + path.string() + "'");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.messages.find("has no constraints"), std::string::npos) << run.messages;
}

}  // namespace
}  // namespace dalembert

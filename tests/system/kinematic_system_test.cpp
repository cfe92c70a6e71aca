// q' of kinematic models, against what is known by hand.
#include <cmath>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/system/kinematic_system.hpp>

namespace dalembert {
namespace {

TEST(KinematicEvaluation, FollowsTheFormulaOfTheEllipse) {
  const Model model = read_model_text(R"(
kind = "kinematic"
[parameters]
k = -2
[coordinates]
x = { position = 0.7 }
y = { position = 1.1 }
[constraints]
holonomic = { ellipse = "(9*x^2 + y^2 - 9)/2" }
[kinematics]
c = "1.5"
C = []
K = [["k"]]
)");
  const KinematicSystem system(model);
  KinematicEvaluation at(system, 0, false);
  const double x = 0.7, y = 1.1, k = -2, c = 1.5;
  at.eval(0, std::vector<double>{x, y});
  std::vector<double> velocity(2);
  ASSERT_TRUE(at.eval_velocity(true, velocity));
  const double f = (9 * x * x + y * y - 9) / 2;  // (22) in [beshaw], without its misprint
  EXPECT_NEAR(velocity[0], c * y + 9 * x / (81 * x * x + y * y) * k * f, 1e-14);
  EXPECT_NEAR(velocity[1], -9 * c * x + y / (81 * x * x + y * y) * k * f, 1e-14);
  ASSERT_TRUE(at.eval_velocity(false, velocity));
  EXPECT_NEAR(velocity[0], c * y, 1e-14);
  EXPECT_NEAR(velocity[1], -9 * c * x, 1e-14);
}

TEST(KinematicEvaluation, TellsWhereTheConstraintsBecomeDependent) {
  const Model model = read_model_text(R"(
kind = "kinematic"
[coordinates]
x = { position = 1 }
y = { position = 0 }
[constraints]
holonomic = { circle = "x^2 + y^2 - 1" }
[kinematics]
K = [["-1"]]
)");
  const KinematicSystem system(model);
  KinematicEvaluation at(system, 0, false);
  std::vector<double> velocity(2);
  at.eval(0, std::vector<double>{0, 0});  // where f_q vanishes
  EXPECT_FALSE(at.eval_velocity(true, velocity));
}

}  // namespace
}  // namespace dalembert

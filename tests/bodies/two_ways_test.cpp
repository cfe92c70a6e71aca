// The same mechanism by its Lagrangian and by bodies and joints: same motion, same reactions.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bodies/motion.hpp"

namespace dalembert {
namespace {

using testing::Motion;
using testing::run_shipped;

void expect_same(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                 double factor = 1) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 5U);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], factor * b[i], tolerance) << "sample " << i;
}

TEST(SliderCrank, OfBodiesMovesAsItsLagrangianSays) {
  const Motion text = run_shipped("slider_crank", 2, 0.1);
  const Motion bodies = run_shipped("slider_crank_bodies", 2, 0.1);
  ASSERT_EQ(bodies.report.outcome, Outcome::finished) << bodies.report.reason;
  expect_same(bodies["crank.angle"], text["theta1"], 1e-11);
  expect_same(bodies["coupler.angle"], text["theta2"], 1e-11, -1);
  expect_same(bodies["crank.angle'"], text["theta1'"], 1e-11);
  expect_same(bodies["slider.x"], text["slider"], 1e-11);
  expect_same(bodies["slider_velocity"], text["slider_velocity"], 1e-11);
}

// The guide's force on the slider is that of the loop constraint. The Lagrangian gives no other reaction, so
// the rest is Newton's law for each body.
TEST(SliderCrank, ReactionsAreThoseOfTheLagrangianAndOfNewtonsLaw) {
  const Motion text = run_shipped("slider_crank", 2, 0.1);
  const Motion m = run_shipped("slider_crank_bodies", 2, 0.1);
  const double g = 9.81;
  expect_same(m["guide.force_y"], text["guide_force"], 1e-10);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {
    const double tolerance = 1e-10;
    EXPECT_NEAR(m["slider_pin.force_x"][i], m["slider.x''"][i], tolerance);
    EXPECT_NEAR(m["slider_pin.force_y"][i] + m["guide.force_y"][i], g, tolerance);
    EXPECT_NEAR(m["crank_pin.force_x"][i] - m["slider_pin.force_x"][i], m["coupler.x''"][i], tolerance);
    EXPECT_NEAR(m["crank_pin.force_y"][i] - m["slider_pin.force_y"][i], m["coupler.y''"][i] + g, tolerance);
    EXPECT_NEAR(m["bearing.force_x"][i] - m["crank_pin.force_x"][i], m["crank.x''"][i], tolerance);
    EXPECT_NEAR(m["bearing.force_y"][i] - m["crank_pin.force_y"][i], m["crank.y''"][i] + g, tolerance);
    EXPECT_EQ(m["guide.force_2"][i], m["guide.force_y"][i]);
  }
}

TEST(DoublePendulum, OfBodiesMovesAsItsLagrangianSays) {
  const Motion text = run_shipped("double_pendulum", 2, 0.1);
  const Motion bodies = run_shipped("double_pendulum_bodies", 2, 0.1);
  ASSERT_EQ(bodies.report.outcome, Outcome::finished) << bodies.report.reason;
  expect_same(bodies["lower.x"], text["tip_x"], 1e-11);
  expect_same(bodies["lower.y"], text["tip_y"], 1e-11);
}

TEST(FourBar, OfBodiesMovesAsItsLagrangianSays) {
  const Motion text = run_shipped("four_bar", 2, 0.1);
  const Motion bodies = run_shipped("four_bar_bodies", 2, 0.1);
  ASSERT_EQ(bodies.report.outcome, Outcome::finished) << bodies.report.reason;
  expect_same(bodies["crank.angle"], text["theta1"], 1e-10);  // 40 rad
  expect_same(bodies["coupler.angle"], text["theta2"], 1e-11);
  expect_same(bodies["rocker.angle"], text["theta3"], 1e-11);
  expect_same(bodies["pen_x"], text["pen_x"], 1e-11);
  expect_same(bodies["pen_y"], text["pen_y"], 1e-11);
  expect_same(bodies["rocker_pin.force_x"], text["lambda(loop_x)"], 1e-9);  // of 200 N
  expect_same(bodies["rocker_pin.force_y"], text["lambda(loop_y)"], 1e-9);
}

TEST(AndrewsMechanism, OfBodiesMovesAsItsLagrangianSays) {
  const Motion text = run_shipped("andrews", 0.03, 0.003);
  const Motion bodies = run_shipped("andrews_bodies", 0.03, 0.003);
  ASSERT_EQ(bodies.report.outcome, Outcome::finished) << bodies.report.reason;
  expect_same(bodies["crank.angle"], text["beta"], 1e-11);
  expect_same(bodies["triangle.angle"], text["gamma"], 1e-11);
  expect_same(bodies["bar5.angle"], text["delta"], 1e-11);
  expect_same(bodies["bar7.angle"], text["epsilon"], 1e-11);
  // The rod's constraints read P of the rod minus P of the others, so +lambda is the force on the others.
  expect_same(bodies["P3.force_x"], text["lambda(triangle_x)"], 1e-9);  // of 100 N
  expect_same(bodies["P4.force_y"], text["lambda(bars54_y)"], 1e-9);
  expect_same(bodies["P6.force_x"], text["lambda(bars76_x)"], 1e-9);
  expect_same(bodies["spring.tension"], text["spring_force"], 1e-9);
}

TEST(HeavyTop, OfABodyMovesAsItsLagrangianSays) {
  const Motion text = run_shipped("heavy_top", 0.5, 0.05);
  const Motion bodies = run_shipped("heavy_top_bodies", 0.5, 0.05);
  ASSERT_EQ(bodies.report.outcome, Outcome::finished) << bodies.report.reason;
  expect_same(bodies["top.x"], text["x"], 1e-11);
  expect_same(bodies["top.y"], text["y"], 1e-11);
  expect_same(bodies["top.z"], text["z"], 1e-11);
  expect_same(bodies["top.e2"], text["e2"], 1e-11);
  expect_same(bodies["tip.force_x"], text["support_x"], 1e-8);  // of 3000 N
  expect_same(bodies["tip.force_z"], text["support_z"], 1e-8);
}

TEST(RollingDisk, OfABodyMovesAsItsLagrangianSays) {
  const Motion text = run_shipped("rolling_disk", 3, 0.25);
  const Motion bodies = run_shipped("rolling_disk_bodies", 3, 0.25);
  ASSERT_EQ(bodies.report.outcome, Outcome::finished) << bodies.report.reason;
  expect_same(bodies["disk.x"], text["x"], 1e-11);
  expect_same(bodies["disk.y"], text["y"], 1e-11);
  expect_same(bodies["disk.z"], text["height"], 1e-11);
  expect_same(bodies["ground_contact.force_x"], text["friction_x"], 1e-10);
  expect_same(bodies["ground_contact.force_y"], text["friction_y"], 1e-10);
}

}  // namespace
}  // namespace dalembert

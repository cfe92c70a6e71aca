// Derived equations are those that one derives by hand.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/tidy.hpp>

#include "derive/model_point.hpp"

namespace dalembert {
namespace {

using test::random_point;
using test::shipped_model;
using test::values_on_curve;

class ByHand {
 public:
  explicit ByHand(const std::string& name) : equations_(derive_equations(shipped_model(name)).continued()) {}

  const Equations& equations() const { return equations_; }

  void expect_M(std::size_t i, std::size_t j, const std::string& by_hand) {
    expect_same(equations_.M.at(i, j, equations_.graph()), by_hand, "M");
    expect_same(equations_.M.at(j, i, equations_.graph()), by_hand, "M");
  }
  void expect_f(std::size_t i, const std::string& by_hand) { expect_same(equations_.f[i], by_hand, "f"); }
  void expect_g(std::size_t i, const std::string& by_hand) { expect_same(equations_.g[i], by_hand, "g"); }
  void expect_C(std::size_t i, std::size_t j, const std::string& by_hand) {
    expect_same(equations_.C.at(i, j, equations_.graph()), by_hand, "C");
  }
  void expect_gamma(std::size_t i, const std::string& by_hand) {
    expect_same(equations_.gamma[i], by_hand, "gamma");
  }

 private:
  // The difference vanishes as an expression, and both have the same values.
  void expect_same(Expr derived, const std::string& text, const std::string& what) {
    const Expr by_hand = parse(equations_.graph(), text);
    Tidy tidy(equations_.q);
    EXPECT_TRUE(tidy(derived - by_hand).is_zero()) << what << " is " << to_text(derived) << ", not " << text;
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const auto values =
          values_on_curve(*equations_.model, random_point<double>(*equations_.model, seed), 0.0);
      const double expected = evaluate<double>(by_hand, values);
      EXPECT_NEAR(evaluate<double>(derived, values), expected, 1e-14 * (10 + std::abs(expected))) << what;
    }
  }

  Equations equations_;
};

TEST(HandDerivation, PendulumByItsAngle) {
  ByHand pendulum("pendulum");
  pendulum.expect_M(0, 0, "m*l^2");
  pendulum.expect_f(0, "-m*g*l*sin(theta)");
}

TEST(HandDerivation, PendulumInCartesianCoordinates) {
  ByHand pendulum("pendulum_cartesian");  // y points downwards
  pendulum.expect_M(0, 0, "m");
  pendulum.expect_M(0, 1, "0");
  pendulum.expect_M(1, 1, "m");
  pendulum.expect_f(0, "0");
  pendulum.expect_f(1, "m*g");
  pendulum.expect_C(0, 0, "x");
  pendulum.expect_C(0, 1, "y");
  pendulum.expect_gamma(0, "-x'^2 - y'^2");
}

TEST(HandDerivation, DoublePendulumByItsAngles) {
  ByHand pendulum("double_pendulum");
  pendulum.expect_M(0, 0, "(m1 + m2)*l1^2");
  pendulum.expect_M(0, 1, "m2*l1*l2*cos(theta1 - theta2)");
  pendulum.expect_M(1, 1, "m2*l2^2");
  pendulum.expect_f(0, "-m2*l1*l2*theta2'^2*sin(theta1 - theta2) - (m1 + m2)*g*l1*sin(theta1)");
  pendulum.expect_f(1, "m2*l1*l2*theta1'^2*sin(theta1 - theta2) - m2*g*l2*sin(theta2)");
}

// Multiplied out, (r − l)² would lose its digits where r is near to l.
TEST(HandDerivation, InertiaOfLengthsKeepsItsDigitsWhereTheyCancel) {
  const Equations e = derive_equations(read_model_text(R"toml(
title = "Rod that slides through a pivot"
[coordinates]
r = { position = 1 }
phi = { position = 0.3 }
[definitions]
x = "(r - 1)*cos(phi)"
y = "(r - 1)*sin(phi)"
[energy]
kinetic = "x'^2 + y'^2"
potential = "0"
)toml"))
                          .continued();
  const double off = 0x1p-30;
  const double inertia =
      evaluate<double>(e.M.at(1, 1, e.graph()), {{e.q[0].id(), 1 + off}, {e.q[1].id(), 0.3}});
  EXPECT_NEAR(inertia / (2 * off * off), 1, 1e-14);
}

TEST(HandDerivation, DoublePendulumInCartesianCoordinates) {
  ByHand pendulum("double_pendulum_cartesian");
  pendulum.expect_M(0, 0, "m1");
  pendulum.expect_M(3, 3, "m2");
  pendulum.expect_M(0, 2, "0");
  pendulum.expect_f(1, "-m1*g");
  pendulum.expect_f(3, "-m2*g");
  pendulum.expect_C(1, 0, "2*(x1 - x2)");
  pendulum.expect_C(1, 3, "2*(y2 - y1)");
  pendulum.expect_gamma(0, "-2*x1'^2 - 2*y1'^2");
  pendulum.expect_gamma(1, "-2*(x2' - x1')^2 - 2*(y2' - y1')^2");
}

TEST(HandDerivation, SliderCrankIsZaatrisWithItsMisprintsCorrected) {
  ByHand crank("slider_crank");  // (9) and (10) of [zaatri2018]; the velocity terms of (10) must be squares
  crank.expect_M(0, 0, "l1^2*(m1/4 + m2 + m3) + J1");
  crank.expect_M(0, 1, "-l1*l2*cos(theta1 + theta2)*(m2/2 + m3)");
  crank.expect_M(1, 1, "l2^2*(m2/4 + m3) + J2");
  crank.expect_f(0,
                 "-l1*gravity*(m1/2 + m2 + m3)*cos(theta1)"
                 " - l1*l2*(m2/2 + m3)*sin(theta1 + theta2)*theta2'^2 + torque");
  crank.expect_f(1,
                 "l2*gravity*(m2/2 + m3)*cos(theta2)"
                 " - l1*l2*(m2/2 + m3)*sin(theta1 + theta2)*theta1'^2");
  crank.expect_g(0, "l1*sin(theta1) - l2*sin(theta2)");
  crank.expect_C(0, 0, "l1*cos(theta1)");  // (12)
  crank.expect_C(0, 1, "-l2*cos(theta2)");
  crank.expect_gamma(0, "l1*sin(theta1)*theta1'^2 - l2*sin(theta2)*theta2'^2");
}

TEST(HandDerivation, TwoLinkRobotOfBenhammouda) {
  ByHand robot("two_link_robot");  // section 4 of [benhammouda2022]
  robot.expect_M(0, 0, "m1*l1^2/3 + m2*(l1^2 + l2^2/3 + l1*l2*cos(theta2))");
  robot.expect_M(0, 1, "m2*(l2^2/3 + l1*l2*cos(theta2)/2)");
  robot.expect_M(1, 1, "m2*l2^2/3");
  robot.expect_C(0, 0, "l1*cos(theta1) + l2*cos(theta1 + theta2)");
  robot.expect_C(0, 1, "l2*cos(theta1 + theta2)");
  robot.expect_gamma(0, "l1*sin(theta1)*theta1'^2 + l2*sin(theta1 + theta2)*(theta1' + theta2')^2");
}

TEST(HandDerivation, KnifeEdgeWithItsConstraintOnVelocities) {
  ByHand edge("knife_edge");
  edge.expect_f(0, "m*g*sin_alpha");
  edge.expect_C(0, 0, "sin(phi)");
  edge.expect_C(0, 1, "-cos(phi)");
  edge.expect_C(0, 2, "0");
  edge.expect_gamma(0, "-phi'*(x'*cos(phi) + y'*sin(phi))");
}

TEST(HandDerivation, MovingConstraintsGiveTheirVelocityAndAcceleration) {
  const Equations e = derive_equations(read_model_text(R"toml(
[coordinates]
x = {}
[energy]
kinetic = "x'^2/2"
[constraints]
holonomic = { drive = "t*x^2 - sin(t)" }
)toml"))
                          .continued();
  Graph& graph = e.graph();
  Tidy tidy(e.q);
  EXPECT_TRUE(tidy(e.c[0] - parse(graph, "x^2 - cos(t)")).is_zero());
  EXPECT_TRUE(tidy(e.C.at(0, 0, graph) - parse(graph, "2*t*x")).is_zero());
  EXPECT_TRUE(tidy(e.gamma[0] - parse(graph, "-4*x*x' - 2*t*x'^2 - sin(t)")).is_zero());
}

}  // namespace
}  // namespace dalembert

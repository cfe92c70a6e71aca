// Robots without loops have independent constraints and inertia everywhere: all start and run, whatever
// their quaternions, masses and units.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/system/structure.hpp>

#include "bodies/motion.hpp"

namespace dalembert {
namespace {

using testing::run;

struct Robot {
  unsigned seed;
  int bodies;
  double unit;        // of length
  double mass_ratio;  // of the heaviest to the lightest
};

class RobotText {
 public:
  explicit RobotText(const Robot& robot) : random_(robot.seed), robot_(robot) {}

  std::string make() {
    std::string bodies, joints;
    std::array<double, 3> last{};
    for (int i = 0; i < robot_.bodies; ++i) {
      std::array<double, 3> place = last;
      for (double& x : place) x += robot_.unit * uniform(-0.5, 0.5);
      bodies += body(i, place);
      joints += joint(i, {(last[0] + place[0]) / 2, (last[1] + place[1]) / 2, (last[2] + place[2]) / 2});
      last = place;
    }
    return "space = \"space\"\nreactions = \"none\"\n" + bodies + joints + "[[force]]\ntype = \"gravity\"\n";
  }

 private:
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(random_()) / static_cast<double>(std::mt19937::max());
  }
  std::array<double, 4> quaternion() {
    constexpr std::array<double, 8> small{0, 1e-20, 1e-17, -1e-16, 1e-12, 1e-8, 1e-5, 1e-100};
    std::array<double, 4> q{};
    const bool nearly_one = uniform(0, 1) < 0.5;
    for (double& x : q) x = nearly_one ? small[random_() % small.size()] : uniform(-1, 1);
    if (nearly_one) q[random_() % 4] = 1;
    double square = 0;
    for (const double x : q) square += x * x;
    for (double& x : q) x /= std::sqrt(square);
    return q;
  }
  std::string body(int i, const std::array<double, 3>& p) {
    const double mass = std::pow(robot_.mass_ratio, uniform(-0.5, 0.5));
    const double inertia = mass * std::pow(robot_.unit * uniform(0.02, 0.5), 2);
    const auto q = quaternion();
    return fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = {}\ninertia = [{}, {}, {}]\nposition = [{}, {}, {}]\n"
        "rotation = {{ quaternion = [{}, {}, {}, {}] }}\n",
        i, mass, inertia, 1.1 * inertia, 1.2 * inertia, p[0], p[1], p[2], q[0], q[1], q[2], q[3]);
  }
  std::string joint(int i, const std::array<double, 3>& p) {
    constexpr std::array<const char*, 4> axes{"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]", "[0.6, 0.8, 0]"};
    constexpr std::array<const char*, 4> types{"revolute", "revolute", "prismatic", "spherical"};
    const std::string type = types[random_() % types.size()];
    std::string text = fmt::format(
        "[[joint]]\nname = \"j{}\"\ntype = \"{}\"\nbodies = [\"{}\", \"b{}\"]\npoint = [{}, {}, {}]\n", i,
        type, i == 0 ? "ground" : fmt::format("b{}", i - 1), i, p[0], p[1], p[2]);
    if (type != "spherical") text += fmt::format("axis = {}\n", axes[random_() % axes.size()]);
    return text;
  }

  std::mt19937 random_;
  Robot robot_;
};

TEST(RandomRobots, StartAndRun) {
  for (const Robot& robot : {Robot{1, 20, 1, 1}, Robot{2, 25, 1e-3, 1e6}, Robot{3, 20, 1e3, 1e4},
                             Robot{4, 30, 1, 1e6}, Robot{5, 6, 1e-3, 1e6}}) {
    const System system(read_model_text(RobotText(robot).make()));
    const Structure structure = analyse_structure(system, find_start(system));
    EXPECT_EQ(structure.rank, system.m()) << robot.seed;
    const double duration = 0.05 * std::sqrt(robot.unit);  // of falls through the robot's size
    for (const char* method : {"adomian", "dop853"}) {
      const auto motion = run(system, duration, duration, method);
      ASSERT_EQ(motion.report.outcome, Outcome::finished)
          << method << ' ' << robot.seed << ": " << motion.report.reason;
      EXPECT_TRUE(motion.report.singular_times.empty()) << method << ' ' << robot.seed;
      EXPECT_LT(motion.report.max_position_residual, 1e-12 * std::max(1.0, robot.unit)) << robot.seed;
    }
  }
}

// Links in a row, hinged about z and y in turn, with one component of each quaternion that is nearly zero.
std::string chain_text(double small) {
  std::string bodies, joints;
  for (int i = 0; i < 14; ++i) {
    bodies += fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = 1\ninertia = [0.01, 0.011, 0.012]\nposition = [{}, 0, 0]\n"
        "rotation = {{ quaternion = [1, 0, 0, {}] }}\n",
        i, i + 0.5, small);
    joints += fmt::format(
        "[[joint]]\nname = \"j{}\"\ntype = \"revolute\"\nbodies = [\"{}\", \"b{}\"]\npoint = [{}, 0, 0]\n"
        "axis = {}\n",
        i, i == 0 ? "ground" : fmt::format("b{}", i - 1), i, i, i % 2 == 0 ? "[0, 0, 1]" : "[0, 1, 0]");
  }
  return "space = \"space\"\nreactions = \"none\"\n" + bodies + joints + "[[force]]\ntype = \"gravity\"\n";
}

TEST(RandomRobots, AComponentNearZeroIsAsGoodAsZero) {
  const auto chain = [](double small) { return System(read_model_text(chain_text(small))); };
  const auto exact = run(chain(0), 0.2, 0.1);
  for (const double small : {1e-20, 1e-17, -1e-40, 1e-150}) {
    const auto near = run(chain(small), 0.2, 0.1);
    ASSERT_EQ(near.report.outcome, Outcome::finished) << small << ": " << near.report.reason;
    EXPECT_NEAR(near["b13.z"].back(), exact["b13.z"].back(), 1e-9) << small;
  }
}

// Angles that are outputs are coordinates without inertia: 112 of them, and Newton's matrix is left to KLU.
TEST(RandomRobots, ImplicitMethodsFallAsTheSeriesDoes) {
  std::string text = chain_text(1e-20) + "[outputs]\n";
  for (int i = 0; i < 14; ++i) text += fmt::format("q{0} = \"j{0}.angle\"\n", i);
  const System system(read_model_text(text));
  const auto exact = run(system, 0.05, 0.05);
  for (const char* method : {"bdf", "ndf", "generalized_alpha"}) {
    const auto motion = run(system, 0.05, 0.05, method);
    ASSERT_EQ(motion.report.outcome, Outcome::finished) << method << ": " << motion.report.reason;
    EXPECT_NEAR(motion["b13.z"].back(), exact["b13.z"].back(), 1e-7) << method;
    EXPECT_LT(motion.report.max_energy_error, 1e-6) << method;
  }
}

}  // namespace
}  // namespace dalembert

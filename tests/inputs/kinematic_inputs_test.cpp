// Inputs of kinematic models: x follows u(t), y' = −u along the free direction.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/session/check.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/session/stability.hpp>

namespace dalembert {
namespace {

session::LoadedModel follower(const std::string& input, double start_x) {
  return session::LoadedModel({fmt::format(R"(kind = "kinematic"
[inputs]
u = {{ {} }}
[coordinates]
x = {}
y = 0
[constraints]
holonomic = {{ follow = "x - u" }}
[kinematics]
c = "u"
C = []
K = [["-2"]]
[outputs]
input = "u"
slope = "u'"
)",
                                           input, start_x),
                               "follower",
                               {},
                               {}});
}

const std::string polygon = "times = [0, 0.35, 0.5, 1.3, 2], values = [1, -0.5, 2, 2, -1]";

double height(double t) {
  const std::vector<double> knots{0, 0.35, 0.5, 1.3, 2}, heights{1, -0.5, 2, 2, -1};
  std::size_t i = 0;
  while (i + 2 < knots.size() && t > knots[i + 1]) ++i;
  return heights[i] + (heights[i + 1] - heights[i]) * (t - knots[i]) / (knots[i + 1] - knots[i]);
}

// ∫ u from 0 to t: of lines the mean of their ends.
double area(double t) {
  double sum = 0, from = 0;
  for (const double knot : {0.35, 0.5, 1.3, 2.0}) {
    const double to = std::min(knot, t);
    if (to > from) sum += (height(from) + height(to)) / 2 * (to - from);
    from = knot;
  }
  return sum;
}

// Methods of second order integrate lines exactly, as long as no step goes over a bend.
TEST(KinematicInputs, AreFollowedAcrossBendsByEveryMethod) {
  for (const char* method : {"heun", "kutta3", "rk4", "dopri5", "dop853"}) {
    std::vector<GivenOption> options{give("method", std::string(method)), give("duration", 2.0),
                                     give("output_step", 0.05)};
    if (method[0] != 'd') options.push_back(give("step", 0.03));
    const session::Motion motion = run(follower(polygon, 1), options);
    EXPECT_EQ(motion.report().outcome, Outcome::finished);
    const auto t = motion.column("t"), x = motion.column("x"), y = motion.column("y");
    const auto input = motion.column("input"), slope = motion.column("slope"), v = motion.column("x'");
    ASSERT_EQ(t.size(), 41U);
    for (std::size_t i = 0; i < t.size(); ++i) {
      EXPECT_NEAR(x[i], height(t[i]), 1e-13) << method << " at " << t[i];
      EXPECT_NEAR(y[i], -area(t[i]), 1e-13) << method << " at " << t[i];
      EXPECT_NEAR(input[i], height(t[i]), 1e-14) << method << " at " << t[i];
      EXPECT_NEAR(v[i], slope[i], 1e-12) << method << " at " << t[i];
    }
    EXPECT_NEAR(slope[1], -1.5 / 0.35, 1e-13);
    EXPECT_NEAR(slope[40], -3 / 0.7, 1e-13);  // at the last knot: of the piece before it
  }
}

TEST(KinematicInputs, AreFollowedBackwards) {
  const session::Motion motion =
      run(follower(polygon, -1), {give("start", 2.0), give("duration", -2.0), give("output_step", 0.05)});
  const auto t = motion.column("t"), x = motion.column("x"), y = motion.column("y");
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(x[i], height(t[i]), 1e-12) << t[i];
    EXPECT_NEAR(y[i], area(2) - area(t[i]), 1e-12) << t[i];
  }
}

TEST(KinematicInputs, CubicOnesLeadThroughConstraintsAndErrorsDecay) {
  // data of t³: their spline is t³; a start off by 0.1 comes to it as exp(−2 t)
  const session::Motion motion =
      run(follower("times = [0, 0.3, 1, 1.6, 2], values = [0, 0.027, 1, 4.096, 8], interpolation = \"cubic\"",
                   0.1),
          {give("duration", 2.0), give("tolerance", 1e-13)});
  const auto t = motion.column("t"), x = motion.column("x");
  for (std::size_t i = 0; i < t.size(); ++i)
    EXPECT_NEAR(x[i], t[i] * t[i] * t[i] + 0.1 * std::exp(-2 * t[i]), 1e-11) << t[i];
}

TEST(KinematicInputs, AreAtTheStartWhatTheyAreThere) {
  const session::CheckReport report = session::check(follower(polygon, 1.25));
  ASSERT_EQ(report.kinematic->f.size(), 1U);
  EXPECT_EQ(report.kinematic->f[0], 0.25);  // x − u
  EXPECT_EQ(report.kinematic->rank, 1U);
}

TEST(KinematicInputs, SayWhereTheirDataEnd) {
  try {
    run(follower(polygon, 1), {give("duration", 3.0)});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("leaves the data of the input 'u'"), std::string::npos);
    EXPECT_GT(error.where().line, 0);
  }
  EXPECT_THROW(session::stability(follower(polygon, 1), {}), Error);  // its conditions are of all times
}

}  // namespace
}  // namespace dalembert

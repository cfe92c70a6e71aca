// The multibody benchmarks of IFToMM, as models of bodies and joints, against exact solutions.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bodies/motion.hpp"

namespace dalembert {
namespace {

using testing::Motion;
using testing::run_shipped;

// Exact by elliptic functions; this start is the mirror image of the one at x = +1.
TEST(BenchmarkA01, FollowsTheExactPendulum) {
  const Motion m = run_shipped("iftomm_a01", 10, 0.5);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  EXPECT_NEAR(m["bob.x"][1], -0.3910487915505463876893419401, 1e-13);
  EXPECT_NEAR(m["bob.y"][1], -0.9203699487851922037602769379, 1e-13);
  EXPECT_NEAR(m["bob.x"][20], -0.2750874625761168600543914493, 1e-12);
  EXPECT_NEAR(m["bob.y"][20], -0.9614192050991250642651350686, 1e-12);
  for (std::size_t i = 0; i < m["t"].size(); ++i) {  // the rod pulls with 3 m g cos(theta), towards the pivot
    const double x = m["bob.x"][i];
    const double y = m["bob.y"][i];
    EXPECT_NEAR(m["pivot.force_x"][i], 3 * 9.81 * y * x, 1e-10);
    EXPECT_NEAR(m["pivot.force_y"][i], 3 * 9.81 * y * y, 1e-10);
  }
}

// φ'' = c g/I sin φ for parallel cranks, φ from the upright: with N = 2, I = 1 + 2 and c = 3/2 + 2. Classical
// Runge-Kutta with steps of 1e-4 is exact to 1e-14 here.
double exact_crank(double t) {
  const auto slope = [](double phi) { return 3.5 * 9.81 / 3 * std::sin(phi); };
  double phi = 0;
  double speed = 1;
  const auto steps = static_cast<int>(std::ceil(t / 1e-4));
  const double h = t / std::max(steps, 1);
  for (int i = 0; i < steps; ++i) {
    const double k1 = slope(phi);
    const double k2 = slope(phi + h / 2 * speed);
    const double k3 = slope(phi + h / 2 * (speed + h / 2 * k1));
    const double k4 = slope(phi + h * (speed + h / 2 * k2));
    phi += h * (speed + h / 6 * (k1 + k2 + k3));
    speed += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return phi;
}

// All bars lie in one line at φ = π/2, 3π/2 ...: there the linkage could branch. The exact motion keeps the
// cranks parallel; a run follows it or stops with its reason in such a configuration, and never takes another
// branch.
TEST(BenchmarkA02, NeverLeavesItsBranch) {
  const Motion m = run_shipped("iftomm_a02", 10, 0.05);
  const std::vector<double>& t = m["t"];
  const bool finished = m.report.outcome == Outcome::finished;
  const std::size_t compared =
      finished ? t.size() : t.size() - 1;  // the last is in the singular configuration
  for (std::size_t i = 0; i < compared && t[i] < 1.01; ++i) {
    const double phi = exact_crank(t[i]);
    EXPECT_NEAR(m["top_x"][i], std::sin(phi), 1e-9) << t[i];
    EXPECT_NEAR(m["top_y"][i], std::cos(phi), 1e-9) << t[i];
    EXPECT_NEAR(m["crank2.angle"][i], m["crank0.angle"][i], 1e-9) << t[i];
  }
  if (finished) {
    EXPECT_NEAR(m["top_x"][80], 0.11761610237680861171488323, 1e-9);
    EXPECT_NEAR(m["top_y"][80], 0.99305913845132510096012465, 1e-9);
    EXPECT_NEAR(m["top_x"][200], 0.32845811154081537865216417, 1e-9);
    EXPECT_NEAR(m["top_y"][200], 0.94451853817860096216128544, 1e-9);
  } else {
    EXPECT_NE(m.report.reason.find("singular"), std::string::npos) << m.report.reason;
    EXPECT_GE(t.size(), 12U);
  }
}

// 18 digits by binary128.
TEST(BenchmarkA03, FollowsTheReferenceDigits) {
  const Motion m = run_shipped("iftomm_a03", 0.05, 0.01);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  EXPECT_NEAR(m["F_x"][1], -3.8512905936274217387e-3, 1e-12);
  EXPECT_NEAR(m["F_y"][1], 5.8453024526911301196e-3, 1e-12);
  EXPECT_NEAR(m["F_x"][3], -6.9702607817680392430e-3, 1e-12);
  EXPECT_NEAR(m["F_y"][3], -6.4456546149045436619e-4, 1e-12);
  EXPECT_NEAR(m["F_x"][5], -5.1589852501886701793e-3, 1e-12);
  EXPECT_NEAR(m["F_y"][5], 4.7312652840794865067e-3, 1e-12);
  EXPECT_NEAR(m["crank.angle"][5], 3.381534072136017377697757e+01, 1e-9);
  EXPECT_NEAR(m["crank.angle'"][5], 1.140942733447106960586601e+03, 1e-7);
}

// 14 digits by extrapolation in long double. Springs of 8e5 N/m with 4e4 N s/m decay within 0.1 ms.
TEST(BenchmarkA05, FollowsTheReferenceDigits) {
  const Motion m = run_shipped("iftomm_a05", 0.5, 0.1);
  ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  EXPECT_NEAR(m["s"][1], 5.238364755695757050e-01, 1e-13);
  EXPECT_NEAR(m["shaft_speed"][1], 6.103717808830862952, 1e-12);
  EXPECT_NEAR(m["s"][5], 7.432494247863258020e-01, 1e-13);
  EXPECT_NEAR(m["shaft_speed"][5], 5.103415421971535778, 1e-12);
}

}  // namespace
}  // namespace dalembert

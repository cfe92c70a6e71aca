// The multibody benchmarks of IFToMM, as models of bodies and joints, against exact solutions.
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

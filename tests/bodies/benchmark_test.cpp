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

TEST(BenchmarkA05, LooksStiffAndTheAdvisedMethodFollowsTheReferenceDigits) {
  const System system(read_model(find_model("iftomm_a05")));
  const Motion series = testing::run(system, 0.5, 0.1);
  EXPECT_NE(series.report.advice.find("--method bdf --index-form ggl"), std::string::npos)
      << series.report.advice;
  SolveOptions options = options_of(system.model());
  options.method = "bdf";
  options.index_form = "ggl";
  options.tolerance = 1e-12;
  options.duration = 0.5;
  options.output_step = 0.1;
  std::vector<double> s;
  const std::size_t slider = 0;  // the output s
  ASSERT_EQ(system.model().outputs[slider].name, "s");
  const RunReport report = solve(system, options, SampleSink<double>([&](const Sample<double>& sample) {
                                   s.push_back(sample.outputs[slider]);
                                   return true;
                                 }));
  ASSERT_EQ(report.outcome, Outcome::finished) << report.reason;
  EXPECT_NEAR(s[1], 5.238364755695757050e-01, 1e-9);
  EXPECT_NEAR(s[5], 7.432494247863258020e-01, 1e-9);
}

TEST(ModelsThatAreNotStiff, GetNoAdvice) {
  for (const char* name : {"andrews_bodies", "slider_crank_bodies", "heavy_top_bodies", "iftomm_a02"}) {
    const System system(read_model(find_model(name)));
    const SolveOptions options = options_of(system.model());
    EXPECT_EQ(testing::run(system, options.duration, options.duration).report.advice, "") << name;
  }
}

// A crank of the mass 1e-9 that carries a load: its own coordinates have almost no inertia, and the
// constraints determine them. The load swings as a pendulum of length 1; after half its period at an
// amplitude of 90° it is on the other side.
TEST(NearlyMasslessBody, IsCarriedAlongByItsJoints) {
  const double pi = std::acos(-1.0);
  const double period = 7.416298709205487673 / std::sqrt(9.81);  // 4 K(1/2), with l = 1
  for (const char* mass : {"1e-9", "1e-14"}) {
    const Model model =
        ModelBuilder("Load on a light rod")
            .body("rod", {{"mass", mass}, {"inertia", 0}, {"position", {0.5, 0}}})
            .body("load", {{"mass", 2}, {"inertia", 0}, {"position", {1, 0}}})
            .joint("pivot", {{"type", "revolute"}, {"bodies", {"ground", "rod"}}, {"point", {0, 0}}})
            .joint("hook", {{"type", "weld"}, {"bodies", {"rod", "load"}}, {"point", {1, 0}}})
            .force_element("weight", {{"type", "gravity"}})
            .build();
    const Motion m = testing::run(System(model), period / 2, period / 4);
    ASSERT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
    const double tolerance = mass == std::string("1e-9") ? 3e-9 : 1e-11;  // 1e-9 moves the centre of mass
    EXPECT_NEAR(m["rod.angle"][1], -pi / 2, tolerance);
    EXPECT_NEAR(m["load.x"][1], 0, tolerance);
    EXPECT_NEAR(m["load.y"][1], -1, tolerance);
    EXPECT_NEAR(m["rod.angle"][2], -pi, 1e-6);  // at rest there: quadratic in an error of the period
    EXPECT_NEAR(m["pivot.force_y"][1], 3 * 2 * 9.81, 2e-7);
    for (const double e : m["energy"]) EXPECT_NEAR(e, m["energy"][0], 1e-12 * 2 * 9.81);
  }
}

}  // namespace
}  // namespace dalembert

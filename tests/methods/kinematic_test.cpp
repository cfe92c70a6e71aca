// Kinematic systems by every method that takes them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/kinematic_system.hpp>

#include "methods/traits.hpp"

namespace dalembert {
namespace {

using testing::MethodTraits;

struct Row {
  double t;
  std::vector<double> q, v, f;
};
struct KinematicResult {
  RunReport report;
  std::vector<Row> rows;
};

KinematicResult run(const KinematicSystem& system, const SolveOptions& options) {
  KinematicResult result;
  result.report = solve(system, options, SampleSink<double>([&](const Sample<double>& s) {
                          result.rows.push_back({s.t,
                                                 {s.q.begin(), s.q.end()},
                                                 {s.v.begin(), s.v.end()},
                                                 {s.position_residual.begin(), s.position_residual.end()}});
                          return true;
                        }));
  return result;
}

KinematicSystem ellipse(const std::string& k, const std::string& x = "1") {
  return KinematicSystem(read_model(find_model("ellipse"), {{"k", k}, {"x", x}}));
}

std::vector<MethodTraits> kinematic_methods() {
  std::vector<MethodTraits> result;
  for (const MethodTraits& traits : testing::all_traits()) {
    if (traits.kinematic) result.push_back(traits);
  }
  return result;
}

class KinematicLaws : public ::testing::TestWithParam<MethodTraits> {
 protected:
  SolveOptions options(const KinematicSystem& system, double duration, int steps) const {
    SolveOptions options = options_of(system.model());
    options.method = GetParam().name;
    options.duration = duration;
    options.output_times = {duration};
    if (GetParam().adaptive) {
      options.tolerance = 1e300;
      options.max_step = duration / steps * (1 + 1e-12);
    } else {
      options.step = duration / steps;
    }
    return options;
  }
};

TEST_P(KinematicLaws, MeasuredOrderOnTheEllipseEqualsTheTheoreticalOne) {
  // on the ellipse x = cos 3t, y = −3 sin 3t, whatever k is: (24) in [beshaw]
  const int steps =
      std::vector<int>{0, 800, 300, 150, 100, 60, 0, 0, 8}.at(static_cast<std::size_t>(GetParam().order));
  for (const char* k : {"0", "-2"}) {
    const KinematicSystem system = ellipse(k);
    const auto error = [&](int count) {
      const auto result = run(system, options(system, 1, count));
      EXPECT_EQ(result.report.outcome, Outcome::finished);
      return std::max(std::abs(result.rows.back().q[0] - std::cos(3.0)),
                      std::abs(result.rows.back().q[1] + 3 * std::sin(3.0)));
    };
    EXPECT_NEAR(std::log2(error(steps) / error(2 * steps)), GetParam().order, 0.1 * GetParam().order + 0.1)
        << k;
  }
}

TEST_P(KinematicLaws, DeviationsDecayAsTheGainTells) {
  const KinematicSystem system = ellipse("-2", "1.1");  // off the ellipse
  SolveOptions options = this->options(system, 2, 4000);
  if (GetParam().adaptive) {
    options.tolerance = 1e-10;
    options.max_step = 0;
  }
  options.output_times = {0, 0.5, 1, 2};
  const auto result = run(system, options);
  ASSERT_EQ(result.rows.size(), 4U);
  const double f0 = (9 * 1.1 * 1.1 - 9) / 2;
  // Euler's steps of τ = 5e-4 leave f = τ f''/(2 |k|) = 0.0101 where f'' = 81, on the ellipse
  const double allowed = GetParam().order == 1 ? 0.0112 : GetParam().order == 2 ? 1e-5 : 1e-8;
  for (const Row& row : result.rows) {  // f' = k f
    EXPECT_NEAR(row.f[0], f0 * std::exp(-2 * row.t), allowed) << row.t;
  }
}

TEST_P(KinematicLaws, ProjectionKeepsTheConstraintAtRoundOff) {
  const KinematicSystem system = ellipse("0");
  SolveOptions options = this->options(system, 5, 2000);
  if (GetParam().adaptive) options.tolerance = 1e-6, options.max_step = 0;
  options.stabilization = Stabilization::projection;
  options.output_times.clear();
  options.output_step = 0.0137;
  const auto result = run(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  EXPECT_LE(result.report.max_position_residual, 1e-14);
  for (const Row& row : result.rows) EXPECT_LE(std::abs(row.f[0]), 1e-14) << row.t;
}

INSTANTIATE_TEST_SUITE_P(AllMethods, KinematicLaws, ::testing::ValuesIn(kinematic_methods()),
                         [](const auto& info) { return info.param.name; });

TEST(Kinematic, AMovingConstraintInSpaceIsFollowed) {
  // on the sphere of radius 1 + t/10 with a further row: q' is orthogonal to it but for the radial part
  const KinematicSystem system(read_model_text(R"(
kind = "kinematic"
[coordinates]
x = { position = 1 }
y = { position = 0 }
z = { position = 0 }
[constraints]
holonomic = { sphere = "(x^2 + y^2 + z^2 - (1 + t/10)^2)/2" }
[kinematics]
c = "2"
C = [["0", "0", "1"]]
K = [["-3"]]
[solve]
duration = 3
)"));
  SolveOptions options = options_of(system.model());
  options.tolerance = 1e-11;
  options.output_times = {3};
  const auto result = run(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished);
  const Row& end = result.rows.back();
  // [q, e_z] = (y, −x, 0): a rotation by −c t at growing radius
  EXPECT_NEAR(end.q[0], 1.3 * std::cos(6.0), 1e-9);
  EXPECT_NEAR(end.q[1], -1.3 * std::sin(6.0), 1e-9);
  EXPECT_NEAR(end.q[2], 0, 1e-12);
  EXPECT_LE(result.report.max_position_residual, 1e-9);
}

TEST(Kinematic, AsManyConstraintsAsPossibleAndAGainMatrix) {
  // two constraints in space, off both; f' = K f with eigenvalues −1 ± 2i
  const KinematicSystem system(read_model_text(R"(
kind = "kinematic"
[coordinates]
x = { position = 1.1 }
y = { position = 0 }
z = { position = 0.2 }
[constraints]
holonomic = { cylinder = "x^2 + y^2 - 1", plane = "z - x" }
[kinematics]
c = "0.3"
K = [["-1", "2"], ["-2", "-1"]]
[solve]
duration = 2
)"));
  SolveOptions options = options_of(system.model());
  options.tolerance = 1e-11;
  options.output_times = {2};
  const Row end = run(system, options).rows.back();
  const double f0 = 1.1 * 1.1 - 1, f1 = 0.2 - 1.1;
  const double decay = std::exp(-2.0), c = std::cos(4.0), s = std::sin(4.0);
  EXPECT_NEAR(end.f[0], decay * (c * f0 + s * f1), 1e-9);
  EXPECT_NEAR(end.f[1], decay * (c * f1 - s * f0), 1e-9);
}

TEST(Kinematic, WhatCannotBeMeantIsRefused) {
  const KinematicSystem system = ellipse("-2");
  SolveOptions options = options_of(system.model());
  options.method = "adomian";
  try {
    run(system, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("dop853"), std::string::npos);
  }
  options.method = "rk4";
  options.stabilization = Stabilization::baumgarte;
  EXPECT_THROW(run(system, options), Error);
}

TEST(Kinematic, StopsWhereTheConstraintsBecomeDependent) {
  // the normal of the circle vanishes at its centre
  const KinematicSystem system(read_model_text(R"(
kind = "kinematic"
[coordinates]
x = { position = 0 }
y = { position = 0 }
[constraints]
holonomic = { circle = "x^2 + y^2 - 1" }
[kinematics]
K = [["-1"]]
)"));
  const auto result = run(system, options_of(system.model()));
  EXPECT_EQ(result.report.outcome, Outcome::stopped_early);
  EXPECT_EQ(result.report.end_time, 0);
  EXPECT_NE(result.report.reason.find("dependent"), std::string::npos) << result.report.reason;
}

}  // namespace
}  // namespace dalembert

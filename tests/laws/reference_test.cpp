// Every reference problem against digits of higher precision (tests/references), with default settings.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/scalar.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using nlohmann::json;
using testing::KeptSample;

struct Problem {
  std::string model;
  double tolerance;  // allowed error relative to the largest component of q, of v, of lambda
};

json read_reference(const std::string& model) {
  std::ifstream file(std::string(DALEMBERT_SOURCE_DIR) + "/tests/references/" + model + ".json");
  return json::parse(file);
}

// The largest error of the known components, relative to the largest of them.
double relative_error(const json& expected, const std::vector<std::string>& names,
                      const std::vector<double>& values) {
  double error = 0;
  double scale = 0;
  for (const auto& [name, text] : expected.items()) {
    const auto place = std::find(names.begin(), names.end(), name);
    EXPECT_NE(place, names.end()) << name;
    if (place == names.end()) continue;
    const Real exact(text.get<std::string>());
    const Real difference = Real(values[static_cast<std::size_t>(place - names.begin())]) - exact;
    error = std::max(error, std::abs(static_cast<double>(difference)));
    scale = std::max(scale, std::abs(static_cast<double>(exact)));
  }
  return scale > 0 ? error / scale : error;
}

class Reference : public ::testing::TestWithParam<Problem> {};

TEST_P(Reference, MotionAndMultipliersAgreeWithTheDigits) {
  const DigitsScope digits(40);
  const json reference = read_reference(GetParam().model);
  const System system = testing::shipped_system(GetParam().model);
  SolveOptions options = options_of(system.model());
  for (const json& point : reference["points"])
    options.output_times.push_back(std::stod(point["t"].get<std::string>()));
  options.duration = options.output_times.back() - options.start;

  const auto result = testing::simulate(system, options);
  ASSERT_EQ(result.report.outcome, Outcome::finished) << result.report.reason;
  ASSERT_EQ(result.samples.size(), reference["points"].size());

  std::vector<std::string> coordinates;
  std::vector<std::string> constraints;
  for (std::size_t i = 0; i < system.n(); ++i) coordinates.push_back(system.coordinate_name(i));
  for (std::size_t j = 0; j < system.m(); ++j) constraints.push_back(system.constraint_name(j));
  for (std::size_t i = 0; i < result.samples.size(); ++i) {
    const json& point = reference["points"][i];
    const KeptSample& sample = result.samples[i];
    const double allowed = GetParam().tolerance;
    if (point.contains("q")) {
      EXPECT_LE(relative_error(point["q"], coordinates, sample.q), allowed) << "q at " << sample.t;
    }
    if (point.contains("v")) {
      EXPECT_LE(relative_error(point["v"], coordinates, sample.v), allowed) << "v at " << sample.t;
    }
    if (point.contains("lambda")) {
      EXPECT_LE(relative_error(point["lambda"], constraints, sample.lambda), allowed)
          << "lambda at " << sample.t;
    }
  }
  EXPECT_LE(result.report.max_position_residual, 1e-14);
}

// Fekete's reference is trusted to 14 digits only, and its end state is approached slowly.
INSTANTIATE_TEST_SUITE_P(AllProblems, Reference,
                         ::testing::Values(Problem{"andrews", 1e-12}, Problem{"car_axis", 1e-11},
                                           Problem{"particle_on_circle", 1e-11},
                                           Problem{"spherical_pendulum", 1e-11}, Problem{"heavy_top", 1e-10},
                                           Problem{"knife_edge", 1e-11}, Problem{"rolling_disk", 1e-11},
                                           Problem{"double_pendulum_cartesian", 1e-10},
                                           Problem{"chain10", 1e-11}, Problem{"fekete", 1e-11}),
                         [](const auto& info) { return info.param.model; });

}  // namespace
}  // namespace dalembert

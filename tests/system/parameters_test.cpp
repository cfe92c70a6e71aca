// Other values of parameters: by System::with_parameters, without compiling anything, and by reading the
// model again.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/state_evaluation.hpp>

#include "system/models.hpp"

namespace dalembert {
namespace {

void expect_equal(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << what << " " << i;
}

class OtherParameters : public testing::TestWithParam<std::string> {};

TEST_P(OtherParameters, GiveTheEquationsOfTheModelReadWithThem) {
  const Model model = read_model(std::string(DALEMBERT_SOURCE_DIR) + "/models/" + GetParam() + ".toml");
  if (model->kind == ModelKind::kinematic) GTEST_SKIP() << "a kinematic system";
  const System system(model);
  const auto values = system.parameter_values<double>();
  std::size_t compared = 0;
  for (const Parameter& parameter : model->parameters) {
    SCOPED_TRACE(parameter.name);
    const double value = values.at(parameter.symbol.id());
    const double other = value == 0 ? 0.125 : 1.015625 * value;  // so little that mechanisms still close
    const System changed = system.with_parameters(std::vector<NamedValue>{{parameter.name, other}});
    std::optional<System> read;
    try {
      read.emplace(test::shipped(GetParam(), {parse_override(fmt::format("{}={}", parameter.name, other))}));
    } catch (const Error&) {
      continue;  // one that bodies brought with them, or no value of this model
    }
    ++compared;
    expect_equal(changed.given_positions<double>(), read->given_positions<double>(), "q");
    expect_equal(changed.given_velocities<double>(), read->given_velocities<double>(), "v");
    StateEvaluation here(changed), there(*read);
    std::vector<double> q = changed.given_positions<double>(), v = changed.given_velocities<double>();
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += 0.01 * std::sin(static_cast<double>(i) + 1);
      v[i] += 0.1 * std::cos(static_cast<double>(i));
    }
    here.eval(0.3, q, v);
    there.eval(0.3, q, v);
    const auto near = [](const auto& a, const auto& b) {
      return (a - b).norm() <= 1e-13 * (a.norm() + 1e-300) || (a.hasNaN() && b.hasNaN());
    };
    EXPECT_TRUE(near(here.M, there.M));
    EXPECT_TRUE(near(here.f, there.f)) << (here.f - there.f).norm();
    EXPECT_TRUE(near(here.g, there.g));
    EXPECT_TRUE(near(here.C, there.C));
    EXPECT_TRUE(near(here.gamma, there.gamma));
  }
  EXPECT_TRUE(compared > 0 || model->parameters.empty());
}

std::vector<std::string> names_of_models() {
  std::vector<std::string> names;
  for (const ShippedModel& model : shipped_models()) names.push_back(model.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(ShippedModels, OtherParameters, testing::ValuesIn(names_of_models()),
                         [](const auto& tested) { return tested.param; });

TEST(OtherParameter, ThatIsNoneIsNamedWithTheNearest) {
  const System system = test::shipped("slider_crank");
  try {
    system.with_parameters(std::vector<NamedValue>{{"l11", 1}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("'l11'"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("l1"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace dalembert

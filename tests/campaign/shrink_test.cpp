// Failing models become small, and stay models that fail.
#include "campaign/shrink.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>

#include "campaign/generator.hpp"

namespace dalembert::campaign {
namespace {

bool offers(const std::string& formula, const std::string& smaller) {
  const std::vector<std::string> all = smaller_formulas(formula);
  return std::find(all.begin(), all.end(), smaller) != all.end();
}

TEST(SmallerFormulas, LoseTermsFactorsCallsAndDigits) {
  EXPECT_TRUE(offers("a + b*c", "+ b*c"));
  EXPECT_TRUE(offers("a + b*c", "a "));
  EXPECT_TRUE(offers("a + b*c", "a +c"));
  EXPECT_TRUE(offers("sin(a - b) = c", "(a - b) = c"));
  EXPECT_TRUE(offers("sin(a - b) = c", "sin(- b) = c"));
  EXPECT_TRUE(offers("max(a, 2*b)", "( 2*b)"));
  EXPECT_TRUE(offers("0.4713*x", "0.5*x"));
  EXPECT_TRUE(offers("1.25e-07*x", "1e-07*x"));
  EXPECT_FALSE(offers("2e-7", "2e")) << "the sign of an exponent is no operator";
}

bool is_model_with(const std::string& text, const std::string& word) {
  try {
    return read_model_text(text)->text.find(word) != std::string::npos;
  } catch (const Error&) {
    return false;
  }
}

TEST(Shrink, LeavesWhatTheFailureNeeds) {
  const std::string model = R"toml(
[parameters]
k = 3.25
[coordinates]
x = { position = 0.5, velocity = 0.25 }
y = { position = -0.3 }
[energy]
kinetic = "x'^2/2 + 1.5*y'^2"
potential = "k*(x - y)^2/2 + cos(y)"
[forces]
y = "-k*abs(x + 0.2)*tanh(y')"
[constraints.holonomic]
g = "x + y^2 = 0.59"
)toml";
  const std::string small = shrink(
      model, [](const std::string& text) { return is_model_with(text, "abs(x"); }, 1000);
  EXPECT_TRUE(is_model_with(small, "abs(x")) << small;
  EXPECT_EQ(small.find("potential"), std::string::npos) << small;
  EXPECT_EQ(small.find("constraints"), std::string::npos) << small;
  EXPECT_EQ(small.find("tanh"), std::string::npos) << small;
  EXPECT_EQ(small.find("parameters"), std::string::npos) << small;
}

TEST(Shrink, DropsBodiesWithTheirJoints) {
  const std::string model = R"toml(
space = "plane"
[[body]]
name = "a"
mass = 1
inertia = 1
[[body]]
name = "b"
mass = 1
inertia = 1
[[joint]]
type = "revolute"
bodies = ["a", "b"]
point = [0, 0]
)toml";
  const std::string small = shrink(
      model, [](const std::string& text) { return is_model_with(text, "\"a\""); }, 1000);
  EXPECT_EQ(small.find("\"b\""), std::string::npos) << small;
  EXPECT_EQ(small.find("joint"), std::string::npos) << small;
}

TEST(RandomModel, IsTheSameForTheSameSeedAndIsAModel) {
  for (const Kind kind : all_kinds) {
    for (const std::uint64_t seed : {7, 8}) {
      EXPECT_EQ(make_model(kind, seed), make_model(kind, seed));
      EXPECT_NO_THROW(read_model_text(make_model(kind, seed))) << make_model(kind, seed);
    }
    EXPECT_NE(make_model(kind, 7), make_model(kind, 8));
  }
}

}  // namespace
}  // namespace dalembert::campaign

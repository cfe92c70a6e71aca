#include <cmath>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using nlohmann::json;
using test::dalembert;
using test::Finished;
using testing::IsNotSubstring;
using testing::IsSubstring;

class CheckEvery : public testing::TestWithParam<std::string> {};

TEST_P(CheckEvery, ShippedModelPassesInEightyColumns) {
  const Finished run = dalembert("check " + GetParam());
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_EQ(run.messages, "");
  EXPECT_LE(test::widest_line(run.output), 80U) << run.output;
}

TEST_P(CheckEvery, ShippedModelPassesAsJson) {
  const Finished run = dalembert("check --json " + GetParam());
  ASSERT_EQ(run.status, 0) << run.messages;
  const json report = json::parse(run.output);
  EXPECT_NE(report["title"], "");
  EXPECT_NE(report["source"], "");
  // Models that show redundant constraints; the others give no cause for warnings.
  const std::set<std::string> redundant{"bricard", "door", "spatial_four_bar"};
  EXPECT_EQ(report["warnings"].empty(), !redundant.contains(GetParam())) << report["warnings"];
  for (const json& constraint : report["constraints"]) {
    if (constraint.contains("position_residual")) {
      EXPECT_LT(std::abs(constraint["position_residual"].get<double>()), 1e-14);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, CheckEvery, testing::ValuesIn(test::model_names()),
                         [](const auto& tested) { return tested.param; });

TEST(Check, TellsFreedomIndexSignAndMultipliers) {
  const Finished run = dalembert("check slider_crank");
  EXPECT_PRED_FORMAT2(IsSubstring, "degrees of freedom   1", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "index                3", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "M a = f - C^T lambda", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "consistent as given", run.output);
}

TEST(Check, ReportsWhatItChangedOfTheStart) {
  const Finished text = dalembert("check four_bar");
  EXPECT_PRED_FORMAT2(IsSubstring, "guesses and values that were not given follow", text.output);
  EXPECT_PRED_FORMAT2(IsNotSubstring, "were changed", text.output);  // nobody gave them
  const json report = json::parse(dalembert("check four_bar --json").output);
  ASSERT_EQ(report["start"]["changes"].size(), 2U);
  EXPECT_EQ(report["start"]["changes"][0]["name"], "theta2");
  EXPECT_EQ(report["start"]["changes"][0]["from"], 0.5);
  EXPECT_EQ(report["start"]["changes"][0]["to"], report["coordinates"][1]["position"]);
}

TEST(Check, TellsByHowMuchTheStartWasChangedHoweverLittle) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("circle.toml", R"toml([coordinates]
a_coordinate_with_a_very_long_name = { position = 0.6000000000001, guess = true }
y = 0.8
[energy]
kinetic = "a_coordinate_with_a_very_long_name'^2 + y'^2"
[constraints]
holonomic = { circle = "a_coordinate_with_a_very_long_name^2 + y^2 = 1" }
)toml");
  const Finished run = dalembert("check '" + file.string() + "'");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "(1 Newton iteration)", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "0.6            -> 0.6         by -1e-13\n", run.output);
  EXPECT_LE(test::widest_line(run.output), 80U) << run.output;
}

TEST(Check, NamesRedundantConstraintsAndStillPasses) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("twin.toml", R"toml([coordinates]
x = { position = 3 }
y = { position = 4 }
[energy]
kinetic = "x'^2 + y'^2"
[forces]
x = "-abs(x')"
[constraints.holonomic]
pin = "x = 3"
rod = "x^2 + y^2 = 25"
loop = "2*x^2 + 2*y^2 + x = 53"
)toml");
  const Finished text = dalembert("check '" + file.string() + "'");
  EXPECT_EQ(text.status, 0);
  EXPECT_PRED_FORMAT2(IsSubstring, "`loop` depends on `pin`, `rod`: redundant", text.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "'abs(x')' has a kink", text.output);
  const json report = json::parse(dalembert("check --json '" + file.string() + "'").output);
  EXPECT_EQ(report["structure"]["redundant"][0]["constraint"], "loop");
  EXPECT_EQ(report["structure"]["redundant"][0]["depends_on"], (json{"pin", "rod"}));
  EXPECT_EQ(report["structure"]["rank"], 2);
  EXPECT_EQ(report["structure"]["degrees_of_freedom"], 0);
}

TEST(Check, AnImpossibleStartNamesTheConstraintAndItsPlace) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("long.toml", R"toml([coordinates]
x = { position = 3, fixed = true }
y = { position = 1 }
[energy]
kinetic = "x'^2 + y'^2"
[constraints.holonomic]
rod = "x^2 + y^2 = 1"
)toml");
  const Finished run = dalembert("check '" + file.string() + "'");
  EXPECT_EQ(run.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "long.toml:7:", run.messages);
  EXPECT_PRED_FORMAT2(IsSubstring, "`rod` is off by 8", run.messages);
}

TEST(Check, MissingInertiaIsReportedWithTheRest) {
  const test::TemporaryFolder folder;
  const auto file = folder.write(
      "massless.toml", "[coordinates]\nx = {}\ny = {}\n[energy]\nkinetic = \"x'^2\"\npotential = \"y^2\"\n");
  const Finished run = dalembert("check '" + file.string() + "'");
  EXPECT_EQ(run.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, "coordinates          2", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "`y` has no inertia", run.messages);
  EXPECT_EQ(run.output.find(" \n"), std::string::npos) << run.output;
}

TEST(Check, AMethodThatIsNotThereIsNamedWithItsPlace) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("method.toml",
                                 "[coordinates]\nx = { position = 1 }\n[energy]\nkinetic = \"x'^2/2\"\n"
                                 "[solve]\nduration = 2\nmethod = \"rk5\"\n");
  for (const char* command : {"check '", "run '", "compare '"}) {
    const Finished run = dalembert(command + file.string() + "'");
    EXPECT_EQ(run.status, 1);
    EXPECT_PRED_FORMAT2(IsSubstring, "method.toml:7:11: error: there is no method 'rk5'; did you mean 'rk4'?",
                        run.messages);
  }
}

TEST(Check, KinematicModelsTellTheirResidualAndRank) {
  const json report = json::parse(dalembert("check ellipse --json --set x=2").output);
  EXPECT_EQ(report["kind"], "kinematic");
  EXPECT_EQ(report["structure"]["rank"], 1);
  EXPECT_EQ(report["constraints"][0]["position_residual"], 13.5);  // (9·4 − 9)/2
  EXPECT_EQ(report["warnings"].size(), 1U);
}

TEST(Check, RefusesAPenetratedContactAsARunDoes) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("low.toml", R"toml([coordinates]
x = 0
y = 0.5
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[[contact]]
name = "floor"
gap = "y - 1"
[solve]
duration = 1
)toml");
  const std::string model = "'" + file.string() + "'";
  const Finished check = dalembert("check " + model);
  EXPECT_EQ(check.status, 1);
  EXPECT_EQ(check.messages,
            file.string() + ":8:9: error: the contact 'floor' is penetrated at the start: its gap is -0.5\n");
  EXPECT_PRED_FORMAT2(IsSubstring, "degrees of freedom   2", check.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "gap is -0.5", dalembert("run -o none " + model).messages);
  EXPECT_EQ(dalembert("check " + model + " --set y=1").status, 0);
}

TEST(Check, WhatAModelLacksLeavesNoGaps) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("line.toml", R"toml(kind = "kinematic"
[coordinates]
x = 1
y = 0
[kinematics]
C = [[0, 1]]
)toml");
  const Finished run = dalembert("check '" + file.string() + "'");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_TRUE(run.output.starts_with("  kinematic system")) << run.output;
  EXPECT_TRUE(run.output.ends_with("0\n")) << run.output;
  EXPECT_TRUE(dalembert("equations '" + file.string() + "'").output.starts_with("  q' ="));
}

}  // namespace
}  // namespace dalembert

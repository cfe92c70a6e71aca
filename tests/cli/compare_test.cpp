#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace dalembert::test {
namespace {

using testing::IsSubstring;

TEST(CompareCommand, ShowsEveryMethodWithItsErrorsAndWhatRefuses) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "disk.json";
  const Finished run =
      dalembert("compare rolling_disk --duration 1 --tolerances 1e-6,1e-9 --steps 0.01 -o " + file);
  ASSERT_EQ(run.status, 0) << run.messages;
  const auto result = nlohmann::json::parse(read_file(file));
  EXPECT_EQ(result["reference"], "adomian with 30 digits");
  std::map<std::string, std::vector<nlohmann::json>> by_method;
  for (const auto& one : result["runs"]) by_method[one["method"]].push_back(one);
  for (const char* method : {"adomian", "rk4", "dop853", "bdf", "ndf", "generalized_alpha"}) {
    ASSERT_TRUE(by_method.contains(method)) << method;
    EXPECT_EQ(by_method[method][0]["outcome"], "finished");
    EXPECT_LT(by_method[method][0]["error_q"], 1e-3) << method;
    EXPECT_NE(run.output.find(method), std::string::npos);
  }
  ASSERT_EQ(by_method["bdf"].size(), 2U);
  EXPECT_LT(by_method["bdf"][1]["error_q"], 0.1 * by_method["bdf"][0]["error_q"].get<double>());
  EXPECT_EQ(by_method["bdf"][0]["drift"]["t"].size(), 101U);
  EXPECT_EQ(by_method["rattle"][0]["outcome"], "refused");
  EXPECT_NE(run.output.find("rattle: method 'rattle' keeps positions"), std::string::npos) << run.output;
}

TEST(CompareCommand, ReferenceHasMoreDigitsThanTheBestMethod) {
  // the exact solution of the two-link robot is sin t: what adomian in doubles is off by is its own round-off
  const TemporaryFolder folder;
  const std::string file = folder.path() / "robot.csv";
  const Finished run = dalembert("compare two_link_robot --methods adomian --tolerances 1e-15 -o " + file);
  ASSERT_EQ(run.status, 0) << run.messages;
  const std::string table = read_file(file);
  EXPECT_EQ(table.rfind("method,kind,setting,", 0), 0U);
  EXPECT_NE(table.find("\nadomian,tolerance,1e-15,finished,10,"), std::string::npos) << table;
}

TEST(CompareCommand, SaysHowAndWhenAMethodFails) {
  // a tolerance beyond doubles
  const Finished run = dalembert("compare slider_crank --duration 1 --methods bdf --tolerances 1e-17");
  ASSERT_EQ(run.status, 0) << run.messages;
  EXPECT_NE(run.output.find("* bdf 1e-17: stopped at t = "), std::string::npos) << run.output;
}

// x'' = 2 x³ from x = x' = 1: x = 1/(1 − t)
TEST(CompareCommand, OfAMotionThatEndsMeasuresErrorsUpToThere) {
  const TemporaryFolder folder;
  const auto file = folder.write("end.toml", R"toml([coordinates]
x = { position = 1, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "2*x^3"
)toml");
  const Finished run =
      dalembert("compare --duration 2 --methods adomian,dop853 --tolerances 1e-9 '" + file.string() + "'");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "the reference stopped at t = 0.99", run.messages);
  EXPECT_PRED_FORMAT2(IsSubstring, "* dop853 1e-09: stopped at t = ", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "* adomian 1e-09: stopped at t = ", run.output);
}

TEST(CompareCommand, TakesStepsWhereTheRungeKuttaMethodHasAConstantOne) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "pendulum.json";
  const Finished run = dalembert(
      "compare pendulum_cartesian --duration 1 --methods partition --runge-kutta rk4 --steps 0.02,0.01 -o " +
      file);
  ASSERT_EQ(run.status, 0) << run.messages;
  const auto runs = nlohmann::json::parse(read_file(file))["runs"];
  ASSERT_EQ(runs.size(), 2U);
  const double ratio = runs[0]["error_q"].get<double>() / runs[1]["error_q"].get<double>();
  EXPECT_GT(ratio, 10);  // order 4
  EXPECT_LT(ratio, 25);
}

TEST(CompareCommand, OptionsAreOfTheMethodsThatTakeThem) {
  const Finished run = dalembert(
      "compare pendulum_cartesian --duration 0.1 --methods euler,bdf --tolerances 1e-6 --steps 0.01 "
      "--index-form ggl");
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_EQ(run.output.find("bdf: method"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("euler: method"), std::string::npos) << run.output;
  const Finished idle = dalembert("compare pendulum_cartesian --methods euler,rk4 --index-form ggl");
  EXPECT_EQ(idle.status, 1);
  EXPECT_PRED_FORMAT2(IsSubstring,
                      "none of the compared methods has a use for --index-form; it is for bdf, ndf",
                      idle.messages);
}

TEST(CompareCommand, KinematicModelsAreComparedToo) {
  // on the ellipse x = cos 3t: the error of rk4 falls like the fourth power of its step
  const TemporaryFolder folder;
  const std::string file = folder.path() / "ellipse.json";
  const Finished run = dalembert(
      "compare ellipse --duration 2 --methods rk4,dop853,bdf --steps 0.02,0.01 --tolerances 1e-10 -o " +
      file);
  ASSERT_EQ(run.status, 0) << run.messages;
  const auto runs = nlohmann::json::parse(read_file(file))["runs"];
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_NEAR(std::log2(runs[0]["error_q"].get<double>() / runs[1]["error_q"].get<double>()), 4, 0.5);
  EXPECT_LT(runs[2]["error_q"], 1e-8);
  EXPECT_EQ(runs[3]["outcome"], "refused");
}

TEST(CompareCommand, RefusesAMisspeltMethodBeforeAnyWork) {
  const Finished run = dalembert("compare pendulum --methods bfd");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.messages.find("did you mean 'bdf'"), std::string::npos) << run.messages;
}

TEST(CompareCommand, WithoutATitleTheTimesComeFirst) {
  const TemporaryFolder folder;
  const auto file = folder.write("fall.toml", R"toml([coordinates]
x = { position = 0, velocity = 1 }
[energy]
kinetic = "x'^2/2"
potential = "x"
)toml");
  const Finished run = dalembert("compare --methods rk4 --duration 1 '" + file.string() + "'");
  EXPECT_EQ(run.output.rfind("t = 0 to 1; errors against", 0), 0U) << run.output;
}

TEST(CompareCommand, KinematicModelsHaveNoEnergyToCompare) {
  const Finished run = dalembert("compare ellipse --methods rk4 --duration 1");
  ASSERT_EQ(run.status, 0) << run.messages;
  const std::string row = run.output.substr(run.output.find("\nrk4"));
  EXPECT_EQ(row.substr(0, row.find('\n', 1)).substr(row.find('\n', 1) - 1), "-") << run.output;
}

TEST(CompareCommand, AnInterruptKeepsTheRunsThatAreThereAndMarksThemAsPartial) {
  const TemporaryFolder folder;
  const std::string csv = folder.path() / "x.csv";
  const std::string json = folder.path() / "x.json";
  // the first method takes milliseconds, the second one would take minutes
  const Finished run = run_command("(" + program +
                                   "compare pendulum --duration 1 --digits 0 --methods adomian,euler "
                                   "--tolerances 1e-8 --steps 1e-9 -o '" +
                                   csv + "' -o '" + json + "' & sleep 0.6; kill -INT $!; wait $!)");
  EXPECT_EQ(run.status, 2) << run.messages;
  EXPECT_PRED_FORMAT2(IsSubstring, "* euler 1e-09: stopped at t = ", run.output);
  const std::string table = read_file(csv);
  EXPECT_PRED_FORMAT2(IsSubstring, "\nadomian,tolerance,1e-08,finished,1,", table);
  EXPECT_PRED_FORMAT2(IsSubstring, "\n# partial: interrupted\n", table);
  EXPECT_PRED_FORMAT2(IsSubstring, "\"partial\": true", read_file(json));
}

}  // namespace
}  // namespace dalembert::test

// A user's runs: options by their names, numbers as arrays, files, comparisons, stability.
#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/base64.hpp>
#include <dalembert/session/compare.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/session/run_output.hpp>
#include <dalembert/session/stability.hpp>
#include <dalembert/session/summary.hpp>

#include "session/failure.hpp"
#include "temporary_folder.hpp"

namespace dalembert::session {
namespace {

using ::testing::IsSubstring;

// x = cos t, with its energy and an output
const std::string oscillator = R"toml(
[parameters]
k = 1
[coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
potential = "k*x^2/2"
[outputs]
double = "2*x"
[solve]
duration = 2
output_step = 0.5
)toml";

TEST(RunOfAModel, GivesItsColumnsAsArrays) {
  const Motion motion = run(load_text(oscillator));
  EXPECT_EQ(motion.report().outcome, Outcome::finished);
  ASSERT_EQ(motion.samples(), 5U);
  const std::vector<double> t = motion.column("t"), x = motion.column("x"), v = motion.column("x'"),
                            a = motion.column("x''"), twice = motion.column("double"),
                            energy = motion.column("energy");
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_DOUBLE_EQ(t[i], 0.5 * static_cast<double>(i));
    EXPECT_NEAR(x[i], std::cos(t[i]), 1e-14);
    EXPECT_NEAR(v[i], -std::sin(t[i]), 1e-14);
    EXPECT_NEAR(a[i], -std::cos(t[i]), 1e-14);
    EXPECT_NEAR(twice[i], 2 * x[i], 1e-15);
    EXPECT_NEAR(energy[i], 0.5, 1e-14);
  }
  EXPECT_PRED_FORMAT2(IsSubstring, "there is no column 'xx'",
                      failure([&] { motion.column("xx"); }).message());
}

TEST(RunOfAModel, GroupsStandSideBySide) {
  const Motion motion = run(load("pendulum_cartesian"), {give("duration", 0.1), give("output_step", 0.05)});
  const auto [first, count] = motion.group(ColumnGroup::q);
  ASSERT_EQ(count, 2U);
  EXPECT_EQ(motion.columns[first].name, "x");
  EXPECT_EQ(motion.columns[first + 1].name, "y");
  EXPECT_EQ(motion.at(2, first), motion.column("x").at(2));
  EXPECT_EQ(motion.group(ColumnGroup::lambda).second, 1U);
  EXPECT_EQ(motion.group(ColumnGroup::force).second, 2U);
  EXPECT_EQ(motion.group(ColumnGroup::view).second, 0U);
}

TEST(RunOfAModel, TakesOptionsByTheirNames) {
  const LoadedModel model = load_text(oscillator, {"k=4"});
  const Motion motion = run(model, {give("method", "rk4"), give("step", 0.001), give("duration", 1.0)});
  EXPECT_EQ(motion.report().method, "rk4");
  EXPECT_EQ(motion.report().steps, 1000U);
  EXPECT_NEAR(motion.column("x").back(), std::cos(2.0), 1e-10);
  EXPECT_EQ(motion.record.settings, std::vector<std::string>{"k=4"});
  EXPECT_EQ(failure([&] {
              run(model, {give("method", "rk4"), give("order", 5.0)});
            }).message(),
            "method 'rk4' has no use for order; it is for adomian, bdf, ndf");
  EXPECT_EQ(failure([&] { run(model, {give("tolerance", -1.0)}); }).message(),
            "tolerance must be positive, not -1");
  EXPECT_EQ(failure([&] { run(model, {give("method", "rk5")}); }).message(),
            "there is no method 'rk5'; did you mean 'rk4'?");
}

TEST(RunOfAModel, RepeatsItselfOnOneModel) {
  const LoadedModel model = load("slider_crank");
  const auto motion = [&](const char* method) {
    return run(model, {give("method", method), give("duration", 0.2)}).numbers;
  };
  const std::vector<double> first = motion("adomian");
  motion("bdf");
  EXPECT_EQ(motion("adomian"), first);
}

TEST(RunOfAModel, WithDigitsIsRoundedToDoubles) {
  const Motion motion = run(load_text(oscillator), {give("digits", 40.0), give("duration", 1.0)});
  EXPECT_EQ(motion.column("x").back(), std::cos(1.0));
  EXPECT_EQ(motion.column("double").back(), 2 * std::cos(1.0));
}

TEST(RunOfAModel, OfAKinematicModelHasPositionsAndResiduals) {
  const Motion motion = run(load("ellipse"), {give("duration", 1.0)});
  EXPECT_EQ(motion.report().outcome, Outcome::finished);
  EXPECT_EQ(motion.group(ColumnGroup::lambda).second, 0U);
  for (const double g : motion.column("g(ellipse)")) EXPECT_LT(std::abs(g), 1e-6);
}

TEST(RunOfAModel, OfAKinematicModelIsInDoubles) {
  const LoadedModel model = load("ellipse");
  SolveOptions options = options_of(*model.model());
  options.digits = 30;
  EXPECT_EQ(failure([&] { run(model, options); }).message(),
            "kinematic systems are computed in doubles only");
  EXPECT_EQ(failure([&] { run(model, {give("digits", 30.0)}); }).message(),
            "kinematic systems are computed in doubles only");
}

TEST(RunOfAModel, CanBeStreamedAndStopped) {
  const LoadedModel model = load_text(oscillator);
  int seen = 0;
  const RunReport report =
      run(model, options_of(*model.model()), {[&](const Sample<double>&) { return ++seen < 3; }, {}});
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_EQ(seen, 3);
}

TEST(RunOfAModel, IsWrittenToAFile) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "x.json";
  const Motion motion = run(load_text(oscillator));
  write(file, motion);
  const auto json = nlohmann::json::parse(std::ifstream(file));
  EXPECT_EQ(json.dump().find("\"x\"") != std::string::npos, true);
  write(folder.path() / "x.csv", motion);
  std::ifstream csv(folder.path() / "x.csv");
  std::string head;
  std::getline(csv, head);
  EXPECT_EQ(head.substr(0, 8), "t,x,x',x");
  EXPECT_PRED_FORMAT2(IsSubstring, ".csv",
                      failure([&] { write(folder.path() / "x.doc", motion); }).message());
}

TEST(RunOfAModel, MakesFilesPicturesAndAPage) {
  const test::TemporaryFolder folder;
  const auto name = [&](const char* file) { return (folder.path() / file).string(); };
  const LoadedModel model = load_text(oscillator);
  OutputOptions outputs;
  outputs.files = {name("x.csv"), "-"};
  outputs.columns = {"x", "double"};
  outputs.plots = {name("x.svg")};
  if (has_page()) outputs.report = name("x.html");
  std::string printed;
  outputs.standard_output = [&](std::string_view text) { printed += text; };
  const RunRecord record = run_to_files(model, options_of(*model.model()), outputs);
  EXPECT_EQ(record.report.outcome, Outcome::finished);
  EXPECT_EQ(printed.substr(0, 11), "t,x,double\n");
  for (const std::string& file : outputs.all())
    EXPECT_TRUE(file == "-" || std::filesystem::file_size(file) > 0) << file;
  outputs.files = {name("x.doc")};
  EXPECT_PRED_FORMAT2(IsSubstring, "x.doc",
                      failure([&] { run_to_files(model, options_of(*model.model()), outputs); }).message());
}

// The columns of `curves` of a page by their names; empty: it has none.
std::map<std::string, std::vector<double>> curves_of(const std::string& page) {
  std::ifstream file(page);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::string opening = "id=\"data\">";
  const std::size_t begin = text.find(opening) + opening.size();
  const auto data = nlohmann::json::parse(text.substr(begin, text.find("</script>", begin) - begin));
  std::map<std::string, std::vector<double>> columns;
  if (!data.contains("curves")) return columns;
  for (const auto& column : data["curves"]["columns"]) {
    if (!column.contains("data")) continue;
    const std::string bytes = from_base64(column["data"].get<std::string>());
    std::vector<double>& values = columns[column["name"]];
    values.resize(bytes.size() / sizeof(double));
    std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  return columns;
}

TEST(RunOfAModel, DrawsItsOwnMotionBetweenSamples) {
  if (!has_page()) GTEST_SKIP() << "this build carries no page";
  const test::TemporaryFolder folder;
  const LoadedModel model = load_text(oscillator);
  OutputOptions outputs;
  outputs.report = (folder.path() / "x.html").string();
  SolveOptions options = options_of(*model.model());
  run_to_files(model, options, outputs);
  const auto curves = curves_of(outputs.report);
  ASSERT_TRUE(curves.contains("double") && curves.contains("x"));
  const std::vector<double>& t = curves.at("t");
  EXPECT_GT(t.size(), 10U) << "five samples do not show a cosine";
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(curves.at("x")[i], std::cos(t[i]), 1e-12);
    EXPECT_NEAR(curves.at("double")[i], 2 * std::cos(t[i]), 1e-12);
  }
  EXPECT_FALSE(curves.contains("work") || curves.contains("g"));
  options.method = "rk4";  // has no series: the curves go through the ends and the middle of its steps
  options.step = 0.01;
  run_to_files(model, options, outputs);
  const auto others = curves_of(outputs.report);
  ASSERT_GT(others.at("t").size(), 10U);
  for (std::size_t i = 0; i < others.at("t").size(); ++i)
    EXPECT_NEAR(others.at("x")[i], std::cos(others.at("t")[i]), 1e-8);
}

TEST(RunOfAModel, IsSummedUp) {
  const Motion motion = run(load_text(oscillator));
  EXPECT_PRED_FORMAT2(IsSubstring, "finished at t = 2\n",
                      summary_text(motion.report(), *motion.record.model, {}, false));
}

TEST(ComparisonOfMethods, GivesErrorsAndTheirTable) {
  const LoadedModel model = load_text(oscillator);
  CompareOptions options = compare_options(model, {}, {"rk4", "adomian"});
  options.steps = {0.1, 0.05};
  options.tolerances = {1e-12};
  const ComparisonReport report = compare(model, options);
  ASSERT_EQ(report.compared.runs.size(), 3U);
  EXPECT_NEAR(std::log2(report.compared.runs[0].error_q / report.compared.runs[1].error_q), 4, 0.5);
  EXPECT_TRUE(report.compared.reference.confirmed);
  EXPECT_PRED_FORMAT2(IsSubstring, "adomian with 30 digits", to_text(report));
  EXPECT_EQ(nlohmann::json::parse(to_json(report)).at("runs").size(), 3U);
  EXPECT_PRED_FORMAT2(IsSubstring, "\nrk4,step,0.1,finished,2,", to_csv(report));
}

TEST(ComparisonOfMethods, RefusesOptionsThatNoneOfThemTakes) {
  const LoadedModel model = load_text(oscillator);
  const std::vector<GivenOption> given{give("rho", 0.5)};
  EXPECT_EQ(failure([&] { compare_options(model, given, {"rk4"}); }).message(),
            "none of the compared methods has a use for rho; it is for generalized_alpha");
  EXPECT_NO_THROW(compare_options(model, given, {"rk4", "generalized_alpha"}));
}

TEST(StabilityOfAModel, GivesGainsAndSteps) {
  const StabilityReport report =
      stability(load("ellipse"), {.box = {"x=-1.1:1.1", "y=-3.1:3.1"}, .epsilon = 0.01, .step = 0.001});
  EXPECT_TRUE(report.starts_inside);
  ASSERT_EQ(report.limits.front().method, "euler");
  EXPECT_NEAR(report.limits.front().limit, 2, 1e-9);  // |1 + z| <= 1
  EXPECT_NEAR(report.estimate.contraction.high, (0.99 - 1) / 0.001, 1e-12);
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json.at("box").at("x")[1], 1.1);
  EXPECT_EQ(json.at("limits").at("euler").at("limit"), report.limits.front().limit);
  EXPECT_PRED_FORMAT2(IsSubstring, "asked for      a = 0.99, epsilon = 0.01, step = 0.001", to_text(report));
}

TEST(StabilityOfAModel, IsOfKinematicModelsWithConstraints) {
  EXPECT_PRED_FORMAT2(IsSubstring, "kinematic models",
                      failure([] { stability(load("pendulum")); }).message());
  EXPECT_EQ(failure([] { stability(load("ellipse"), {.box = {"x=-1:1"}}); }).message(),
            "box says nothing of 'y'");
}

}  // namespace
}  // namespace dalembert::session

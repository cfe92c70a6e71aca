// A user's calls: a model from a file, a name or a text; what it is, its equations, its series.
#include <fstream>
#include <future>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/error.hpp>
#include <dalembert/session/check.hpp>
#include <dalembert/session/equations.hpp>
#include <dalembert/session/series.hpp>

#include "session/failure.hpp"
#include "temporary_folder.hpp"

namespace dalembert::session {
namespace {

using ::testing::IsSubstring;

const std::string particle = R"toml(title = "Falling"
[parameters]
g = 10
[coordinates]
y = 0
[energy]
kinetic = "y'^2/2"
potential = "g*y"
[solve]
duration = 1
)toml";

TEST(LoadedModel, ComesFromANameAFileOrAText) {
  EXPECT_EQ(load("pendulum").model()->title, "Pendulum by its angle");
  EXPECT_EQ(load_text(particle).model()->title, "Falling");
  const test::TemporaryFolder folder;
  const auto file = folder.write("falling.toml", particle);
  EXPECT_EQ(load(file.string()).model()->title, "Falling");
  EXPECT_EQ(load(file.string()).model()->file, file.string());
}

TEST(LoadedModel, TakesOtherParametersAndStartValues) {
  const auto start_of = [](const std::vector<std::string>& settings) {
    return check(load_text(particle, settings)).start;
  };
  EXPECT_DOUBLE_EQ(start_of({}).a.at(0), -10);
  EXPECT_DOUBLE_EQ(start_of({"g=1.6"}).a.at(0), -1.6);
  const Start thrown = start_of({"y=2", "y'=3*g"});
  EXPECT_DOUBLE_EQ(thrown.q.at(0), 2);
  EXPECT_DOUBLE_EQ(thrown.v.at(0), 30);
}

TEST(LoadedModel, DerivesAndCompilesOnceForAllItsCopies) {
  const LoadedModel model = load("slider_crank");
  const LoadedModel& copy = LoadedModel(model);
  EXPECT_EQ(&model.system(), &copy.system());
  EXPECT_EQ(&model.equations(), &copy.equations());
}

TEST(LoadedModel, SaysWhereAMistakeIs) {
  const Error error =
      failure([] { load_text("[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2 + yy\"\n", {}, "mine"); });
  EXPECT_EQ(error.where().file, "mine");
  EXPECT_EQ(error.where().line, 4);
  EXPECT_EQ(error.where().column, 19);
  EXPECT_PRED_FORMAT2(IsSubstring, "yy", error.message());
  EXPECT_PRED_FORMAT2(IsSubstring, "did you mean 'pendulum'", failure([] { load("pendulm"); }).message());
  EXPECT_PRED_FORMAT2(IsSubstring, "ll", failure([] { load("pendulum", {"ll=2"}); }).message());
  const Error method = failure([] { check(load_text(particle + "method = \"admian\"\n", {}, "mine")); });
  EXPECT_EQ(method.where().line, 11);
  EXPECT_PRED_FORMAT2(IsSubstring, "did you mean 'adomian'", method.message());
}

TEST(LoadedModel, TakesExpressionsAsFurtherColumns) {
  const LoadedModel model = load_with_columns(find_source("pendulum_cartesian"), {"hypot(x, y)", "x"});
  EXPECT_EQ(model.model()->outputs.back().name, "hypot(x, y)");
  EXPECT_PRED_FORMAT2(
      IsSubstring, "no column 'xx'",
      failure([] { load_with_columns(find_source("pendulum_cartesian"), {"xx"}); }).message());
}

TEST(LoadedModel, ChecksTheDimensionsOfExpressionsForColumns) {
  const ModelSource source{
      "[coordinates]\nx = 1\ny = 2\n[energy]\nkinetic = \"x'^2/2 + y'^2/2\"\n"
      "[units]\nx = \"m\"\ny = \"m\"\n",
      "",
      {},
      {}};
  const LoadedModel sum = load_with_columns(source, {"x + y"});
  EXPECT_EQ(sum.model()->warnings, load_with_columns(source, {"x"}).model()->warnings);
  const LoadedModel wrong = load_with_columns(source, {"x + y'"});
  ASSERT_FALSE(wrong.model()->warnings.empty());
  EXPECT_EQ(wrong.model()->warnings.back(),
            "units of column x + y': x is in m, but y' is in m/s: they cannot be added or compared");
}

TEST(Check, CountsFreedomRankAndRedundancy) {
  const CheckReport crank = check(load("slider_crank"));
  EXPECT_EQ(crank.degrees_of_freedom(), 1U);
  EXPECT_EQ(crank.structure.rank, 1U);
  EXPECT_TRUE(crank.structure.redundant.empty());
  EXPECT_EQ(crank.failure, "");
  EXPECT_EQ(check(load("bricard")).structure.redundant.size(), 1U);
  const CheckReport ellipse = check(load("ellipse"));
  ASSERT_TRUE(ellipse.kinematic.has_value());
  EXPECT_EQ(ellipse.degrees_of_freedom(), 1U);
}

TEST(Check, IsTextAndJson) {
  for (const char* name : {"slider_crank", "ellipse"}) {
    const CheckReport report = check(load(name));
    EXPECT_PRED_FORMAT2(IsSubstring, report.model.model()->title, to_text(report));
    EXPECT_EQ(nlohmann::json::parse(to_json(report)).at("title"), report.model.model()->title);
  }
}

TEST(EquationsOfAModel, AreTextLatexAndJson) {
  const EquationsPage page = equations(load_text(particle));
  EXPECT_PRED_FORMAT2(IsSubstring, "f(y) = -g\n", to_text(page));
  EXPECT_PRED_FORMAT2(IsSubstring, "\\begin{align*}", to_latex(page));
  EXPECT_EQ(nlohmann::json::parse(to_json(page)).at("blocks").at("f").at("entries")[0].at("text"), "-g");
  EXPECT_PRED_FORMAT2(IsSubstring, "f(y) = -10\n",
                      to_text(equations(load_text(particle), {.numbers = true})));
}

TEST(EquationsOfAModel, LeaveItsGraphAsItIs) {
  const LoadedModel model = load("four_bar");
  model.equations();
  const std::size_t nodes = model.model()->graph->size();
  equations(model, {.numbers = true});
  EXPECT_EQ(model.model()->graph->size(), nodes);
}

TEST(EquationsOfAModel, CanBeMadeWhileItIsCompiled) {
  const LoadedModel model = load("andrews");
  std::future<PageEquations> page = start_page_equations(model);
  EXPECT_EQ(check(model).failure, "");  // makes nodes of the model's graph
  const PageEquations alone = to_page_equations(equations(model, {.readable = true}));
  const PageEquations beside = page.get();
  ASSERT_EQ(beside.blocks.size(), alone.blocks.size());
  for (std::size_t i = 0; i < alone.blocks.size(); ++i)
    EXPECT_EQ(beside.blocks[i].latex, alone.blocks[i].latex);
}

TEST(SeriesOfAModel, HasCoefficientsAsText) {
  const SeriesReport exact = series(load_text(particle), {.order = 3, .exact = true});
  ASSERT_EQ(exact.table.variables.at(0).name, "y");
  EXPECT_EQ(exact.table.variables[0].coefficients, (std::vector<std::string>{"0", "0", "-5", "0"}));
  EXPECT_FALSE(exact.is_singular);
  EXPECT_PRED_FORMAT2(IsSubstring, "y\n  t^2   -5\n", to_text(exact));
  EXPECT_PRED_FORMAT2(IsSubstring, "y &= -5 t^{2}", to_latex(exact));
  EXPECT_EQ(nlohmann::json::parse(to_json(exact)).at("coefficients").at("y")[2], "-5");
}

TEST(SeriesOfAModel, RefusesOptionsThatMakeNoSense) {
  const LoadedModel model = load_text(particle);
  EXPECT_EQ(failure([&] { series(model, {.order = 0}); }).message(),
            "order must be between 1 and 2000, not 0");
  EXPECT_EQ(failure([&] { series(model, {.digits = 30, .exact = true}); }).message(),
            "exact and digits exclude each other");
}

TEST(CheckOfAModel, ShowsUnitsBehindItsNumbers) {
  const std::string text = to_text(check(load_text(R"toml(
[units]
system = "SI"
[parameters]
m = { value = 2, unit = "kg" }
[coordinates]
x = { position = 0.6, unit = "m" }
y = { position = -0.8, unit = "m" }
phi = { position = 0.5, velocity = 2, unit = "deg" }
[energy]
kinetic = "m*(x'^2 + y'^2)/2 + m*phi'^2/2"
potential = "m*y"
[constraints]
holonomic = { rod = "x^2 + y^2 - 1" }
)toml")));
  for (const char* row : {"t = 0 s", " 0.6 m ", " 0 m/s ", "0.5 rad ", " 2 rad/s ", " m²", " m²/s"})
    EXPECT_PRED_FORMAT2(IsSubstring, row, text);
}

}  // namespace
}  // namespace dalembert::session

#include <map>
#include <regex>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace dalembert {
namespace {

using nlohmann::json;
using test::dalembert;
using test::Finished;
using testing::IsSubstring;

class EquationsOfEvery : public testing::TestWithParam<std::string> {};

TEST_P(EquationsOfEvery, ShippedModelFitIntoEightyColumns) {
  const Finished run = dalembert("equations " + GetParam());
  EXPECT_EQ(run.status, 0) << run.messages;
  EXPECT_LE(test::widest_line(run.output), 80U) << run.output;
}

TEST_P(EquationsOfEvery, ShippedModelAreJson) {
  const Finished run = dalembert("equations --json --numbers " + GetParam());
  ASSERT_EQ(run.status, 0) << run.messages;
  EXPECT_FALSE(json::parse(run.output)["blocks"].empty());
}

// Environments, \left and \right, and braces close what they open.
std::string first_imbalance(const std::string& latex) {
  std::vector<std::string> open;
  const std::regex token(R"(\\begin\{([a-z*]+)\}|\\end\{([a-z*]+)\}|\\left\b|\\right\b|\\[{}]|\{|\})");
  for (std::sregex_iterator i(latex.begin(), latex.end(), token), end; i != end; ++i) {
    const std::string word = i->str();
    if (word == "\\{" || word == "\\}") continue;
    const bool closes = word.starts_with("\\end") || word == "\\right" || word == "}";
    const std::string kind = (*i)[1].matched              ? (*i)[1].str()
                             : (*i)[2].matched            ? (*i)[2].str()
                             : word == "{" || word == "}" ? "{"
                                                          : "\\left";
    if (!closes) {
      open.push_back(kind);
    } else if (open.empty() || open.back() != kind) {
      return word;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

TEST_P(EquationsOfEvery, ShippedModelAreBalancedLatex) {
  const Finished run = dalembert("equations --latex " + GetParam());
  ASSERT_EQ(run.status, 0) << run.messages;
  EXPECT_EQ(first_imbalance(run.output), "") << run.output;
  EXPECT_PRED_FORMAT2(IsSubstring, "\\begin{align*}", run.output);
}

INSTANTIATE_TEST_SUITE_P(Models, EquationsOfEvery, testing::ValuesIn(test::model_names()),
                         [](const auto& tested) { return tested.param; });

TEST(EquationsLatex, CompilesWherePdflatexIsInstalled) {
  if (test::run_command("command -v pdflatex").status != 0) GTEST_SKIP() << "no pdflatex";
  std::string document = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n";
  for (const std::string& name : test::model_names())
    document += dalembert("equations --latex " + name).output;
  const test::TemporaryFolder folder;
  const auto file = folder.write("equations.tex", document + "\\end{document}\n");
  const Finished run =
      test::run_command("cd '" + folder.path().string() +
                        "' && pdflatex -interaction=nonstopmode -halt-on-error equations.tex");
  EXPECT_EQ(run.status, 0) << run.output.substr(run.output.size() > 2000 ? run.output.size() - 2000 : 0);
}

TEST(EquationsText, ReadsLikeATextbook) {
  const Finished run = dalembert("equations double_pendulum");
  EXPECT_PRED_FORMAT2(IsSubstring, "M(theta1, theta1) = l1^2*(m1 + m2)\n", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "M(theta1, theta2) = m2*l1*l2*cos(theta1 - theta2)\n", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "M a = f\n", run.output);
}

TEST(EquationsText, HasGammaAndTheSignOfLambda) {
  const Finished run = dalembert("equations slider_crank");
  EXPECT_PRED_FORMAT2(IsSubstring, "M a = f - C^T lambda", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring,
                      "gamma(slider_on_axis) = l1*theta1'^2*sin(theta1) - l2*theta2'^2*sin(theta2)\n",
                      run.output);
}

TEST(EquationsText, NumbersReplaceParametersByTheirExactValues) {
  const Finished run = dalembert("equations pendulum --numbers --set g=9.81 --set l=1/3");
  EXPECT_PRED_FORMAT2(IsSubstring, "M(theta, theta) = 1/9\n", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "f(theta) = -3.27*sin(theta)\n", run.output);
}

TEST(EquationsLatex, ShowsTheMassMatrixOfTheSliderCrank) {
  const Finished run = dalembert("equations slider_crank --latex");
  EXPECT_PRED_FORMAT2(IsSubstring, "M &= \\begin{pmatrix}", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "\\cos\\left(\\theta_1 + \\theta_2\\right)", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "\\lambda_{\\mathrm{slider\\_on\\_axis}}", run.output);
}

TEST(EquationsText, KinematicModelsShowTheirOwnEquation) {
  const Finished run = dalembert("equations ellipse");
  EXPECT_PRED_FORMAT2(IsSubstring, "q' = c [f_q C] + f_q^+ (K f - f_t)", run.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "f_q(ellipse, x) = 9*x\n", run.output);
}

}  // namespace
}  // namespace dalembert

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>

#include "expr/random_expression.hpp"

namespace dalembert {
namespace {

using Cases = std::vector<std::pair<std::string, std::string>>;

void expect_latex(const Cases& cases) {
  Graph graph;
  for (const char* name : {"m", "m1", "m2", "g", "l", "l1", "l2", "x", "y", "z", "theta1", "theta2"}) {
    graph.symbol(name);
  }
  for (const auto& [input, expected] : cases) EXPECT_EQ(to_latex(parse(graph, input)), expected) << input;
}

TEST(ToLatex, WritesMechanicsLikeATextbook) {
  expect_latex({
      {"m*x'^2/2", R"(\frac{1}{2} m \dot x^{2})"},
      {"-l1*sin(theta1)", R"(-l_1 \sin\theta_1)"},
      {"-m*g*l*cos(theta1)", R"(-m g l \cos\theta_1)"},
      {"m2*l1*l2*cos(theta1-theta2)*theta1'*theta2'",
       R"(m_2 l_1 l_2 \dot\theta_1 \dot\theta_2 \cos\left(\theta_1 - \theta_2\right))"},
      {"(m1+m2)*l1^2*theta1''", R"(l_1^{2} \ddot\theta_1 \left(m_1 + m_2\right))"},
      {"x^2 + y^2 - l^2", R"(x^{2} + y^{2} - l^{2})"},
      {"sin(theta1)^2", R"(\sin^{2}\theta_1)"},
      {"sin(theta1 + theta2)^2", R"(\sin^{2}\left(\theta_1 + \theta_2\right))"},
      {"sin(2*theta1)", R"(\sin 2 \theta_1)"},
      {"sin(2*theta1*x)", R"(\sin\left(2 x \theta_1\right))"},
      {"2*x*lambda(pin)", R"(2 x \lambda_{\mathrm{pin}})"},
      {"sign(x')*9.81*m", R"(9.81 m \operatorname{sign}\dot x)"},
  });
}

TEST(ToLatex, WritesFractionsAndRoots) {
  expect_latex({
      {"1/2", R"(\frac{1}{2})"},
      {"-3/4", R"(-\frac{3}{4})"},
      {"x/(y*z)", R"(\frac{x}{y z})"},
      {"3*x/(2*y)", R"(\frac{3 x}{2 y})"},
      {"(x+y)/(x-y)", R"(\frac{x + y}{x - y})"},
      {"(x+y)*z/(x-y)", R"(\frac{z \left(x + y\right)}{x - y})"},
      {"-1/x", R"(-\frac{1}{x})"},
      {"sqrt(x)", R"(\sqrt{x})"},
      {"1/sqrt(1+x^2)", R"(\frac{1}{\sqrt{x^{2} + 1}})"},
      {"x^(1/3)", R"(\sqrt[3]{x})"},
      {"x^(3/2)", R"(x^{3/2})"},
      {"x^(-3/2)", R"(\frac{1}{x^{3/2}})"},
      {"sqrt(x)^3", R"(\sqrt{x}^{3})"},
      {"x^0.1", R"(x^{0.1})"},
  });
}

TEST(ToLatex, ParenthesizesWhatNeedsItAndNothingElse) {
  expect_latex({
      {"(x+y)^2", R"(\left(x + y\right)^{2})"},
      {"(x/y)^z", R"(\left(\frac{x}{y}\right)^{z})"},
      {"x^(y+1)", R"(x^{y + 1})"},
      {"x^y^z", R"(x^{y^{z}})"},
      {"(x^y)^z", R"(\left(x^{y}\right)^{z})"},
      {"(-2)^x", R"(\left(-2\right)^{x})"},
      {"3*2^x*m", R"(3 \cdot 2^{x} m)"},
      {"x - (a+b+c+d+e)", R"(x - \left(a + b + c + d + e\right))"},
      {"x + (a+b+c+d+e)", R"(x + a + b + c + d + e)"},
      {"x + (1-a-b-c-d-e)", R"(x + 1 - a - b - c - d - e)"},
      {"x + (-a-b-c-d-e)", R"(x + \left(-a - b - c - d - e\right))"},
      {"2*(a+b+c+d+e)", R"(2 \left(a + b + c + d + e\right))"},
      {"sin(x)^y", R"(\left(\sin x\right)^{y})"},
      {"x''''^2", R"(\left(x^{(4)}\right)^{2})"},
  });
}

TEST(ToLatex, NamesFunctionsAndConstants) {
  expect_latex({
      {"pi*x", R"(\pi x)"},
      {"sin(pi*x)", R"(\sin\left(\pi x\right))"},
      {"asin(x)+acos(x)+atan(x)", R"(\arcsin x + \arccos x + \arctan x)"},
      {"atan2(y, x)", R"(\operatorname{atan2}\left(y, x\right))"},
      {"log(x)*sinh(2)", R"(\ln x \sinh 2)"},
      {"erf(x)^2*erf(x/2)", R"(\operatorname{erf}^{2}x \operatorname{erf}\left(\frac{1}{2} x\right))"},
      {"exp(-x)", R"(\mathrm{e}^{-x})"},
      {"x*exp(1)", R"(x \mathrm{e})"},
      {"exp(x)^2", R"(\left(\mathrm{e}^{x}\right)^{2})"},
      {"abs(x-y)", R"(\left|x - y\right|)"},
      {"abs(x)^3", R"(\left|x\right|^{3})"},
      {"min(x, y)^2 + max(x, 0)", R"(\left(\min\left(x, y\right)\right)^{2} + \max\left(x, 0\right))"},
      {"6.674e-11*m", R"(6.674 \cdot 10^{-11} m)"},
      {"1e9*m", R"(10^{9} m)"},
      {"torque*m*gravity", R"(m \, \mathrm{torque} \, \mathrm{gravity})"},
  });
}

TEST(LatexName, SplitsLettersIndicesAndPrimes) {
  const Cases cases{
      {"x", "x"},
      {"theta", R"(\theta)"},
      {"theta1", R"(\theta_1)"},
      {"theta1'", R"(\dot\theta_1)"},
      {"x''", R"(\ddot x)"},
      {"x'''", R"(\dddot x)"},
      {"x1''''", R"(x_1^{(4)})"},
      {"l12", "l_{12}"},
      {"x_1", "x_1"},
      {"x_slider", R"(x_{\mathrm{slider}})"},
      {"x_slider'", R"(\dot x_{\mathrm{slider}})"},
      {"x_slider_tip", R"(x_{\mathrm{slider,tip}})"},
      {"k_theta", R"(k_{\theta})"},
      {"F_x", "F_x"},
      {"F_x2", "F_{x2}"},
      {"theta1_max", R"(\theta_{1,\mathrm{max}})"},
      {"torque", R"(\mathrm{torque})"},
      {"torque'", R"(\dot{\mathrm{torque}})"},
      {"Omega", R"(\Omega)"},
      {"Alpha", R"(\mathrm{Alpha})"},
      {"_x", R"(\mathrm{\_x})"},
      {"x_", R"(\mathrm{x\_})"},
      {"lambda(pin)", R"(\lambda_{\mathrm{pin}})"},
      {"lambda(g1)", R"(\lambda_{g_1})"},
      {"lambda(slider_on_axis)", R"(\lambda_{\mathrm{slider\_on\_axis}})"},
      {"50% {a}", R"(\mathrm{50\% \{a\}})"},
  };
  for (const auto& [name, expected] : cases) EXPECT_EQ(latex_name(name), expected) << name;
}

// What a reader of the source sees first when a piece was forgotten.
TEST(ToLatex, ClosesEveryBraceAndDelimiter) {
  const auto count = [](const std::string& text, const std::string& word) {
    int found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  Graph graph;
  RandomExpressions expressions(graph, 7);
  for (int i = 0; i < 1000; ++i) {
    const Expr e = expressions.next();
    if (text_excerpt(e, 5000).size() > 5000) continue;
    const std::string latex = to_latex(e);
    EXPECT_EQ(count(latex, "{"), count(latex, "}"));
    EXPECT_EQ(count(latex, "\\left"), count(latex, "\\right"));
    EXPECT_EQ(count(latex, "+ -"), 0) << latex;
  }
}

}  // namespace
}  // namespace dalembert

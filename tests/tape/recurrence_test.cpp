// The recurrences against the definition of Adomian polynomials, against Duan's recurrence on symbols and
// against finite differences. Numbers of equations are those of [benhammouda2022].
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/substitute.hpp>

#include "tape/expansion.hpp"
#include "tape/function_cases.hpp"

namespace dalembert {
namespace {

constexpr int order = 20;

Real power_of_ten(int exponent) { return pow(Real(10), exponent); }

void expect_close(const Real& actual, const Real& expected, int digits, const std::string& what) {
  const Real scale = abs(expected) > 1 ? Real(abs(expected)) : Real(1);
  EXPECT_LE(Real(abs(actual - expected)), Real(scale * power_of_ten(-digits)))
      << what << ": " << actual.str(30) << " instead of " << expected.str(30);
}

class Recurrence : public testing::TestWithParam<FunctionCase> {
 protected:
  Recurrence() {
    e_ = GetParam().make(x_, y_, c_);
    arguments_.polynomials.push_back({x_, random_polynomial(GetParam().x0, order, 1)});
    if (GetParam().y0) arguments_.polynomials.push_back({y_, random_polynomial(*GetParam().y0, order, 2)});
    if (GetParam().c) arguments_.parameters.emplace_back(c_, *GetParam().c);
  }

  Expr coefficient_symbol(std::size_t variable, std::size_t i) {
    return graph_.symbol(std::string(variable == 0 ? "u" : "w") + std::to_string(i));
  }

  // Values of the symbols u0, u1, ..., w0, w1, ... and of the parameter.
  std::unordered_map<NodeId, Real> coefficient_values() {
    auto values = parameter_values<Real>(arguments_);
    for (std::size_t variable = 0; variable < arguments_.polynomials.size(); ++variable) {
      for (std::size_t i = 0; i <= order; ++i) {
        values.emplace(coefficient_symbol(variable, i).id(),
                       ScalarMath<Real>::from(arguments_.polynomials[variable].coefficients[i]));
      }
    }
    return values;
  }

  // N with each variable replaced by `make` of its number.
  template <class Make>
  Expr with_variables(const Make& make) {
    std::unordered_map<NodeId, Expr> replaced;
    for (std::size_t variable = 0; variable < arguments_.polynomials.size(); ++variable) {
      replaced.emplace(arguments_.polynomials[variable].symbol.id(), make(variable));
    }
    return substitute(e_, replaced);
  }

  DigitsScope digits_{100};
  Graph graph_;
  Expr x_ = graph_.symbol("x");
  Expr y_ = graph_.symbol("y");
  Expr c_ = graph_.symbol("c");
  Expr e_;
  Arguments arguments_;
};

// N^(n) = (1/n!) dⁿ/dλⁿ N(Σ λ^i u_i) at λ = 0
TEST_P(Recurrence, AgreesWithTheDefinition17) {
  const Expr lambda = graph_.symbol("lambda");
  Expr derived = with_variables([&](std::size_t variable) {
    Expr sum = coefficient_symbol(variable, 0);
    for (std::size_t i = 1; i <= 4; ++i)
      sum = sum + coefficient_symbol(variable, i) * pow(lambda, static_cast<long>(i));
    return sum;
  });
  const std::vector<Real> series = expand<Real>(e_, arguments_, 4);
  Real factorial = 1;
  for (int n = 0; n <= 4; ++n) {
    if (n > 0) {
      derived = derivative(derived, lambda);
      factorial *= n;
    }
    const Expr at_zero = substitute(derived, {{lambda.id(), graph_.number(0)}});
    expect_close(series[static_cast<std::size_t>(n)],
                 Real(evaluate<Real>(at_zero, coefficient_values()) / factorial), 90,
                 "order " + std::to_string(n));
  }
}

class RecurrenceOfOneVariable : public Recurrence {};

TEST_P(RecurrenceOfOneVariable, AgreesWithThePrintedPolynomials18) {
  std::vector<Real> d;  // N, N', N'', ... at u0
  const Real u0 = ScalarMath<Real>::from(GetParam().x0);
  Expr derived = e_;
  auto values = parameter_values<Real>(arguments_);
  values.emplace(x_.id(), u0);
  for (int n = 0; n <= 4; ++n) {
    d.push_back(evaluate<Real>(derived, values));
    derived = derivative(derived, x_);
  }
  std::vector<Real> u;
  for (const Rational& coefficient : arguments_.polynomials[0].coefficients)
    u.push_back(ScalarMath<Real>::from(coefficient));

  const std::vector<Real> series = expand<Real>(e_, arguments_, 4);
  expect_close(series[0], d[0], 90, "N0");
  expect_close(series[1], u[1] * d[1], 90, "N1");
  expect_close(series[2], u[2] * d[1] + u[1] * u[1] / 2 * d[2], 90, "N2");
  expect_close(series[3], u[3] * d[1] + u[1] * u[2] * d[2] + u[1] * u[1] * u[1] / 6 * d[3], 90, "N3");
  expect_close(series[4],
               u[4] * d[1] + (u[2] * u[2] / 2 + u[1] * u[3]) * d[2] + u[1] * u[1] * u[2] / 2 * d[3] +
                   u[1] * u[1] * u[1] * u[1] / 24 * d[4],
               90, "N4");
}

// N^(n) = (1/n) Σ_k Σ_{i<n} (i+1) v_k^(i+1) ∂N^(n−1−i)/∂v_k^(0)
TEST_P(Recurrence, AgreesWithDuansRecurrence19) {
  constexpr std::size_t last = 6;
  std::vector<Expr> polynomials{
      with_variables([&](std::size_t variable) { return coefficient_symbol(variable, 0); })};
  for (std::size_t n = 1; n <= last; ++n) {
    std::vector<Term> terms;
    for (std::size_t variable = 0; variable < arguments_.polynomials.size(); ++variable) {
      for (std::size_t i = 0; i < n; ++i) {
        terms.push_back({fraction(static_cast<long>(i + 1), static_cast<long>(n)),
                         coefficient_symbol(variable, i + 1) *
                             derivative(polynomials[n - 1 - i], coefficient_symbol(variable, 0))});
      }
    }
    polynomials.push_back(graph_.sum(terms));
  }
  const std::vector<Real> series = expand<Real>(e_, arguments_, last);
  for (std::size_t n = 0; n <= last; ++n) {
    expect_close(series[n], evaluate<Real>(polynomials[n], coefficient_values()), 90,
                 "order " + std::to_string(n));
  }
}

// Coefficients of the polynomial through (node, value): divided differences, then Newton's form expanded.
std::vector<Real> interpolate(const std::vector<Real>& nodes, std::vector<Real> values) {
  const std::size_t count = nodes.size();
  for (std::size_t level = 1; level < count; ++level) {
    for (std::size_t i = count - 1; i >= level; --i)
      values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - level]);
  }
  std::vector<Real> coefficients(count, Real(0));
  for (std::size_t i = count; i-- > 0;) {  // p ← (τ − node_i) p + value_i
    for (std::size_t j = count - 1; j > 0; --j)
      coefficients[j] = coefficients[j - 1] - nodes[i] * coefficients[j];
    coefficients[0] = values[i] - nodes[i] * coefficients[0];
  }
  return coefficients;
}

// 41 nodes h = 1e-9 apart. The interpolant of degree 40 misses coefficient 20 by f_41 C(41, 21) (20 h)^21 at
// most, f_41 times 1e-150; rounding at 600 digits leaves 1e-600/h^40 = 1e-240.
TEST_P(Recurrence, AgreesWithFiniteDifferencesToOrder20) {
  const DigitsScope digits(600);
  std::vector<Real> nodes;
  std::vector<Real> values;
  for (int j = -order; j <= order; ++j) {
    nodes.push_back(j * power_of_ten(-9));
    values.push_back(evaluate_at(e_, arguments_, nodes.back()));
  }
  const std::vector<Real> expected = interpolate(nodes, values);
  const std::vector<Real> series = expand<Real>(e_, arguments_, order);
  for (std::size_t k = 0; k <= order; ++k)
    expect_close(series[k], expected[k], 90, "order " + std::to_string(k));
}

std::vector<FunctionCase> of_one_variable() {
  std::vector<FunctionCase> cases = function_cases();
  std::erase_if(cases, [](const FunctionCase& f) { return f.y0.has_value(); });
  return cases;
}

const auto name_of_case = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(EveryFunction, Recurrence, testing::ValuesIn(function_cases()), name_of_case);
INSTANTIATE_TEST_SUITE_P(EveryFunction, RecurrenceOfOneVariable, testing::ValuesIn(of_one_variable()),
                         name_of_case);

}  // namespace
}  // namespace dalembert

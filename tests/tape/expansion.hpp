// Expands expressions in series, and the polynomials that tests put into them.
#pragma once

#include <cstddef>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/graph.hpp>
#include <dalembert/tape/program.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

inline Rational fraction(long above, long below) { return Rational(Integer(above), Integer(below)); }

/// What the symbols of an expression are: polynomials of τ, or parameters.
struct Arguments {
  struct Polynomial {
    Expr symbol;
    std::vector<Rational> coefficients;  // by order; the missing ones are zero
  };
  std::vector<Polynomial> polynomials;
  std::vector<std::pair<Expr, Rational>> parameters;
};

/// A polynomial with the given value at τ = 0 and other coefficients of hundredths between −1 and 1, none 0.
inline std::vector<Rational> random_polynomial(const Rational& at_zero, int degree, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Rational> coefficients{at_zero};
  for (int k = 1; k <= degree; ++k) {
    const auto hundredths = static_cast<long>(random() % 100) + 1;
    coefficients.push_back(fraction(random() % 2 == 0 ? hundredths : -hundredths, 100));
  }
  return coefficients;
}

template <class S>
S value_at(const std::vector<Rational>& coefficients, const S& tau) {
  S sum = ScalarMath<S>::from(0);
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c)
    sum = sum * tau + ScalarMath<S>::from(*c);
  return sum;
}

template <class S>
std::unordered_map<NodeId, S> parameter_values(const Arguments& arguments) {
  std::unordered_map<NodeId, S> values;
  for (const auto& [symbol, value] : arguments.parameters)
    values.emplace(symbol.id(), ScalarMath<S>::from(value));
  return values;
}

/// The value of `e` at τ, by plain evaluation.
template <class S>
S evaluate_at(Expr e, const Arguments& arguments, const S& tau) {
  std::unordered_map<NodeId, S> values = parameter_values<S>(arguments);
  for (const auto& [symbol, coefficients] : arguments.polynomials)
    values.emplace(symbol.id(), value_at(coefficients, tau));
  return evaluate<S>(e, values);
}

inline Program compile(const std::vector<Expr>& outputs, const Arguments& arguments) {
  std::vector<ProgramInput> inputs;
  for (const auto& polynomial : arguments.polynomials) inputs.push_back({polynomial.symbol, Stage::position});
  for (const auto& parameter : arguments.parameters) inputs.push_back({parameter.first, Stage::constant});
  return compile(std::span<const Expr>(outputs), std::span<const ProgramInput>(inputs));
}

/// Coefficients 0 .. order of the program's outputs, [output][order].
template <class S>
std::vector<std::vector<S>> expand(const Program& program, const Arguments& arguments, int order) {
  Series<S> series(program, evaluate_constants<S>(program, parameter_values<S>(arguments)), order);
  std::vector<std::vector<S>> results(program.outputs.size());
  for (int k = 0; k <= order; ++k) {
    const auto index = static_cast<std::size_t>(k);
    for (std::size_t i = 0; i < arguments.polynomials.size(); ++i) {
      const std::vector<Rational>& coefficients = arguments.polynomials[i].coefficients;
      const Rational coefficient = index < coefficients.size() ? coefficients[index] : Rational(0);
      series.set(program.inputs[i], k, ScalarMath<S>::from(coefficient));
    }
    series.run(Stage::position, k);
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i].push_back(series.output(program.outputs[i], k));
  }
  return results;
}

template <class S>
std::vector<S> expand(Expr e, const Arguments& arguments, int order) {
  const Program program = compile(std::vector<Expr>{e}, arguments);
  return expand<S>(program, arguments, order)[0];
}

}  // namespace dalembert

#include "identity.hpp"

#include <cstddef>
#include <random>
#include <unordered_map>
#include <vector>

#include <mpfr.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/substitute.hpp>

namespace dalembert {
namespace {

// holds() compares to 1e-30: half of the digits are for cancellation on the way. Chosen, not measured.
constexpr unsigned digits = 60;
// enough for three with values where a quarter of the neighbourhood has some; chosen, not measured
constexpr int tried_points = 12;
constexpr int needed_points = 3;  // where both sides have a value

// Sets the precision of Real, and its range of exponents, for a while. A narrow range turns exp(exp(20)) into
// infinity; in MPFR's own the sine of such a number needs as many digits of pi as the number has.
class Arithmetic {
 public:
  Arithmetic() : smallest_(mpfr_get_emin()), largest_(mpfr_get_emax()) {
    mpfr_set_emin(-largest_exponent);
    mpfr_set_emax(largest_exponent);
  }
  ~Arithmetic() {
    mpfr_set_emin(smallest_);
    mpfr_set_emax(largest_);
  }
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;

 private:
  // 2^20000: no physical quantity, and a sine of it takes 20,000 bits of π
  static constexpr long largest_exponent = 20000;
  DigitsScope precision_{digits};
  mpfr_exp_t smallest_;
  mpfr_exp_t largest_;
};

}  // namespace

// Positions near the start, where the model is meant to have values; velocities anywhere.
void Identity::make_points() {
  Point parameters;
  for (const Parameter& parameter : model_.parameters) {
    parameters[parameter.symbol.id()] = evaluate<Real>(parameter.value, parameters);
  }
  std::mt19937 random(1);
  const auto between = [&random](double low, double high) {
    return Real(std::uniform_real_distribution<double>(low, high)(random));
  };
  points_.assign(tried_points, parameters);
  for (Point& point : points_) {
    for (const Coordinate& coordinate : model_.coordinates) {
      const Real start = evaluate<Real>(coordinate.position, parameters);
      point[coordinate.q.id()] = start * between(0.9, 1.1) + between(-0.1, 0.1);
      point[coordinate.v.id()] = between(-1, 1);
    }
    for (const Input& input : model_.inputs)
      for (const Expr& symbol : input.derivatives) point[symbol.id()] = between(-1, 1);
    point[model_.time.id()] = between(0, 1);
  }
}

bool Identity::holds(Expr a, Expr b) {
  if (a == b) return true;
  const Arithmetic arithmetic;
  if (points_.empty()) make_points();
  int agreed = 0;
  for (const Point& point : points_) {
    const Real left = evaluate<Real>(a, point);
    const Real right = evaluate<Real>(b, point);
    if (!isfinite(left) || !isfinite(right)) continue;
    if (abs(left - right) > Real(1e-30) * (abs(left) + abs(right))) return false;
    if (++agreed == needed_points) return true;
  }
  return false;
}

Expr linear_in_velocities(Expr residual, const ModelData& model) {
  std::vector<Expr> velocities;
  std::unordered_map<NodeId, Expr> at_rest;
  for (const Coordinate& coordinate : model.coordinates) {
    velocities.push_back(coordinate.v);
    at_rest[coordinate.v.id()] = model.graph->number(0);
  }
  const auto row = gradient(residual, SymbolIndex(velocities));
  std::vector<Expr> parts;
  for (const auto& [i, slope] : row) parts.push_back(slope);
  bool slopes_move = false;
  for (const Expr& symbol : symbols_in(parts)) slopes_move |= at_rest.contains(symbol.id());
  if (!slopes_move) return residual;

  // What is written as nonlinear may still cancel: compare with its linear part at v = 0.
  parts.push_back(residual);
  try {
    const std::vector<Expr> at_zero = substitute(parts, at_rest);
    Expr linear = at_zero.back();
    for (std::size_t k = 0; k < row.size(); ++k) linear = linear + at_zero[k] * velocities[row[k].first];
    return Identity(model).holds(linear, residual) ? linear : Expr();
  } catch (const Error&) {  // there is no value at v = 0
    return {};
  }
}

}  // namespace dalembert

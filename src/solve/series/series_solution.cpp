#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/stop.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/solve/series_solution.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/expansion.hpp>

#include "switches/start_branches.hpp"

namespace dalembert {
namespace {

std::string text_of(const Rational& x, int) { return x.str(); }
std::string text_of(double x, int) { return x == 0 ? "0" : shortest(x); }
std::string text_of(const Real& x, int digits) { return x == 0 ? "0" : x.str(digits); }

template <class S>
SeriesTable make_table(const System& system, const Expansion<S>& expansion, int order, int digits) {
  SeriesTable table;
  table.order = order;
  const auto add = [&](const std::string& name, int last, const auto& coefficient) {
    SeriesVariable variable{name, {}};
    for (int k = 0; k <= last; ++k) {
      stop_unless(asked_to_go_on());
      variable.coefficients.push_back(text_of(coefficient(k), digits));
    }
    table.variables.push_back(std::move(variable));
  };
  for (std::size_t i = 0; i < system.n(); ++i) {
    add(system.coordinate_name(i), order, [&](int k) { return expansion.q(k)[i]; });
  }
  for (std::size_t i = 0; i < system.n(); ++i) {
    add(system.coordinate_name(i) + "'", order - 1, [&](int k) { return expansion.v(k)[i]; });
  }
  for (std::size_t j = 0; j < system.m(); ++j) {
    add("lambda(" + system.constraint_name(j) + ")", order - 2,
        [&](int k) { return expansion.lambda(k)[j]; });
  }
  return table;
}

// The recursion through a_{order − 2}: q through `order`. Returns the calls on whose switches it starts.
template <class S>
std::vector<std::string> expand_from(const System& system, Expansion<S>& expansion, const S& t,
                                     std::span<const S> q, std::span<const S> v, int order) {
  const int last = std::max(order - 1, 1);
  StartBranches<S> sides(system, last);
  sides.find(expansion, t, [&] {
    expansion.set_position(t, q);
    expansion.set_velocity(v);
    if (!expansion.factor()) {
      throw Error("the matrix [M C^T; C 0] is singular at the start: see 'dalembert check'");
    }
    expansion.expand(last);
  });
  return sides.calls();
}

// Newton's iteration onto the constraints in S from a start that is consistent in doubles.
template <class S>
void refine(Expansion<S>& expansion, const S& t, std::vector<S>& q, std::vector<S>& v) {
  const std::size_t n = q.size();
  const std::size_t rows = expansion.active_count();
  std::vector<S> residual(rows);
  std::vector<S> rhs(n + rows);
  const auto correct = [&](std::vector<S>& x) {
    std::fill(rhs.begin(), rhs.end(), S(0));
    for (std::size_t row = 0; row < rows; ++row) rhs[n + row] = -residual[row];
    expansion.solve(rhs);
    for (std::size_t i = 0; i < n; ++i) x[i] += rhs[i];
  };
  // starts are right to 16 digits, and each round doubles them where the matrix follows: 4096 after eight
  constexpr int enough = 8;
  for (int iteration = 0; iteration < enough && rows > 0; ++iteration) {
    expansion.set_position(t, q);
    expansion.set_velocity(v);
    if (!expansion.factor()) return;
    expansion.eval_position_residual(residual);
    correct(q);
    expansion.set_position(t, q);
    expansion.eval_velocity_residual(residual);
    correct(v);
  }
}

template <class S>
SeriesTable expand_refined(const System& system, const Problem& problem, int order, int digits) {
  Expansion<S> expansion(system, problem.active, std::max(order, 4));
  std::vector<S> q(problem.start.q.begin(), problem.start.q.end());
  std::vector<S> v(problem.start.v.begin(), problem.start.v.end());
  if (problem.start.changes.empty()) {
    q = system.given_positions<S>();
    v = system.given_velocities<S>();
  }
  const S t(problem.start.t);
  refine(expansion, t, q, v);
  const std::vector<std::string> calls = expand_from<S>(system, expansion, t, q, v, order);
  SeriesTable table = make_table(system, expansion, order, digits);
  table.on_switch = calls;
  table.t0 = shortest(problem.start.t);
  return table;
}

void require_exact_start(const System& system, Expansion<Rational>& expansion,
                         std::span<const std::size_t> active) {
  std::vector<Rational> residual(active.size());
  const auto require = [&](const char* what) {
    for (std::size_t row = 0; row < active.size(); ++row) {
      if (residual[row] == 0) continue;
      throw Error(fmt::format(
          "the start does not satisfy {} of constraint '{}' exactly (it is off by {}); give start "
          "values that do, or use --digits",
          what, system.constraint_name(active[row]), residual[row].str()));
    }
  };
  expansion.eval_position_residual(residual);
  require("the equation");
  expansion.eval_velocity_residual(residual);
  require("the velocity equation C v + c = 0");
}

// What of the model has no exact value at the start, or has a derivative that has none: "parameter 'g'", "the
// start position of 'x'", ...
std::string irrational_place(const System& system) {
  std::unordered_map<NodeId, Rational> values;
  const auto has_value = [&](Expr expression, Expr symbol = {}) {
    try {
      const Rational value = evaluate<Rational>(expression, values);
      if (symbol) values.emplace(symbol.id(), value);
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  const ModelData& model = system.model();
  for (const Parameter& parameter : model.parameters) {
    if (!has_value(parameter.value, parameter.symbol)) return "parameter '" + parameter.name + "'";
  }
  const Equations e = system.equations().continued();
  values.emplace(e.t.id(), rational(model.solve.start()));
  for (std::size_t i = 0; i < system.n(); ++i) {
    const Coordinate& coordinate = model.coordinates[i];
    if (!has_value(coordinate.position, e.q[i])) return "the start position of '" + coordinate.name + "'";
    if (!has_value(coordinate.velocity, e.v[i])) return "the start velocity of '" + coordinate.name + "'";
  }
  const auto has_series = [&](Expr expression) {
    if (!has_value(expression) || !has_value(derivative(expression, e.t))) return false;
    for (std::size_t i = 0; i < system.n(); ++i) {
      if (!has_value(derivative(expression, e.q[i])) || !has_value(derivative(expression, e.v[i])))
        return false;
    }
    return true;
  };
  for (std::size_t j = 0; j < system.holonomic(); ++j) {
    if (!has_series(e.g[j])) return "constraint '" + system.constraint_name(j) + "' at the start";
  }
  for (std::size_t i = 0; i < system.n(); ++i) {
    if (!has_series(e.f[i])) return "the force on '" + system.coordinate_name(i) + "' at the start";
  }
  return "the motion at the start";
}

void refuse_held_signs(const System& system) {
  const ModelData& model = system.model();
  if (model.held_signs.empty()) return;
  if (!model.frictions.empty())
    throw Error(
        fmt::format("whether '{}' sticks or slides, and which way, a run decides: there is no one series",
                    model.frictions.front().name));
  throw Error(fmt::format("forces of this model hold {}, which a run decides: there is no one series",
                          model.held_signs.front().name));
}

}  // namespace

SeriesTable expand_exactly(const System& system, int order) {
  refuse_held_signs(system);
  try {
    const double start = system.model().solve.start();
    const Problem problem = make_problem(system, start);
    Expansion<Rational> expansion(system, problem.active, std::max(order, 4));
    const auto q = system.given_positions<Rational>();
    const auto v = system.given_velocities<Rational>();
    expansion.set_position(rational(start), q);
    expansion.set_velocity(v);
    require_exact_start(system, expansion, problem.active);
    const auto calls = expand_from<Rational>(system, expansion, rational(start), q, v, order);
    SeriesTable table = make_table(system, expansion, order, 0);
    table.on_switch = calls;
    table.t0 = shortest(start);
    return table;
  } catch (const NotRational& error) {
    throw Error(
        irrational_place(system) + " has no exact value: " + error.message() +
        "; exact series need start values and parameters where every function is rational (sin 0, cos 0, "
        "exp 0, sqrt of squares): change them with --set, or use --digits 50 for a numerical series");
  } catch (const Error& error) {
    if (!error.message().starts_with("division by zero")) throw;
    throw Error(irrational_place(system) + " has no series: " + error.message() +
                "; the motion is singular there: change the start with --set");
  }
}

SeriesTable expand_numerically(const System& system, int order, int digits) {
  refuse_held_signs(system);
  const Problem problem = make_problem(system, system.model().solve.start());
  if (digits == 0) return expand_refined<double>(system, problem, order, 0);
  if (digits < 1 || digits > 100000)
    throw Error(fmt::format("--digits must be between 1 and 100000, not {}", digits));
  // for cancellation within the recursion. Chosen, not measured.
  constexpr unsigned guard_digits = 15;
  const DigitsScope precision(static_cast<unsigned>(digits) + guard_digits);
  return expand_refined<Real>(system, problem, order, digits);
}

}  // namespace dalembert

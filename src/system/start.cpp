#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/linalg/least_norm.hpp>
#include <dalembert/linalg/saddle_point.hpp>
#include <dalembert/system/auxiliary.hpp>
#include <dalembert/system/balanced_velocities.hpp>
#include <dalembert/system/rounding.hpp>
#include <dalembert/system/start.hpp>

#include "constraint_rank.hpp"
#include "dependency.hpp"
#include "eigen_vector.hpp"
#include "inertia.hpp"
#include "large_state.hpp"
#include "position_search.hpp"
#include "residuals.hpp"
#include "start_error.hpp"
#include "start_moves.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// the equations are linear: each gains the digits that the factors have, ten and more where C is not nearly
// dependent
constexpr int velocity_refinements = 4;

Movable make_movable(const System& system, Moves moves, bool Coordinate::*is_guess) {
  const VectorXd weights = start_weights(system, moves, is_guess);
  Movable movable;
  std::vector<double> weight;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    movable.coordinates.push_back(i);
    weight.push_back(weights[i]);
  }
  movable.weight = to_eigen(weight);
  return movable;
}

VectorXd place_positions(Residuals& residuals, Start& start) {
  const System& system = residuals.system();
  VectorXd wish = to_eigen(start.q);
  residuals.eval(wish, VectorXd::Zero(wish.size()));
  start.g_given = to_vector(residuals.at.g);
  refuse_values_that_do_not_exist(residuals, wish);
  PositionSearch search(residuals);
  if (search.is_consistent(wish)) return wish;

  FoundPositions best{false, wish, to_eigen(start.g_given), 0};
  for (const Moves moves : {Moves::guesses, Moves::all}) {
    const Movable movable = make_movable(system, moves, &Coordinate::guess);
    if (best.consistent || movable.coordinates.empty()) continue;
    const int before = best.iterations;
    const FoundPositions found = search.run(wish, movable);
    if (found.consistent || found.g.norm() < best.g.norm()) best = found;
    best.iterations = before + found.iterations;
  }
  start.iterations = best.iterations;
  if (!best.consistent) throw_inconsistent_positions(residuals, best.q);
  note_changes(system, wish, best.q, "", start);
  return best.q;
}

struct FoundVelocities {
  bool consistent = false;
  VectorXd v;
};

// Whether every row is met within so many bounds of its round-off, for velocities of this size: that which
// they had before they were corrected, for the right ones may be zero.
bool velocities_fit(Residuals& residuals, const VectorXd& q, const VectorXd& v, const VectorXd& size,
                    double factor) {
  residuals.eval(q, v);
  const VectorXd residual = residuals.at.C * v + residuals.at.c;
  return (residual.cwiseAbs().array() <= factor * residuals.velocity_bounds(q, size).array()).all();
}

// What cancellation has left of a velocity is no motion, where zero does as well.
void drop_round_off(Residuals& residuals, const VectorXd& q, const VectorXd& wish, VectorXd& v) {
  const double rest = 16 * std::numeric_limits<double>::epsilon() * wish.lpNorm<Eigen::Infinity>();
  VectorXd without = v;
  for (Index i = 0; i < v.size(); ++i) {
    if (v[i] != wish[i] && std::abs(v[i]) <= rest) without[i] = 0;
  }
  if (velocities_fit(residuals, q, without, without, start_enough)) v = without;
}

// C v + c = 0 is linear: one correction, and refinements of its round-off.
FoundVelocities correct_velocities(Residuals& residuals, const VectorXd& q, const VectorXd& wish,
                                   const Movable& movable) {
  FoundVelocities found{false, wish};
  LeastNorm solver;
  for (int i = 0; i < velocity_refinements; ++i) {
    found.consistent = velocities_fit(residuals, q, found.v, found.v, start_enough);
    if (found.consistent) break;
    const VectorXd residual = residuals.at.C * found.v + residuals.at.c;
    found.v += correct(solver, residuals.at.M, residuals.at.C, residual, movable);
  }
  const VectorXd on_the_way = found.v.cwiseAbs().cwiseMax(wish.cwiseAbs());
  if (!found.consistent) found.consistent = velocities_fit(residuals, q, found.v, on_the_way, start_stuck);
  if (found.consistent) drop_round_off(residuals, q, wish, found.v);
  return found;
}

// Whether the forces on coordinates without inertia cancel, as far as doubles can tell.
bool forces_balance(const Residuals& residuals, const VectorXd& q, const VectorXd& v) {
  const auto forces =
      evaluate_with_error(residuals.system().determined_velocities().forces, residuals.values_at(q, v));
  return std::all_of(forces.begin(), forces.end(), [](const RoundedValue& force) {
    return std::abs(force.value) <= start_enough * force.error;
  });
}

// The velocities of coordinates without inertia that the forces determine. No constraint knows these.
VectorXd balance(Residuals& residuals, const VectorXd& q, const VectorXd& wish, Start& start) {
  const System& system = residuals.system();
  if (forces_balance(residuals, q, wish)) return wish;
  VectorXd v = wish;
  const bool found =
      balance_velocities<double>(system, start.t, {q.data(), system.n()}, {v.data(), system.n()});
  const auto& coordinates = system.determined_velocities().coordinates;
  const bool fixed = std::any_of(coordinates.begin(), coordinates.end(), [&](std::size_t i) {
    return system.model().coordinates[i].fixed && v[static_cast<Index>(i)] != wish[static_cast<Index>(i)];
  });
  if (!found || fixed) throw_unbalanced_velocities(system, fixed);
  note_changes(system, wish, v, "'", start);
  return v;
}

VectorXd place_velocities(Residuals& residuals, const VectorXd& q, Start& start) {
  const System& system = residuals.system();
  VectorXd wish = to_eigen(start.v);
  residuals.eval(q, wish);
  const VectorXd residual = residuals.at.C * wish + residuals.at.c;
  start.velocity_given = to_vector(residual);
  const VectorXd bounds = residuals.velocity_bounds(q, wish);
  if ((residual.cwiseAbs().array() <= start_enough * bounds.array()).all()) return wish;

  FoundVelocities found{false, wish};
  for (const Moves moves : {Moves::guesses, Moves::all}) {
    const Movable movable = make_movable(system, moves, &Coordinate::guess_velocity);
    if (!found.consistent && !movable.coordinates.empty()) {
      found = correct_velocities(residuals, q, wish, movable);
    }
  }
  if (!found.consistent) throw_inconsistent_velocities(residuals, q, found.v);
  note_changes(system, wish, found.v, "'", start);
  return found.v;
}

}  // namespace

Start find_consistent_state(const System& system, double t) {
  if (is_large(system) && system.determined_velocities().empty()) {
    if (auto start = find_large_start(system, t)) return *start;
  }
  Start start;
  start.t = t;
  start.q = system.given_positions<double>();
  start.v = system.given_velocities<double>();
  Residuals residuals(system, start.t);
  const VectorXd q = place_positions(residuals, start);
  const VectorXd v = balance(residuals, q, place_velocities(residuals, q, start), start);
  residuals.eval(q, v);
  start.q = to_vector(q);
  start.v = to_vector(v);
  start.g = to_vector(residuals.at.g);
  start.velocity = to_vector(residuals.at.C * v + residuals.at.c);
  return start;
}

namespace {

VectorXd weights_of_reactions(const System& system) {
  const std::vector<bool> auxiliary = find_auxiliary(system);
  VectorXd weights(static_cast<Eigen::Index>(system.m()));
  for (std::size_t j = 0; j < system.m(); ++j) weights[static_cast<Eigen::Index>(j)] = auxiliary[j] ? 0 : 1;
  return weights;
}

// Of C a where forces cancel: velocities that are rounding errors make a γ that is less.
VectorXd round_off_of_accelerations(const StateEvaluation& at, const SaddlePoint& solution) {
  VectorXd sizes = solution.a.cwiseAbs();
  const VectorXd forces = at.f.cwiseAbs() + at.D.cwiseAbs().transpose() * solution.lambda.cwiseAbs();
  for (Eigen::Index i = 0; i < sizes.size(); ++i)
    if (at.M(i, i) > 0) sizes[i] += forces[i] / at.M(i, i);
  return std::numeric_limits<double>::epsilon() * (at.C.cwiseAbs() * sizes);
}

}  // namespace

void solve_accelerations(const System& system, Start& start) {
  if (!start.a.empty()) return;
  Residuals residuals(system, start.t);
  const VectorXd q = to_eigen(start.q);
  const VectorXd v = to_eigen(start.v);
  residuals.eval(q, v);
  StateEvaluation& at = residuals.at;
  refuse_forces_that_do_not_exist(residuals);
  if (system.is_symmetric()) {
    for (const Eigen::Index row : residuals.vanishing_rows(q)) {
      at.C.row(row).setZero();
      at.D.row(row).setZero();
    }
  }
  const RowRank rank = find_constraint_rank(at.C, at.M);
  std::optional<SaddlePoint> solution;
  const bool found = iterate_sizes(at.D, at.B, system.sizes(), [&](const Eigen::MatrixXd& D) {
    solution = solve_saddle_point(at.M, at.C, D, at.f, at.gamma, rank);
    return solution ? std::optional(solution->lambda) : std::nullopt;
  });
  if (solution && !found) throw Error("no accelerations fit the forces that depend on sizes of multipliers");
  if (!rank.dependent.empty()) {
    VectorXd bounds = residuals.acceleration_bounds(q, v);
    if (solution) bounds += round_off_of_accelerations(at, *solution);
    const auto contradictions = find_contradictions(rank, at.gamma, bounds);
    if (!contradictions.empty()) throw_contradicting_accelerations(system, contradictions);
  }
  if (!solution) throw_missing_inertia(system, analyse_inertia(at.M, take_rows(at.C, rank.independent)));
  start.units = to_vector(units_of_inertia(at.C, at.M));
  start.a = to_vector(solution->a);
  start.lambda = to_vector(system.is_symmetric()
                               ? reduce_norm(at.C, rank, solution->lambda, weights_of_reactions(system))
                               : solution->lambda);
}

Start find_start(const System& system, double t) {
  Start start = find_consistent_state(system, t);
  solve_accelerations(system, start);
  return start;
}

Start find_consistent_state(const System& system) {
  return find_consistent_state(system, system.model().solve.start());
}

Start find_start(const System& system) { return find_start(system, system.model().solve.start()); }

}  // namespace dalembert

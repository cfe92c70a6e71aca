#include "position_search.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "constraint_rank.hpp"
#include "metric.hpp"
#include "start_moves.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Damped steps; the least damping is the part of a step below which the search has found a local minimum of
// |g|. Chosen, not measured.
constexpr int most_iterations = 60;
constexpr double smallest_damping = 1e-5;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double best = 0.5;  // bounds of round-off, where Newton's method stops

// How far a coordinate may be expected to go: as far as it has come, or a tenth of the farthest, be it as the
// numbers say or in units of inertia.
VectorXd reach_of(const VectorXd& q, const VectorXd& units) {
  if (q.size() == 0) return q;
  const double largest = q.lpNorm<Eigen::Infinity>();
  if (largest == 0) return VectorXd::Ones(q.size());
  const VectorXd in_units = q.cwiseQuotient(units).lpNorm<Eigen::Infinity>() * units;
  return q.cwiseAbs().cwiseMax(0.1 * in_units.cwiseMin(largest));
}

// What rounding errors of a step count beside: no coordinate is known better than the largest, in units of
// inertia. Those of a part that the step hardly moves are rounding errors of what it moves.
VectorXd size_of_step(const VectorXd& step, const VectorXd& units) {
  const double largest = step.lpNorm<Eigen::Infinity>();
  return (step.cwiseQuotient(units).lpNorm<Eigen::Infinity>() * units).cwiseMin(largest);
}

MatrixXd weighted(MatrixXd metric, const VectorXd& weight) {
  for (Index j = 0; j < metric.cols(); ++j) {
    for (Index i = 0; i < metric.rows(); ++i) metric(i, j) *= pair_weight(weight[i], weight[j]);
  }
  return metric;
}

}  // namespace

VectorXd correct(LeastNorm& solver, const MatrixXd& M, const MatrixXd& jacobian, const VectorXd& residual,
                 const Movable& movable) {
  const MatrixXd columns = jacobian(Eigen::all, movable.coordinates);
  const MatrixXd block = M(movable.coordinates, movable.coordinates);
  const MatrixXd metric = make_metric(weighted(block, movable.weight), columns);
  solver.factor(columns, metric);
  VectorXd step = VectorXd::Zero(M.rows());
  step(movable.coordinates) = -solver.solve(residual);
  return step;
}

bool PositionSearch::eval(const VectorXd& q) {
  residuals_.eval(q, VectorXd::Zero(q.size()));
  return residuals_.at.g.allFinite();
}

// Positions are wanted to the last digit of what they were on the way, so round-off counts at that size where
// q became smaller: the solution may be zero.
VectorXd PositionSearch::allowed_residual(const VectorXd& q, const VectorXd& size) const {
  const Index rows = residuals_.at.g.size();
  return residuals_.position_bounds(q) + epsilon * (residuals_.at.C.topRows(rows).cwiseAbs() * size);
}

bool PositionSearch::is_consistent(const VectorXd& wish) {
  return eval(wish) && (residuals_.at.g.cwiseAbs().array() <=
                        start_enough * allowed_residual(wish, residuals_.sizes(wish)).array())
                           .all();
}

// 1/h with Kantorovich's h = |G⁺ G''(step, step)| / |step|: how far the linear model can be trusted. Without
// it a step near a singular place turns angles round and round. [deuflhard2011, 3.3.3]
double PositionSearch::first_damping(const VectorXd& q, const VectorXd& step, const Movable& movable) {
  const MatrixXd G = residuals_.at.C.topRows(residuals_.at.g.size());
  const double small =
      1e-4 / step.cwiseQuotient(reach_of(q, units_of_inertia(G, residuals_.at.M))).lpNorm<Eigen::Infinity>();
  if (!std::isfinite(small) || !eval(q + small * step)) return 1;
  const VectorXd curvature = (residuals_.at.C.topRows(G.rows()) - G) * step / small;
  const double h = solver_.norm(solver_.solve(curvature)) / solver_.norm(step(movable.coordinates));
  return h > 1 ? std::max(1 / h, smallest_damping) : 1;
}

// The natural monotonicity test [deuflhard2011, 3.3.1]: the next correction, with the factor of this one,
// must be shorter. It does not depend on how the constraints are scaled.
bool PositionSearch::take_damped_step(VectorXd& q, const VectorXd& step, const Movable& movable) {
  const double length = solver_.norm(step(movable.coordinates));
  double damping = first_damping(q, step, movable);
  while (damping >= smallest_damping) {
    const VectorXd next = q + damping * step;
    if (eval(next) && solver_.norm(solver_.solve(residuals_.at.g)) <= (1 - damping / 4) * length) {
      q = next;
      return true;
    }
    damping /= 2;
  }
  return false;
}

FoundPositions PositionSearch::newton(const VectorXd& first, const VectorXd& wish, const Movable& movable) {
  FoundPositions found{false, first, {}, 0};
  const bool has_value = eval(first);
  VectorXd size_on_the_way = residuals_.sizes(wish);
  VectorXd last_step = VectorXd::Zero(wish.size());
  while (has_value) {
    size_on_the_way = size_on_the_way.cwiseMax(residuals_.sizes(found.q));
    const VectorXd allowed = allowed_residual(found.q, size_on_the_way);
    const auto size = residuals_.at.g.cwiseAbs().array();
    if ((size <= best * allowed.array()).all()) {
      found.consistent = true;
      break;
    }
    const MatrixXd G = residuals_.at.C.topRows(residuals_.at.g.size());
    const VectorXd step = correct(solver_, residuals_.at.M, G, residuals_.at.g, movable);
    const VectorXd units = units_of_inertia(G, residuals_.at.M);
    const VectorXd before = found.q;
    const VectorXd with_step = allowed_residual(found.q, size_on_the_way.cwiseMax(last_step));
    const bool small_residual =
        (size <= (start_stuck * allowed).cwiseMax(start_enough * with_step).array()).all();
    if (found.iterations == most_iterations || !take_damped_step(found.q, step, movable)) {
      found.consistent = small_residual;
      break;
    }
    last_step = size_of_step(found.q - before, units);
    ++found.iterations;
  }
  eval(found.q);
  found.g = residuals_.at.g;
  return found;
}

VectorXd PositionSearch::perturbed(const VectorXd& wish, const Movable& movable, double size) {
  const VectorXd reach = eval(wish) ? reach_of(wish, units_of_inertia(residuals_.at.C, residuals_.at.M))
                                    : reach_of(wish, VectorXd::Ones(wish.size()));
  VectorXd q = wish;
  for (const Index j : movable.coordinates) {
    const double uniform =
        2.0 * static_cast<double>(random_()) / static_cast<double>(std::mt19937::max()) - 1;
    q[j] += size * reach[j] * uniform;
  }
  return q;
}

FoundPositions PositionSearch::run_near(const VectorXd& q, const Movable& movable, double distance) {
  const VectorXd near = perturbed(q, movable, distance);
  return newton(near, near, movable);
}

FoundPositions PositionSearch::run(const VectorXd& wish, const Movable& movable) {
  constexpr std::array<double, 8> sizes = {1e-3, 1e-2, 0.1, 0.1, 0.5, 0.5, 2, 2};
  FoundPositions nearest = newton(wish, wish, movable);
  if (movable.coordinates.empty()) return nearest;
  for (const double size : sizes) {
    if (nearest.consistent) break;
    const int before = nearest.iterations;
    FoundPositions found = newton(perturbed(wish, movable, size), wish, movable);
    const bool better = !nearest.g.allFinite() || found.consistent || found.g.norm() < nearest.g.norm();
    if (better) nearest = found;
    nearest.iterations = before + found.iterations;
  }
  return nearest;
}

}  // namespace dalembert

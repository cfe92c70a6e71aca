#include "run/constraint_guard.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dalembert/linalg/row_rank.hpp>

#include "run/state_jump.hpp"

namespace dalembert {

using Eigen::Index;

StateEvaluation& ConstraintGuard::evaluation() {
  if (!evaluation_) evaluation_.emplace(problem_->system);
  return *evaluation_;
}

std::string ConstraintGuard::refuse(const Step& step) {
  if (problem_->system.holonomic() == 0) return "";  // no other motion is near
  constexpr double factor = 2;
  constexpr double round_off = 1e-7;
  const bool jumped =
      has_jumped({last_q_, last_v_, problem_->least_q}, {step.q, step.v}, step.h, factor, round_off) &&
      comes_near_dependence(step);
  std::copy(step.q.begin(), step.q.end(), last_q_.begin());
  std::copy(step.v.begin(), step.v.end(), last_v_.begin());
  if (!jumped) return "";
  return "the positions would jump to another motion: constraints are nearly dependent here; a smaller "
         "tolerance or step, or 'adomian', may help";
}

// Whether rows are nearly dependent, or one nearly vanishes, on the straight line from the last positions to
// these. A force that changes much within a step moves them farther than both velocities say, too; but there
// the rows stay apart.
bool ConstraintGuard::comes_near_dependence(const Step& step) {
  const std::size_t rows = problem_->active.size();
  if (rows == 0 || rows > policy::most_watched_rows) return rows > 0;
  constexpr double nearly = 0.3;  // of how far they are apart at the start, or on this line
  constexpr int places = 8;
  find_start_pivot();
  double largest = start_pivot_;
  double smallest = start_pivot_;
  Eigen::VectorXd longest_rows = Eigen::VectorXd::Zero(static_cast<Index>(problem_->system.m()));
  Eigen::VectorXd shortest_rows = longest_rows;
  std::vector<double> q(step.q.size());
  for (int k = 0; k <= places; ++k) {
    const double share = static_cast<double>(k) / places;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = last_q_[i] + share * (step.q[i] - last_q_[i]);
    evaluation().eval(step.t, q, step.v);
    const double pivot = smallest_pivot();
    if (!std::isfinite(pivot)) return true;
    largest = std::max(largest, pivot);
    smallest = std::min(smallest, pivot);
    const Eigen::VectorXd lengths = evaluation().C.rowwise().norm();
    longest_rows = longest_rows.cwiseMax(lengths);
    shortest_rows = k == 0 ? lengths : Eigen::VectorXd(shortest_rows.cwiseMin(lengths));
  }
  return smallest < nearly * largest || (shortest_rows.array() < nearly * longest_rows.array()).any();
}

// A residual that a tenth of all coordinates would not make good. Looked at again when it has doubled.
bool ConstraintGuard::has_left(const Step& step) {
  constexpr double share = 0.1;
  if (step.residual < next_residual_) return false;
  next_residual_ = 2 * step.residual;
  StateEvaluation& at = evaluation();
  at.eval(step.t, step.q, step.v);
  double size = 0;
  for (const double q : problem_->start.q) size = std::max(size, std::abs(q));
  if (size == 0) size = 1;
  for (Index j = 0; j < at.g.size(); ++j) {
    double bound = 0;
    for (Index i = 0; i < at.C.cols(); ++i) {
      bound += std::abs(at.C(j, i)) * std::max(size, std::abs(step.q[static_cast<std::size_t>(i)]));
    }
    if (!(std::abs(at.g[j]) <= share * bound)) return true;
  }
  return false;
}

double ConstraintGuard::smallest_pivot() {
  return choose_independent_rows(equilibrated(evaluation().C), static_cast<Index>(problem_->active.size()))
      .smallest_pivot;
}

void ConstraintGuard::find_start_pivot() {
  if (start_pivot_ > 0) return;
  evaluation().eval(problem_->start.t, problem_->start.q, problem_->start.v);
  start_pivot_ = smallest_pivot();
}

// Steps that shrink where constraints become dependent: the multipliers grow without bound, and what is left
// of the error decides how the motion goes on.
bool ConstraintGuard::is_singular(const Step& step) {
  const std::size_t rows = problem_->active.size();
  if (step.last || !(std::abs(step.h) < next_size_ * step.largest) || rows == 0 ||
      rows > policy::most_watched_rows)
    return false;
  next_size_ = 0.7 * std::abs(step.h) / step.largest;
  find_start_pivot();
  evaluation().eval(step.t, step.q, step.v);
  return smallest_pivot() < policy::near_lost_rank * start_pivot_;
}

std::string ConstraintGuard::check(const Step& step) {
  if (has_left(step)) {
    return fmt::format(
        "the state has left its constraints (|g| = {:.1e}): the method drifts; a smaller tolerance or step, "
        "another formulation or method may help",
        step.residual);
  }
  if (is_singular(step)) {
    return "constraints become dependent here and the step shrinks: the motion may branch; 'adomian' passes "
           "where it is smooth";
  }
  return "";
}

}  // namespace dalembert

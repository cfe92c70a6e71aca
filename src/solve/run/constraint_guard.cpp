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
  constexpr double factor = 2;
  constexpr double round_off = 1e-7;
  const bool jumped =
      has_jumped({last_q_, last_v_, problem_->least_q}, {step.q, step.v}, step.h, factor, round_off);
  std::copy(step.q.begin(), step.q.end(), last_q_.begin());
  std::copy(step.v.begin(), step.v.end(), last_v_.begin());
  if (!jumped) return "";
  return "the positions would jump to another motion: constraints are nearly dependent here; a smaller "
         "tolerance or step, or 'adomian', may help";
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

// Steps that shrink where constraints become dependent: the multipliers grow without bound, and what is left
// of the error decides how the motion goes on.
bool ConstraintGuard::is_singular(const Step& step) {
  const std::size_t rows = problem_->active.size();
  if (step.last || !(std::abs(step.h) < next_size_ * step.largest) || rows == 0 ||
      rows > policy::most_watched_rows)
    return false;
  next_size_ = 0.7 * std::abs(step.h) / step.largest;
  if (start_pivot_ == 0) {
    evaluation().eval(problem_->start.t, problem_->start.q, problem_->start.v);
    start_pivot_ = smallest_pivot();
  }
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

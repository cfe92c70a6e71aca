// Tells when a method that does not know singular configurations, or that drifts, has lost its constraints.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dalembert/solve/solve.hpp>
#include <dalembert/system/state_evaluation.hpp>

namespace dalembert {

class ConstraintGuard {
 public:
  explicit ConstraintGuard(const Problem& problem)
      : problem_(&problem), last_q_(problem.start.q), last_v_(problem.start.v) {}

  struct Step {
    double t;
    std::span<const double> q, v;
    double h;         ///< its length, with its sign
    double largest;   ///< |h| of all steps
    double residual;  ///< |g|, the largest so far
    bool last;        ///< as short as the end of the run makes it
  };
  /// Why the step is not one of the same motion; empty: it is.
  std::string refuse(const Step& step);
  /// Why the run must not go on after this step; empty: it may.
  std::string check(const Step& step);

 private:
  bool comes_near_dependence(const Step& step);
  bool has_left(const Step& step);
  bool is_singular(const Step& step);
  StateEvaluation& evaluation();
  double smallest_pivot();
  void find_start_pivot();

  const Problem* problem_;
  std::optional<StateEvaluation> evaluation_;  // made when it is needed first
  std::vector<double> last_q_, last_v_;
  double next_residual_ = 1e-6;
  double next_size_ = 1e-3;  // of a step, beside the largest
  double start_pivot_ = 0;
};

}  // namespace dalembert

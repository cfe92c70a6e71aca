// The positions and velocities of a dense output at very many times.
//
// DenseOutput::at evaluates and solves the equations at each time. Where many times fall into one step, q and
// v as at() gives them are interpolated there in Chebyshev's nodes
//
//   x_j = cos(π (j + 1/2) / K),   c_k = 2/K Σ_j y(x_j) cos(k π (j + 1/2) / K),   y(x) = c_0/2 + Σ_k c_k
//   T_k(x)
//
// which for an analytic motion is the same to round-off. Whether it is, each step is asked between the nodes;
// where it is not, as near a singular configuration, at() answers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/solve/dense_output.hpp>

namespace dalembert::session {

class MotionCurve {
 public:
  /// The motion must outlive the curve.
  MotionCurve(DenseOutput& motion, std::size_t coordinates);

  /// A row [q, v] per time, in any order of the times. Throws Error for a time outside the run.
  void eval(std::span<const double> times, std::span<double> rows);

 private:
  enum class Fit { untried, good, bad };
  struct Step {
    double first, last;  ///< times
    Fit fit = Fit::untried;
    std::vector<double> coefficients;  ///< [k][q, v]
  };

  std::size_t find(double t) const;
  void eval_step(Step& step, std::span<const double> times, std::span<double> rows);
  void eval_exactly(double t, std::span<double> row);
  void fit(Step& step, std::size_t nodes);
  bool is_good(const Step& step);
  void eval_fit(const Step& step, double t, std::span<double> row);

  DenseOutput* motion_;
  std::size_t width_;  ///< of a row
  double direction_ = 1;
  std::vector<Step> steps_;
  std::vector<double> b1_, b2_;  // of Clenshaw's recurrence
};

}  // namespace dalembert::session

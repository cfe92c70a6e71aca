// The motion of a run step by step, for pictures: in s = (t − t₀)/h the polynomial of degree 5 through
// positions and velocities at the ends and in the middle of each step.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <dalembert/solve/dense_output.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/solve/step_polynomials.hpp>

namespace dalembert {

class StepCurves {
 public:
  StepCurves(const Problem& problem, DenseOutput& curves);

  void start(double t, std::span<const double> q, std::span<const double> v);
  /// `eval` fills q and v at a time within the step.
  void end_step(double t, std::span<const double> q, std::span<const double> v,
                const std::function<void(double, std::span<double>, std::span<double>)>& eval);

 private:
  DenseOutput& curves_;
  std::size_t n_;
  double t_ = 0;
  std::vector<double> q_, v_, middle_q_, middle_v_;
  StepPolynomials<double> step_;
};

}  // namespace dalembert

// M, f, C, D, c, g, γ of a system at a state, in doubles and dense matrices.
#pragma once

#include <span>

#include <Eigen/Dense>

#include <dalembert/system/system.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert {

class StateEvaluation {
 public:
  explicit StateEvaluation(const System& system);

  /// Fills everything below at (t, q, v).
  void eval(double t, std::span<const double> q, std::span<const double> v);

  Eigen::MatrixXd M;
  Eigen::VectorXd f;
  Eigen::VectorXd g;
  Eigen::MatrixXd C, D;
  Eigen::VectorXd c;
  Eigen::VectorXd gamma;

 private:
  const System* system_;
  ValueTape tape_;
};

}  // namespace dalembert

// Residuals of the constraints at a state, and what of them is round-off.
#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/system/state_evaluation.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

/// Residuals at this size are round-off: of g, of C v + c and of γ.
class RoundOff {
 public:
  RoundOff(const System& system, double t);

  Eigen::VectorXd position_bounds(const Eigen::VectorXd& q) const;
  Eigen::VectorXd velocity_bounds(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  Eigen::VectorXd acceleration_bounds(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;

  /// |q_i|; for every component of a quaternion the length of it: a component that is zero is one of a turn
  /// that is known to a rounding error of 1.
  Eigen::VectorXd sizes(const Eigen::VectorXd& q) const;

  /// Rows of C that are rounding errors in every entry.
  std::vector<Eigen::Index> vanishing_rows(const Eigen::VectorXd& q) const;

  const System& system() const { return *system_; }
  double t() const { return t_; }

  /// The values of all symbols of the equations.
  const std::unordered_map<NodeId, double>& values_at(const Eigen::VectorXd& q,
                                                      const Eigen::VectorXd& v) const;

 private:
  const System* system_;
  double t_;
  mutable std::unordered_map<NodeId, double> values_;  // of parameters, and where it was asked for last
  std::vector<std::array<std::size_t, 4>> quaternions_;
};

class Residuals : public RoundOff {
 public:
  Residuals(const System& system, double t) : RoundOff(system, t), at(system) {}

  /// Fills M, f, C, c, g, γ of `at`.
  void eval(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    at.eval(t(), {q.data(), system().n()}, {v.data(), system().n()});
  }
  StateEvaluation at;
};

}  // namespace dalembert

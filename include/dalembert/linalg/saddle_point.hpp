// The saddle-point (KKT) system of a constrained mechanical system, at one state and with full care.
//
//   [ M  Dᵀ ] [ a ]   [ f ]
//   [ C  0  ] [ λ ] = [ γ ]
#pragma once

#include <optional>

#include <Eigen/Dense>

#include <dalembert/linalg/row_rank.hpp>

namespace dalembert {

struct SaddlePoint {
  Eigen::VectorXd a;
  Eigen::VectorXd lambda;  ///< where rows of C depend on each other: of least norm, if D is C
};

/// Solves for the independent rows of C, with residuals in extended precision. Nothing when the matrix is
/// singular: M is then singular on the kernel of C. M need not be symmetric. D may be C.
std::optional<SaddlePoint> solve_saddle_point(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C,
                                              const Eigen::MatrixXd& D, const Eigen::VectorXd& f,
                                              const Eigen::VectorXd& gamma, const RowRank& rank);
/// With D = C.
std::optional<SaddlePoint> solve_saddle_point(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C,
                                              const Eigen::VectorXd& f, const Eigen::VectorXd& gamma,
                                              const RowRank& rank);

}  // namespace dalembert

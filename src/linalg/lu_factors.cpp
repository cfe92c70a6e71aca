#include <dalembert/linalg/lu_factors.hpp>

namespace dalembert {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void LuFactors::factor(const MatrixXd& A) { lu_.compute(A); }

VectorXd LuFactors::solve(const VectorXd& b) const { return lu_.solve(b); }

double LuFactors::determinant() const { return lu_.determinant(); }

double LuFactors::smallest_pivot() const { return lu_.matrixLU().diagonal().cwiseAbs().minCoeff(); }

// Eigen's estimate divides by the pivots.
double LuFactors::reciprocal_condition() const { return smallest_pivot() > 0 ? lu_.rcond() : 0; }

}  // namespace dalembert

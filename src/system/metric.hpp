// The norm in which a start is moved as little as possible.
#pragma once

#include <Eigen/Dense>

namespace dalembert {

/// A positive definite W such that, among all δ with the same C δ, the least δᵀ W δ belongs to the least
/// δᵀ M δ: M itself, or M + Cᵀ S C where M is singular (the second term is the same for all these δ), with a
/// diagonal S that makes it as large as M in any units of coordinates and of constraints. Where M is singular
/// on the kernel of C too, the diagonal of M with its zeros filled.
Eigen::MatrixXd make_metric(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C);

}  // namespace dalembert

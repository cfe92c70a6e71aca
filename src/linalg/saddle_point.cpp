#include <cmath>
#include <optional>

#include <dalembert/linalg/least_norm.hpp>
#include <dalembert/linalg/lu_factors.hpp>
#include <dalembert/linalg/policy.hpp>
#include <dalembert/linalg/saddle_point.hpp>

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using ExtendedVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

constexpr int refinements = 3;  // each gains the digits that the condition leaves, two of the worst matrix

// Powers of two that bring every row and column of a matrix to size one: D_r K D_c (two sweeps each).
struct Scales {
  VectorXd rows, columns;
};

double inverse_size(double size) { return size > 0 ? std::exp2(-std::ilogb(size)) : 1; }

Scales find_scales(const MatrixXd& matrix) {
  Scales s{VectorXd::Ones(matrix.rows()), VectorXd::Ones(matrix.cols())};
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      s.rows[i] = inverse_size((matrix.row(i).transpose().cwiseProduct(s.columns)).lpNorm<Eigen::Infinity>());
    }
    for (Index j = 0; j < matrix.cols(); ++j) {
      s.columns[j] = inverse_size((matrix.col(j).cwiseProduct(s.rows)).lpNorm<Eigen::Infinity>());
    }
  }
  return s;
}

}  // namespace

std::optional<SaddlePoint> solve_saddle_point(const MatrixXd& M, const MatrixXd& C, const MatrixXd& D,
                                              const VectorXd& f, const VectorXd& gamma, const RowRank& rank) {
  const Index n = M.rows();
  const Index r = rank.rank;
  MatrixXd K = MatrixXd::Zero(n + r, n + r);
  VectorXd right(n + r);
  K.topLeftCorner(n, n) = M;
  const MatrixXd rows = take_rows(C, rank.independent);
  K.topRightCorner(n, r) = take_rows(D, rank.independent).transpose();
  K.bottomLeftCorner(r, n) = rows;
  right << f, gamma(rank.independent);

  const Scales scale = find_scales(K);
  LuFactors lu;
  lu.factor(scale.rows.asDiagonal() * K * scale.columns.asDiagonal());
  if (!(lu.reciprocal_condition() > policy::singular_condition)) return std::nullopt;
  const auto solve = [&](const VectorXd& b) -> VectorXd {
    return scale.columns.cwiseProduct(lu.solve(scale.rows.cwiseProduct(b)));
  };

  const Extended extended = K.cast<long double>();
  ExtendedVector x = solve(right).cast<long double>();
  for (int i = 0; i < refinements; ++i) {
    const ExtendedVector residual = right.cast<long double>() - extended * x;
    x += solve(residual.cast<double>()).cast<long double>();
  }
  SaddlePoint solution{x.head(n).cast<double>(), VectorXd::Zero(C.rows())};
  solution.lambda(rank.independent) = x.tail(r).cast<double>();
  if (C == D) solution.lambda = reduce_norm(C, rank, solution.lambda);
  return solution;
}

std::optional<SaddlePoint> solve_saddle_point(const MatrixXd& M, const MatrixXd& C, const VectorXd& f,
                                              const VectorXd& gamma, const RowRank& rank) {
  return solve_saddle_point(M, C, C, f, gamma, rank);
}

}  // namespace dalembert

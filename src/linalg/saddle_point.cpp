#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <dalembert/linalg/least_norm.hpp>
#include <dalembert/linalg/lu_factors.hpp>
#include <dalembert/linalg/policy.hpp>
#include <dalembert/linalg/saddle_point.hpp>
#include <dalembert/linalg/symmetric_scales.hpp>
#include <dalembert/linalg/units_of_inertia.hpp>

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

// Likewise after `first` has scaled rows and columns.
Scales find_scales_from(const VectorXd& first, const MatrixXd& K) {
  const Scales rest = find_scales(first.asDiagonal() * K * first.asDiagonal());
  return {first.cwiseProduct(rest.rows), first.cwiseProduct(rest.columns)};
}

// Likewise after K is brought to sizes for which the diagonals of M and of C M⁻¹ Cᵀ are 1: entries of C say
// nothing of how small M may be.
Scales find_scales_by_inertia(const MatrixXd& K) {
  std::vector<MatrixPlace> places;
  std::vector<double> values;
  for (Index j = 0; j < K.cols(); ++j) {
    for (Index i = 0; i < K.rows(); ++i) {
      if (K(i, j) == 0) continue;
      places.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
      values.push_back(K(i, j));
    }
  }
  const std::vector<double> sizes = find_symmetric_scales(static_cast<std::size_t>(K.rows()), places, values);
  const VectorXd first = Eigen::Map<const VectorXd>(sizes.data(), K.rows());
  return find_scales_from(first, K);
}

// Likewise with each coordinate in units of its inertia and each row of C of length 1 there.
Scales find_scales_in_units(const MatrixXd& K, const MatrixXd& M, const MatrixXd& C) {
  VectorXd first = VectorXd::Ones(K.rows());
  const VectorXd units = units_of_inertia(C, M);
  for (Index i = 0; i < units.size(); ++i) first[i] = inverse_size(1 / units[i]);
  for (Index i = 0; i < C.rows(); ++i)
    first[M.rows() + i] = inverse_size(C.row(i).transpose().cwiseProduct(units).norm());
  return find_scales_from(first, K);
}

struct ScaledFactors {
  Scales scale;
  LuFactors lu;
  double reciprocal_condition;

  ScaledFactors(const MatrixXd& K, const Scales& scales) : scale(scales) {
    lu.factor(scale.rows.asDiagonal() * K * scale.columns.asDiagonal());
    reciprocal_condition = lu.reciprocal_condition();
  }
  VectorXd solve(const VectorXd& b) const {
    return scale.columns.cwiseProduct(lu.solve(scale.rows.cwiseProduct(b)));
  }
};

// In the scales that leave the best condition, where the first leave fewer than half of the digits.
ScaledFactors factor_scaled(const MatrixXd& K, const MatrixXd& M, const MatrixXd& C) {
  constexpr double good = 1e-8;
  ScaledFactors best(K, find_scales(K));
  if (best.reciprocal_condition > good) return best;
  for (const Scales& scales : {find_scales_by_inertia(K), find_scales_in_units(K, M, C)}) {
    ScaledFactors others(K, scales);
    if (others.reciprocal_condition > best.reciprocal_condition) best = std::move(others);
  }
  return best;
}

}  // namespace

VectorXd units_of_inertia(const MatrixXd& C, const MatrixXd& M) {
  const Index n = C.cols();
  VectorXd logs(n);
  for (Index i = 0; i < n; ++i) logs[i] = -std::log(M(i, i)) / 2;
  VectorXd units(n);
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    Index count = 0;
    for (Index row = 0; row < C.rows() && !std::isfinite(logs[i]); ++row) {
      for (Index j = 0; j < n && C(row, i) != 0; ++j) {
        if (C(row, j) == 0 || !std::isfinite(logs[j])) continue;
        sum += logs[j];
        ++count;
      }
    }
    const double log = std::isfinite(logs[i]) ? logs[i] : count > 0 ? sum / static_cast<double>(count) : 0;
    units[i] = std::exp(log);
  }
  return units;
}

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

  const ScaledFactors factors = factor_scaled(K, M, rows);
  if (!(factors.reciprocal_condition > policy::singular_condition)) return std::nullopt;
  const Extended extended = K.cast<long double>();
  ExtendedVector x = factors.solve(right).cast<long double>();
  for (int i = 0; i < refinements; ++i) {
    const ExtendedVector residual = right.cast<long double>() - extended * x;
    x += factors.solve(residual.cast<double>()).cast<long double>();
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

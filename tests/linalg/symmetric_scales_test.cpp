#include <cmath>
#include <random>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/linalg/linear_solver.hpp>
#include <dalembert/linalg/sparse_lu.hpp>
#include <dalembert/linalg/symmetric_scales.hpp>

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Entries {
  std::vector<MatrixPlace> places;
  std::vector<double> values;

  explicit Entries(const MatrixXd& matrix, const MatrixXd& pattern) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      for (Index j = 0; j < matrix.cols(); ++j) {
        if (pattern(i, j) == 0) continue;
        places.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
        values.push_back(matrix(i, j));
      }
    }
  }
};

// [M Cᵀ; C 0] of bodies in a row, each with a quaternion near one and its norm, coupled by one row each.
MatrixXd quaternion_chain(Index bodies, double tiny, double mass) {
  const Index n = 4 * bodies;
  MatrixXd K = MatrixXd::Zero(n + 2 * bodies, n + 2 * bodies);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  for (Index b = 0; b < bodies; ++b) {
    const Eigen::Vector4d e(1, 0, 0, tiny);
    Eigen::Matrix<double, 3, 4> E;
    E << -e[1], e[0], e[3], -e[2], -e[2], -e[3], e[0], e[1], -e[3], e[2], -e[1], e[0];
    K.block<4, 4>(4 * b, 4 * b) = 4 * mass * E.transpose() * E;
    K.row(n + 2 * b).segment<4>(4 * b) = 2 * e.transpose();
    for (Index k = b == 0 ? 0 : 4 * b - 4; k < 4 * b + 4; ++k) K(n + 2 * b + 1, k) = uniform(random);
  }
  K.topRightCorner(n, 2 * bodies) = K.bottomLeftCorner(2 * bodies, n).transpose();
  return K;
}

// The largest residual of a row beside its terms: rows are forces and constraints, in units of their own.
double relative_error(const MatrixXd& K, const VectorXd& x, const VectorXd& right) {
  const VectorXd terms = K.cwiseAbs() * x.cwiseAbs() + right.cwiseAbs();
  return (K * x - right).cwiseQuotient(terms).lpNorm<Eigen::Infinity>();
}

TEST(SymmetricScales, SmallComponentsOfQuaternionsDoNotSpoilAMatrix) {
  const MatrixXd pattern = quaternion_chain(12, 0.5, 1);
  for (const double tiny : {0.0, 1e-300, 1e-160, 1e-40, 1e-20, 1e-17, 1e-9, 1e-5, 1e-3, 0.1}) {
    for (const double mass : {1e-8, 1e-2, 1.0, 1e2, 1e8}) {
      const MatrixXd K = quaternion_chain(12, tiny, mass);
      const Entries entries(K, pattern);
      SparseLu lu(static_cast<std::size_t>(K.rows()), entries.places);
      for (std::size_t k = 0; k < entries.values.size(); ++k) lu.set(k, entries.values[k]);
      ASSERT_TRUE(lu.factor(1e-14)) << tiny << ' ' << mass;
      const VectorXd right = VectorXd::LinSpaced(K.rows(), 1, 2);
      VectorXd x = right;
      lu.solve({x.data(), static_cast<std::size_t>(x.size())});
      EXPECT_LT(relative_error(K, x, right), 1e-12) << tiny << ' ' << mass;
    }
  }
}

// A pendulum [m 0 x; 0 m y; x y 0] in units of mass and length of any size.
TEST(SymmetricScales, MatricesOfAnyUnitsAreRegular) {
  for (const double mass : {1e-100, 1e-30, 1.0, 1e30, 1e100}) {
    for (const double length : {1e-100, 1e-12, 1.0, 1e12, 1e100}) {
      MatrixXd K(3, 3);
      K << mass, 0, 0.6 * length, 0, mass, 0.8 * length, 0.6 * length, 0.8 * length, 0;
      const Entries entries(K, K);
      LinearSolver<double, DoubleMath> solver(3, entries.places, 1000);
      for (std::size_t k = 0; k < entries.values.size(); ++k) solver.set(k, entries.values[k]);
      ASSERT_TRUE(solver.factor(1e-14)) << mass << ' ' << length;
      const std::vector<double> right{mass, -2 * mass, 0.5 * length};  // accelerations of size 1
      const double* x = solver.solve(right);
      for (Index i = 0; i < 3; ++i) {
        double sum = -right[static_cast<std::size_t>(i)];
        for (Index j = 0; j < 3; ++j) sum += K(i, j) * x[j];
        EXPECT_LT(std::abs(sum), 1e-14 * K.row(i).lpNorm<Eigen::Infinity>() * (std::abs(x[i]) + 10))
            << mass << ' ' << length << " row " << i;
      }
    }
  }
}

TEST(SymmetricScales, ASingularMatrixStaysSingularInAnyUnits) {
  for (const double mass : {1e-100, 1.0, 1e100}) {
    MatrixXd K = MatrixXd::Zero(4, 4);  // twice the same constraint
    K(0, 0) = K(1, 1) = mass;
    for (Index row : {2, 3}) {
      K(row, 0) = K(0, row) = 0.6;
      K(row, 1) = K(1, row) = 0.8;
    }
    const Entries entries(K, K);
    LinearSolver<double, DoubleMath> solver(4, entries.places, 1000);
    for (std::size_t k = 0; k < entries.values.size(); ++k) solver.set(k, entries.values[k]);
    EXPECT_FALSE(solver.factor(1e-14)) << mass;
  }
}

}  // namespace
}  // namespace dalembert

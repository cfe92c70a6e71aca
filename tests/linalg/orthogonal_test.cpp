// Orthogonal factorizations by what defines them, and the vector product in Rⁿ.
#include <cmath>
#include <utility>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/linalg/orthogonal.hpp>

#include "linalg/random_matrix.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Of numbers of size one.
constexpr double round_off = 1e-13;

TEST(OrthogonalFactors, MultiplyToTheMatrixAgainAndAgain) {
  OrthogonalFactors factors;
  for (const auto& [rows, columns] : {std::pair<Index, Index>{5, 3}, {4, 4}, {60, 50}, {3, 1}, {2, 0}}) {
    const MatrixXd A = random_matrix(rows, columns, 7);
    factors.factor(A);
    const MatrixXd& Q = factors.Q();
    ASSERT_EQ(Q.rows(), rows);
    EXPECT_LE((Q.transpose() * Q - MatrixXd::Identity(rows, rows)).norm(), round_off);
    ASSERT_EQ(factors.R().cols(), columns);
    const MatrixXd R = factors.R().triangularView<Eigen::Upper>();
    EXPECT_LE((Q.leftCols(columns) * R - A).norm(), round_off * 10);
  }
}

TEST(PivotedTriangle, HasTheScalarProductsOfTheColumnsInItsOrder) {
  MatrixXd A = random_matrix(6, 4, 3);
  A.col(2) *= 100;
  A.col(1) = A.col(0) - A.col(3);
  const PivotedTriangle found = factor_pivoted(A);
  EXPECT_EQ(found.order.front(), 2);  // the largest first
  const MatrixXd R = found.R.topRows(4).triangularView<Eigen::Upper>();
  const MatrixXd ordered = A(Eigen::all, found.order);
  EXPECT_LE((R.transpose() * R - ordered.transpose() * ordered).norm(), 1e4 * round_off);
  for (Index k = 1; k < 4; ++k) EXPECT_LE(std::abs(R(k, k)), std::abs(R(k - 1, k - 1)));
  EXPECT_LE(std::abs(R(3, 3)), round_off);  // one column depends on others
}

TEST(OrthonormalColumns, SpanTheSame) {
  const MatrixXd columns = random_matrix(7, 3, 5);
  const MatrixXd basis = orthonormal_columns(columns);
  ASSERT_EQ(basis.cols(), 3);
  EXPECT_LE((basis.transpose() * basis - MatrixXd::Identity(3, 3)).norm(), round_off);
  EXPECT_LE((basis * (basis.transpose() * columns) - columns).norm(), round_off);
}

TEST(LeastSquares, LeaveARestThatIsOrthogonalToTheColumns) {
  const MatrixXd A = random_matrix(8, 3, 1);
  const VectorXd b = random_matrix(8, 1, 2);
  EXPECT_LE((A.transpose() * (A * solve_least_squares(A, b) - b)).norm(), round_off);
}

// Penrose's four conditions define it; here by its action on vectors.
TEST(PseudoInverse, IsTheOneOfPenroseForAnyRank) {
  for (const Index rank : {1, 2, 4}) {
    const MatrixXd A = random_matrix(4, rank, 11) * random_matrix(rank, 6, 12);
    PseudoInverse inverse;
    inverse.factor(A, 1e-10);
    EXPECT_EQ(inverse.rank(), rank);
    MatrixXd X(6, 4);
    for (Index k = 0; k < 4; ++k) X.col(k) = inverse.solve(VectorXd::Unit(4, k));
    const double condition = A.norm() * X.norm();  // products lose as many digits
    EXPECT_LE((A * X * A - A).norm(), round_off * condition * A.norm());
    EXPECT_LE((X * A * X - X).norm(), round_off * condition * X.norm());
    EXPECT_LE((A * X - (A * X).transpose()).norm(), round_off * condition);
    EXPECT_LE((X * A - (X * A).transpose()).norm(), round_off * condition);
  }
}

TEST(VectorProduct, IsTheCrossProductInThreeDimensions) {
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::MatrixXd rows = Eigen::MatrixXd::Random(2, 3);
    const Eigen::Vector3d expected =
        Eigen::Vector3d(rows.row(0).transpose()).cross(Eigen::Vector3d(rows.row(1).transpose()));
    EXPECT_LE((vector_product(rows) - expected).norm(), 1e-14);
  }
}

TEST(VectorProduct, TurnsAVectorOfThePlaneByARightAngle) {
  const Eigen::MatrixXd row = (Eigen::MatrixXd(1, 2) << 9, 2).finished();
  EXPECT_NEAR(vector_product(row)[0], 2, 1e-14);
  EXPECT_NEAR(vector_product(row)[1], -9, 1e-14);
}

TEST(VectorProduct, GivesTheDeterminantWithAnyVectorInHigherDimensions) {
  for (const Eigen::Index n : {4, 6}) {
    const Eigen::MatrixXd rows = Eigen::MatrixXd::Random(n - 1, n);
    const Eigen::VectorXd product = vector_product(rows);
    for (int trial = 0; trial < 10; ++trial) {
      Eigen::MatrixXd square(n, n);
      square << Eigen::RowVectorXd::Random(n), rows;
      EXPECT_NEAR(square.row(0).dot(product), square.determinant(), 1e-13);
    }
  }
}

TEST(VectorProduct, VanishesForDependentRows) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Random(3, 4);
  rows.row(2) = rows.row(0) + 2 * rows.row(1);
  EXPECT_LE(vector_product(rows).norm(), 1e-15);
}

}  // namespace
}  // namespace dalembert

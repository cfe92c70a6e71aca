// LU factors of dense matrices: solutions, determinants, and how near a matrix is to a singular one.
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/linalg/lu_factors.hpp>

#include "linalg/random_matrix.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(LuFactors, SolveMatricesOfAnySizeOneAfterAnother) {
  LuFactors lu;
  for (const Index n : {1, 2, 5, 70, 3}) {
    const MatrixXd A = random_matrix(n, n, 4);
    const VectorXd x = random_matrix(n, 1, 9);
    lu.factor(A);
    EXPECT_LE((lu.solve(A * x) - x).norm(), 1e-11) << n;
  }
}

TEST(LuFactors, TellDeterminantAndPivotsWithTheirRowsExchanged) {
  LuFactors lu;
  lu.factor((MatrixXd(3, 3) << 0, 2, 0, 4, 0, 0, 0, 0, 0.5).finished());
  EXPECT_DOUBLE_EQ(lu.determinant(), -4);
  EXPECT_DOUBLE_EQ(lu.smallest_pivot(), 0.5);
}

TEST(LuFactors, TellHowNearAMatrixIsToASingularOne) {
  LuFactors lu;
  lu.factor(VectorXd::LinSpaced(4, 1, 4).asDiagonal());
  EXPECT_DOUBLE_EQ(lu.reciprocal_condition(), 0.25);
  lu.factor((MatrixXd(2, 2) << 1, 2, 2, 4).finished());
  EXPECT_EQ(lu.reciprocal_condition(), 0);
  lu.factor(MatrixXd::Zero(2, 2));
  EXPECT_EQ(lu.reciprocal_condition(), 0);
}

}  // namespace
}  // namespace dalembert

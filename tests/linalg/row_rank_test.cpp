#include <random>

#include <gtest/gtest.h>

#include <dalembert/linalg/row_rank.hpp>

#include "linalg/random_matrix.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = std::vector<Index>;

TEST(RowRank, NoRowsHaveRankZero) {
  const RowRank rank = find_row_rank(MatrixXd(0, 3));
  EXPECT_EQ(rank.rank, 0);
  EXPECT_TRUE(rank.dependent.empty());
}

TEST(RowRank, OrthogonalRowsAreIndependentWhateverTheirSizes) {
  const MatrixXd matrix = VectorXd{{1e-9, 1, 1e12}}.asDiagonal();
  const RowRank rank = find_row_rank(matrix);
  EXPECT_EQ(rank.rank, 3);
  EXPECT_EQ(rank.independent, (Rows{0, 1, 2}));
}

TEST(RowRank, TheLaterRowIsSaidToDependOnTheEarlierOnesThatMakeIt) {
  MatrixXd matrix = random_matrix(5, 6, 1);
  matrix.row(3) = 2 * matrix.row(0) - 3 * matrix.row(2);  // not of row 1, and row 4 is its own
  const RowRank rank = find_row_rank(matrix);
  EXPECT_EQ(rank.rank, 4);
  EXPECT_EQ(rank.independent, (Rows{0, 1, 2, 4}));
  ASSERT_EQ(rank.dependent.size(), 1U);
  EXPECT_EQ(rank.dependent[0].row, 3);
  EXPECT_EQ(rank.dependent[0].others, (Rows{0, 2}));
  EXPECT_NEAR(rank.dependent[0].coefficients[0], 2, 1e-13);
  EXPECT_NEAR(rank.dependent[0].coefficients[1], -3, 1e-13);
}

TEST(RowRank, CoefficientsAreThoseOfTheRowsAsGivenNotAsScaled) {
  MatrixXd matrix = random_matrix(3, 4, 2);
  matrix.row(0) *= 1e6;
  matrix.row(2) = 1e-4 * matrix.row(0) + 1e3 * matrix.row(1);
  const RowRank rank = find_row_rank(matrix);
  ASSERT_EQ(rank.dependent.size(), 1U);
  EXPECT_NEAR(rank.dependent[0].coefficients[0], 1e-4, 1e-16);
  EXPECT_NEAR(rank.dependent[0].coefficients[1], 1e3, 1e-9);
}

TEST(RowRank, ARowOfZerosDependsOnNothing) {
  MatrixXd matrix = random_matrix(3, 3, 3);
  matrix.row(1).setZero();
  const RowRank rank = find_row_rank(matrix);
  EXPECT_EQ(rank.rank, 2);
  ASSERT_EQ(rank.dependent.size(), 1U);
  EXPECT_EQ(rank.dependent[0].row, 1);
  EXPECT_TRUE(rank.dependent[0].others.empty());
}

TEST(RowRank, ARowOfRoundOffVanishesWhenItIsLargeElsewhere) {
  MatrixXd matrix = random_matrix(2, 3, 4);
  matrix.row(1) *= 1e-17;
  EXPECT_EQ(find_row_rank(matrix).rank, 2);
  EXPECT_EQ(find_row_rank(matrix, VectorXd{{1, 0.01}}).rank, 1);
}

TEST(RowRank, MoreRowsThanColumnsAreDependent) {
  const RowRank rank = find_row_rank(random_matrix(5, 2, 5));
  EXPECT_EQ(rank.rank, 2);
  EXPECT_EQ(rank.independent, (Rows{0, 1}));
  EXPECT_EQ(rank.dependent.size(), 3U);
}

TEST(RowRank, MismatchIsWhatTheRightSideOfADependentRowIsOff) {
  MatrixXd matrix = random_matrix(3, 4, 6);
  matrix.row(2) = matrix.row(0) + matrix.row(1);
  const RowRank rank = find_row_rank(matrix);
  ASSERT_EQ(rank.dependent.size(), 1U);
  EXPECT_NEAR(rank.mismatch(rank.dependent[0], VectorXd{{1, 2, 3}}), 0, 1e-13);
  EXPECT_NEAR(rank.mismatch(rank.dependent[0], VectorXd{{1, 2, 2.5}}), 0.5, 1e-13);
}

TEST(RowRank, PlantedDependenciesOfRandomMatricesAreReproduced) {
  std::mt19937 generator(7);
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Index independent = 1 + static_cast<Index>(generator() % 6);
    const Index dependent = static_cast<Index>(generator() % 4);
    const Index columns = independent + static_cast<Index>(generator() % 4);
    MatrixXd matrix(independent + dependent, columns);
    matrix.topRows(independent) = random_matrix(independent, columns, 100 + seed);
    matrix.bottomRows(dependent) =
        random_matrix(dependent, independent, 500 + seed) * matrix.topRows(independent);
    const RowRank rank = find_row_rank(matrix);
    ASSERT_EQ(rank.rank, independent) << "seed " << seed;
    for (const RowDependency& dependency : rank.dependent) {
      VectorXd row = matrix.row(dependency.row);
      for (std::size_t k = 0; k < dependency.others.size(); ++k) {
        row -= dependency.coefficients[k] * matrix.row(dependency.others[k]).transpose();
      }
      EXPECT_LT(row.norm(), 1e-9 * matrix.norm()) << "seed " << seed;
    }
  }
}

TEST(PivotColumns, SolveForTheLargeEntriesAndTheKernelIsOrthonormal) {
  MatrixXd matrix(2, 4);
  matrix << 1, 0, 0.1, 0.2, 0, 0.1, 1, 0.3;
  EXPECT_EQ(choose_pivot_columns(matrix), (Rows{0, 2}));
  EXPECT_EQ(choose_pivot_columns(matrix, VectorXd{{1, 1, 1, 100}}), (Rows{0, 3}));
  const MatrixXd kernel = make_kernel_basis(matrix);
  EXPECT_LT((matrix * kernel).norm(), 1e-15);
  EXPECT_LT((kernel.transpose() * kernel - MatrixXd::Identity(2, 2)).norm(), 1e-15);
}

}  // namespace
}  // namespace dalembert

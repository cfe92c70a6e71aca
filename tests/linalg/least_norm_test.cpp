#include <random>

#include <gtest/gtest.h>

#include <dalembert/linalg/least_norm.hpp>
#include <dalembert/linalg/saddle_point.hpp>

#include "linalg/random_matrix.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_mass(Index n, unsigned seed) {
  const MatrixXd root = random_matrix(n, n, seed);
  return root * root.transpose() + MatrixXd::Identity(n, n);
}

TEST(LeastNorm, HeavyCoordinatesMoveLess) {
  LeastNorm solver;  // x2 − x1 = 1 for masses 1 and 3: moves are as 3 to 1
  solver.factor(MatrixXd{{-1, 1}}, VectorXd{{1, 3}}.asDiagonal());
  const VectorXd x = solver.solve(VectorXd{{1}});
  EXPECT_NEAR(x[0], -0.75, 1e-15);
  EXPECT_NEAR(x[1], 0.25, 1e-15);
  EXPECT_NEAR(solver.norm(x), std::sqrt(0.75 * 0.75 + 3 * 0.25 * 0.25), 1e-15);
}

TEST(LeastNorm, SolvesTheRowsAndIsOrthogonalToTheirKernelInTheGivenNorm) {
  MatrixXd C = random_matrix(4, 7, 1);
  C.row(3) = C.row(0) - 2 * C.row(1);
  const MatrixXd W = random_mass(7, 2);
  const VectorXd right = C * random_matrix(7, 1, 3);
  LeastNorm solver;
  solver.factor(C, W);
  const VectorXd x = solver.solve(right);
  EXPECT_EQ(solver.rank(), 3);
  EXPECT_LT((C * x - right).norm(), 1e-13);
  const MatrixXd kernel = make_kernel_basis(C.topRows(3));
  EXPECT_LT((kernel.transpose() * W * x).norm(), 1e-12);
}

TEST(LeastNorm, ContradictingRowsAreMetHalfWay) {
  LeastNorm solver;
  solver.factor(MatrixXd{{1}, {1}}, MatrixXd{{1}});
  EXPECT_NEAR(solver.solve(VectorXd{{0, 1}})[0], 0.5, 1e-15);
}

TEST(SaddlePoint, SolvesBothRowsOfTheSystem) {
  const MatrixXd M = random_mass(6, 4);
  const MatrixXd C = random_matrix(3, 6, 5);
  const VectorXd f = random_matrix(6, 1, 6);
  const VectorXd gamma = random_matrix(3, 1, 7);
  const auto solution = solve_saddle_point(M, C, f, gamma, find_row_rank(C));
  ASSERT_TRUE(solution);
  EXPECT_LT((M * solution->a + C.transpose() * solution->lambda - f).norm(), 1e-13);
  EXPECT_LT((C * solution->a - gamma).norm(), 1e-13);
}

TEST(SaddlePoint, RedundantRowsShareTheMultiplierEvenly) {
  const MatrixXd C{{1, 0}, {1, 0}, {2, 0}};  // λ is a multiple of (1, 1, 2), Cᵀ λ = 6
  const auto solution =
      solve_saddle_point(MatrixXd::Identity(2, 2), C, VectorXd{{6, 5}}, VectorXd::Zero(3), find_row_rank(C));
  ASSERT_TRUE(solution);
  EXPECT_NEAR(solution->a[1], 5, 1e-15);
  EXPECT_LT((solution->lambda - VectorXd{{1, 1, 2}}).norm(), 1e-14);
}

TEST(SaddlePoint, MassesThatAreSingularOnlyWhereConstraintsHoldAreFine) {
  const MatrixXd M = VectorXd{{1, 0}}.asDiagonal();
  const MatrixXd C{{0, 1}};
  const auto solution = solve_saddle_point(M, C, VectorXd{{2, 3}}, VectorXd{{4}}, find_row_rank(C));
  ASSERT_TRUE(solution);
  EXPECT_EQ(solution->a, (VectorXd{{2, 4}}));
  EXPECT_EQ(solution->lambda, (VectorXd{{3}}));
}

TEST(SaddlePoint, NothingComesOutWhereAMotionHasNoInertia) {
  const MatrixXd M = VectorXd{{1, 0}}.asDiagonal();
  const MatrixXd C{{1, 0}};
  EXPECT_FALSE(solve_saddle_point(M, C, VectorXd{{2, 3}}, VectorXd{{4}}, find_row_rank(C)));
}

TEST(SaddlePoint, BadlyScaledSystemsKeepAllDigits) {
  const MatrixXd M = VectorXd{{1e-9, 1e3, 1e6}}.asDiagonal();  // x1 = x2, x3 alone
  const MatrixXd C{{1e-4, -1e-4, 0}};
  const auto solution = solve_saddle_point(M, C, VectorXd{{1, 2, 3}}, VectorXd{{0}}, find_row_rank(C));
  ASSERT_TRUE(solution);
  const double a = 3 / (1e3 + 1e-9);
  EXPECT_NEAR(solution->a[0] / a, 1, 1e-15);
  EXPECT_NEAR(solution->a[1] / a, 1, 1e-15);
  EXPECT_NEAR(solution->lambda[0] / ((1 - 1e-9 * a) / 1e-4), 1, 1e-15);
}

}  // namespace
}  // namespace dalembert

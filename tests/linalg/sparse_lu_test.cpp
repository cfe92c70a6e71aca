#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/base/team.hpp>
#include <dalembert/linalg/linear_solver.hpp>
#include <dalembert/linalg/sparse_lu.hpp>

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A saddle-point matrix like that of a chain: diagonal masses, each constraint between two neighbours.
struct SparseMatrix {
  std::vector<MatrixPlace> places;
  std::vector<double> values;
  std::size_t size = 0;

  void add(std::size_t row, std::size_t column, double value) {
    places.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
    values.push_back(value);
  }
  MatrixXd dense() const {
    MatrixXd matrix = MatrixXd::Zero(static_cast<Index>(size), static_cast<Index>(size));
    for (std::size_t k = 0; k < places.size(); ++k) matrix(places[k].row, places[k].column) = values[k];
    return matrix;
  }
};

SparseMatrix chain_matrix(std::size_t links, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(0.5, 2);
  SparseMatrix matrix;
  matrix.size = 3 * links;
  for (std::size_t i = 0; i < 2 * links; ++i) matrix.add(i, i, uniform(generator));
  for (std::size_t j = 0; j < links; ++j) {
    for (std::size_t i = j == 0 ? 0 : 2 * j - 2; i < 2 * j + 2; ++i) {
      const double value = i < 2 * j ? -uniform(generator) : uniform(generator);
      matrix.add(2 * links + j, i, value);
      matrix.add(i, 2 * links + j, value);
    }
  }
  return matrix;
}

template <class Solver>
void fill(Solver& solver, const SparseMatrix& matrix) {
  for (std::size_t k = 0; k < matrix.values.size(); ++k) solver.set(k, matrix.values[k]);
}

// Masses without which constraints determine the motion all the same: each second one.
SparseMatrix chain_with_specks(std::size_t links, double mass) {
  SparseMatrix matrix = chain_matrix(links, 5);
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    const auto [row, column] = matrix.places[k];
    if (row == column && row % 4 < 2) matrix.values[k] *= mass;
  }
  return matrix;
}

double relative_residual(const SparseMatrix& matrix, const VectorXd& x, const VectorXd& rhs) {
  const MatrixXd dense = matrix.dense();
  return (dense * x - rhs).norm() / (dense.norm() * x.norm());
}

TEST(SparseLu, SolvesAgainAndAgainAsTheValuesChange) {
  const std::size_t links = 100;
  SparseLu lu(3 * links, chain_matrix(links, 0).places);
  for (unsigned seed = 0; seed < 5; ++seed) {
    const SparseMatrix matrix = chain_matrix(links, seed);
    fill(lu, matrix);
    ASSERT_TRUE(lu.factor(1e-14));
    const VectorXd rhs = VectorXd::LinSpaced(static_cast<Index>(matrix.size), -1, 1);
    VectorXd x = rhs;
    lu.solve({x.data(), matrix.size});
    EXPECT_LT(relative_residual(matrix, x, rhs), 1e-15);
  }
}

TEST(SparseLu, SearchesNewPivotsWhenTheLastOnesVanish) {
  const std::vector<MatrixPlace> full = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  SparseLu lu(2, full);
  const auto solve = [&](double a, double b, double c, double d) {
    const std::array<double, 4> values = {a, b, c, d};
    for (std::size_t k = 0; k < 4; ++k) lu.set(k, values[k]);
    EXPECT_TRUE(lu.factor(1e-14));
    std::array<double, 2> x = {a + b, c + d};  // solution 1, 1
    lu.solve(x);
    EXPECT_NEAR(x[0], 1, 1e-14);
    EXPECT_NEAR(x[1], 1, 1e-14);
  };
  solve(1, 2, 3, 4);
  solve(0, 2, 3, 0);
  solve(1e-20, 1, 1, 0);
}

TEST(SparseLu, MassesThatAreNothingBesideOthersDoNotMakeAMatrixSingular) {
  for (const double mass : {1e-12, 1e-19, 1e-24, 0.0}) {
    const SparseMatrix matrix = chain_with_specks(20, mass);
    SparseLu lu(matrix.size, matrix.places);
    fill(lu, matrix);
    ASSERT_TRUE(lu.factor(1e-14)) << mass;
    const VectorXd rhs = VectorXd::LinSpaced(static_cast<Index>(matrix.size), -1, 1);
    VectorXd x = rhs;
    lu.solve({x.data(), matrix.size});
    EXPECT_LT(relative_residual(matrix, x, rhs), 1e-14) << mass;
  }
}

TEST(SparseLu, ASingularMatrixIsRefusedAndTheNextOneTaken) {
  SparseMatrix matrix = chain_matrix(20, 1);
  SparseLu lu(matrix.size, matrix.places);
  SparseMatrix singular = matrix;
  for (std::size_t k = 0; k < singular.places.size(); ++k) {  // the first constraint vanishes
    if (singular.places[k].row == 40 || singular.places[k].column == 40) singular.values[k] = 0;
  }
  fill(lu, singular);
  EXPECT_FALSE(lu.factor(1e-14));
  fill(lu, matrix);
  EXPECT_TRUE(lu.factor(1e-14));
  matrix.values[3] = std::numeric_limits<double>::quiet_NaN();
  fill(lu, matrix);
  EXPECT_FALSE(lu.factor(1e-14));
}

// |A x − b| / (|A| |x|) without a dense matrix.
double sparse_residual(const SparseMatrix& matrix, const std::vector<double>& x,
                       const std::vector<double>& rhs) {
  std::vector<double> residual = rhs;
  double entries = 0;
  for (std::size_t k = 0; k < matrix.places.size(); ++k) {
    residual[matrix.places[k].row] -= matrix.values[k] * x[matrix.places[k].column];
    entries += matrix.values[k] * matrix.values[k];
  }
  const auto norm = [](const std::vector<double>& v) {
    return Eigen::Map<const VectorXd>(v.data(), static_cast<Index>(v.size())).norm();
  };
  return norm(residual) / (std::sqrt(entries) * norm(x));
}

// The same, with each mass on one of the `furthest` masses before it.
SparseMatrix tree_matrix(std::size_t links, std::size_t furthest) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(0.5, 2);
  SparseMatrix matrix;
  matrix.size = 3 * links;
  for (std::size_t i = 0; i < 2 * links; ++i) matrix.add(i, i, uniform(generator));
  for (std::size_t j = 0; j < links; ++j) {
    const std::size_t other = j == 0 ? 0 : j - 1 - generator() % std::min(furthest, j);
    std::vector<std::size_t> columns = {2 * j, 2 * j + 1};
    if (j > 0) columns.insert(columns.end(), {2 * other, 2 * other + 1});
    for (const std::size_t i : columns) {
      const double value = i < 2 * j ? -uniform(generator) : uniform(generator);
      matrix.add(2 * links + j, i, value);
      matrix.add(i, 2 * links + j, value);
    }
  }
  return matrix;
}

TEST(SparseLu, VeryLargeMatricesHaveTheSameSolutionOnAnyNumberOfThreads) {
  for (const SparseMatrix& matrix : {chain_matrix(1500, 2), tree_matrix(1500, 5), tree_matrix(1500, 1500)}) {
    SparseLu lu(matrix.size, matrix.places);
    fill(lu, matrix);
    ASSERT_TRUE(lu.factor(1e-14));
    std::vector<double> rhs(matrix.size);
    for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] = std::sin(static_cast<double>(i));
    std::vector<double> alone(matrix.size), shared(matrix.size);
    lu.solve(rhs, alone, nullptr);
    EXPECT_LT(sparse_residual(matrix, alone, rhs), 1e-15);
    for (int threads = 2; threads <= 4; ++threads) {
      Team team(threads);
      lu.solve(rhs, shared, &team);
      EXPECT_EQ(shared, alone) << threads;
    }
    lu.solve(rhs);
    EXPECT_EQ(rhs, alone);
  }
}

TEST(LinearSolver, SmallMediumAndLargeMatricesAreSolvedAlike) {
  for (const std::size_t links : {3U, 11U, 15U, 200U}) {
    const SparseMatrix matrix = chain_matrix(links, 7);
    for (const int solves : {1, 1000}) {
      LinearSolver<double, DoubleMath> solver(matrix.size, matrix.places, solves);
      solver.clear();
      fill(solver, matrix);
      ASSERT_TRUE(solver.factor(1e-14));
      const VectorXd rhs = VectorXd::LinSpaced(static_cast<Index>(matrix.size), -1, 1);
      const double* solution = solver.solve({rhs.begin(), rhs.end()});
      const VectorXd x = Eigen::Map<const VectorXd>(solution, rhs.size());
      EXPECT_LT(relative_residual(matrix, x, rhs), 2e-15) << links << ' ' << solves;
    }
  }
}

}  // namespace
}  // namespace dalembert

// The explicit inverse of small matrices, beside LU with the same right-hand sides.
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/linalg/dense_inverse.hpp>

namespace dalembert {
namespace {

using Matrix = std::vector<std::vector<double>>;

DenseInverse inverse_of(const Matrix& matrix) {
  DenseInverse inverse(matrix.size());
  inverse.clear();
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) inverse.entry(i, j) = matrix[i][j];
  }
  return inverse;
}

std::vector<double> product(const Matrix& matrix, const std::vector<double>& x) {
  std::vector<double> b(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) b[i] += matrix[i][j] * x[j];
  }
  return b;
}

TEST(DenseInverse, SolvesEverySizeItTakes) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> digit(-9, 9);
  for (std::size_t size = 1; size <= DenseInverse::largest_size; ++size) {
    Matrix matrix(size, std::vector<double>(size));
    std::vector<double> x(size);
    for (std::size_t i = 0; i < size; ++i) {
      x[i] = digit(random);
      for (double& entry : matrix[i]) entry = digit(random);
      matrix[i][(i + 1) % size] += 40.0 * std::sqrt(static_cast<double>(size));  // far from singular
    }
    DenseInverse inverse = inverse_of(matrix);
    ASSERT_TRUE(inverse.factor(1e-14));
    const std::vector<double> b = product(matrix, x);  // exact but for the irrational diagonal
    const double* solution = inverse.solve(b.data());
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(solution[i], x[i], 1e-13) << size;
  }
}

// A second matrix takes the pivots of the first, unless they are too small for it.
TEST(DenseInverse, SolvesEverySizeWithThePivotsOfTheMatrixBefore) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> digit(-9, 9);
  for (std::size_t size = 2; size <= DenseInverse::largest_size; ++size) {
    for (const std::size_t other_place : {std::size_t{1}, std::size_t{0}}) {
      const double large = 40.0 * static_cast<double>(size);
      Matrix matrix(size, std::vector<double>(size));
      for (std::size_t i = 0; i < size; ++i) matrix[i][(i + 1) % size] = large;
      DenseInverse inverse = inverse_of(matrix);
      ASSERT_TRUE(inverse.factor(1e-14));
      std::vector<double> x(size);
      inverse.clear();
      for (std::size_t i = 0; i < size; ++i) {
        x[i] = digit(random);
        for (std::size_t j = 0; j < size; ++j) {
          const bool is_large = j == (i + other_place) % size;
          matrix[i][j] = (is_large ? large : 0) + digit(random);
          inverse.entry(i, j) = matrix[i][j];
        }
      }
      ASSERT_TRUE(inverse.factor(1e-14)) << size;
      const std::vector<double> b = product(matrix, x);
      const double* solution = inverse.solve(b.data());
      for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(solution[i], x[i], 1e-12) << size;
    }
  }
}

TEST(DenseInverse, DependentRowsAreSingularAfterAMatrixThatIsNot) {
  DenseInverse inverse = inverse_of({{1, 2, 3}, {2, 4, 7}, {1, 0, 1}});
  ASSERT_TRUE(inverse.factor(1e-14));
  inverse.entry(1, 2) = 6;
  EXPECT_FALSE(inverse.factor(1e-14));
  inverse.entry(1, 2) = std::nan("");
  EXPECT_FALSE(inverse.factor(1e-14));
}

TEST(DenseInverse, ASaddlePointMatrixNeedsItsPivots) {
  // the pendulum: M = I, C = (3, 4); solution (1, 2; 5)
  const Matrix matrix = {{1, 0, 3}, {0, 1, 4}, {3, 4, 0}};
  DenseInverse inverse = inverse_of(matrix);
  ASSERT_TRUE(inverse.factor(1e-14));
  const std::vector<double> b = {16, 22, 11};
  const double* solution = inverse.solve(b.data());
  // eigenvalues 1 and (1 ± √101)/2: condition 5.5, so n cond ε |x| = 2e-14 bounds the error
  EXPECT_NEAR(solution[0], 1, 2e-14);
  EXPECT_NEAR(solution[1], 2, 2e-14);
  EXPECT_NEAR(solution[2], 5, 2e-14);
}

TEST(DenseInverse, UnitsOfRowsAndColumnsDoNotMatter) {
  // D S D with D = diag(1e-9, 1e3, 1e6) and S = [2 1 1; 1 3 1; 1 1 0]
  const double d[3] = {1e-9, 1e3, 1e6};
  const double s[3][3] = {{2, 1, 1}, {1, 3, 1}, {1, 1, 0}};
  const double y[3] = {3, -1, 2};  // of S
  Matrix matrix(3, std::vector<double>(3));
  std::vector<double> b(3, 0.0);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      matrix[i][j] = d[i] * s[i][j] * d[j];
      b[i] += d[i] * s[i][j] * y[j];
    }
  }
  DenseInverse inverse = inverse_of(matrix);
  ASSERT_TRUE(inverse.factor(1e-14));
  const double* solution = inverse.solve(b.data());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(solution[i] * d[i], y[i], 1e-13);
}

TEST(DenseInverse, DependentRowsAreSingular) {
  DenseInverse dependent = inverse_of({{1, 2, 3}, {2, 4, 6}, {1, 0, 1}});
  EXPECT_FALSE(dependent.factor(1e-14));
  DenseInverse empty_row = inverse_of({{1, 0}, {0, 0}});
  EXPECT_FALSE(empty_row.factor(1e-14));
  DenseInverse not_a_number = inverse_of({{1, std::nan("")}, {0, 1}});
  EXPECT_FALSE(not_a_number.factor(1e-14));
}

}  // namespace
}  // namespace dalembert

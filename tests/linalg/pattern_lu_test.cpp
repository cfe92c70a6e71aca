// L U of a fixed pattern: by a list or by KLU, the same solution.
#include <cstdint>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/linalg/pattern_lu.hpp>

#include "random_matrix.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Pattern {
  std::vector<StaticLu::Place> places;
  std::vector<StaticLu::Source> sources;
};

// Entries at most `reach` from the diagonal; every number is stored as half of the entry.
Pattern band(std::uint32_t size, std::uint32_t reach) {
  Pattern p;
  for (std::uint32_t i = 0; i < size; ++i) {
    for (std::uint32_t j = i > reach ? i - reach : 0; j < size && j <= i + reach; ++j) {
      p.sources.push_back({2, static_cast<std::uint32_t>(p.places.size())});
      p.places.push_back({i, j});
    }
  }
  return p;
}

std::vector<double> numbers_of(const Pattern& p, const MatrixXd& matrix) {
  std::vector<double> numbers;
  for (const auto& [row, column] : p.places) numbers.push_back(matrix(row, column) / 2);
  return numbers;
}

MatrixXd banded(const Pattern& p, Index size) {
  const MatrixXd random = random_matrix(size, size, 3);
  MatrixXd matrix = MatrixXd::Zero(size, size);
  for (const auto& [row, column] : p.places)
    matrix(row, column) = random(row, column) + (row == column ? 4 : 0);
  return matrix;
}

TEST(PatternLu, SmallMatricesAndLargerOnesWithFewEntriesGoByAList) {
  const auto is_list = [](std::uint32_t size, std::uint32_t reach) {
    const Pattern p = band(size, reach);
    return PatternLu(size, p.places, p.sources).is_list();
  };
  EXPECT_TRUE(is_list(100, 100));
  EXPECT_TRUE(is_list(1000, 2));
  EXPECT_FALSE(is_list(400, 400));
  EXPECT_FALSE(is_list(5000, 1));
}

TEST(PatternLu, SolvesByEitherWay) {
  for (const auto& [size, reach] : {std::pair{30U, 30U}, {500U, 2U}, {210U, 210U}}) {
    const Pattern p = band(size, reach);
    const MatrixXd matrix = banded(p, size);
    const std::vector<double> numbers = numbers_of(p, matrix);
    PatternLu lu(size, p.places, p.sources);
    const VectorXd expected = VectorXd::LinSpaced(size, 1, 2);
    const VectorXd rhs = matrix * expected;
    VectorXd together = rhs, apart = rhs;
    ASSERT_TRUE(lu.factor_and_solve(numbers, {together.data(), size}));
    EXPECT_LT((matrix * together - rhs).norm(), 1e-12 * matrix.norm() * together.norm()) << size;
    ASSERT_TRUE(lu.factor(numbers));
    lu.solve({apart.data(), size});
    EXPECT_LT((matrix * apart - rhs).norm(), 1e-12 * matrix.norm() * apart.norm()) << size;
  }
}

TEST(PatternLu, ASingularMatrixIsRefusedAndTheRightSideStays) {
  for (const auto& [size, reach] : {std::pair{30U, 30U}, {210U, 210U}}) {
    const Pattern p = band(size, reach);
    MatrixXd matrix = banded(p, size);
    matrix.row(1) = matrix.row(0);
    PatternLu lu(size, p.places, p.sources);
    const std::vector<double> numbers = numbers_of(p, matrix);
    EXPECT_FALSE(lu.factor(numbers));
    VectorXd rhs = VectorXd::Ones(size);
    EXPECT_FALSE(lu.factor_and_solve(numbers, {rhs.data(), size}));
    EXPECT_EQ(rhs, VectorXd::Ones(size));
  }
}

}  // namespace
}  // namespace dalembert

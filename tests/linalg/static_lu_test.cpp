// Random sparse matrices against Eigen's dense LU, and matrices whose pivots become bad.
#include <random>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/linalg/static_lu.hpp>

namespace dalembert {
namespace {

Eigen::MatrixXd dense(const StaticLu& lu, const std::vector<StaticLu::Place>& places,
                      std::span<const double> values) {
  const auto n = static_cast<Eigen::Index>(lu.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t e = 0; e < places.size(); ++e) matrix(places[e].row, places[e].column) = values[e];
  return matrix;
}

TEST(StaticLu, SolvesSparseSystemsOfChangingValuesAndOfEveryScale) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const std::uint32_t size : {1U, 5U, 13U, 30U}) {
    std::vector<StaticLu::Place> places;
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t j = 0; j < size; ++j) {
        if (i == j || (random() % 4) == 0) places.push_back({i, j});
      }
    }
    StaticLu lu(size, places);
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> values;
      for (const StaticLu::Place& place : places) {  // rows from 1e-6 to 1e6
        values.push_back(number(random) * std::pow(10.0, 12.0 * place.row / size - 6));
      }
      std::copy(values.begin(), values.end(), lu.values().begin());
      const Eigen::MatrixXd matrix = dense(lu, places, values);
      const Eigen::VectorXd expected = Eigen::VectorXd::Random(size);
      Eigen::VectorXd x = matrix * expected;
      ASSERT_TRUE(lu.factor());
      lu.solve({x.data(), static_cast<std::size_t>(x.size())});
      const Eigen::VectorXd row_size = matrix.rowwise().lpNorm<Eigen::Infinity>();
      const Eigen::MatrixXd scaled = row_size.cwiseInverse().asDiagonal() * matrix;
      const Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled);
      const double condition = svd.singularValues()[0] / svd.singularValues()[size - 1];
      EXPECT_LE((x - expected).norm(), 1e-13 * condition * expected.norm()) << size << ' ' << trial;
      Eigen::VectorXd at_once = matrix * expected;
      ASSERT_TRUE(lu.factor_and_solve(values, {at_once.data(), static_cast<std::size_t>(at_once.size())}));
      EXPECT_LE((at_once - expected).norm(), 1e-13 * condition * expected.norm()) << size << ' ' << trial;
    }
  }
}

TEST(StaticLu, ChoosesNewPivotsWhereTheOldOnesVanish) {
  const std::vector<StaticLu::Place> places{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  StaticLu lu(2, places);
  const std::vector<std::vector<double>> matrices{{2, 1, 1, 0}, {0, 1, 1, 2}, {1e-9, 1, 1, 1}};
  for (const std::vector<double>& values : matrices) {
    std::copy(values.begin(), values.end(), lu.values().begin());
    ASSERT_TRUE(lu.factor());
    std::vector<double> x{values[0] * 3 + values[1] * 5, values[2] * 3 + values[3] * 5};
    lu.solve(x);
    EXPECT_NEAR(x[0], 3, 1e-14);
    EXPECT_NEAR(x[1], 5, 1e-14);
  }
  for (const std::vector<double>& values : matrices) {
    std::vector<double> x{values[0] * 3 + values[1] * 5, values[2] * 3 + values[3] * 5};
    ASSERT_TRUE(lu.factor_and_solve(values, x));
    EXPECT_NEAR(x[0], 3, 1e-14);
    EXPECT_NEAR(x[1], 5, 1e-14);
  }
  EXPECT_GE(lu.analyses(), 2U);
}

TEST(StaticLu, TellsASingularMatrix) {
  StaticLu lu(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const std::vector<double> values{1, 2, 2, 4};
  std::copy(values.begin(), values.end(), lu.values().begin());
  EXPECT_FALSE(lu.factor());
  std::vector<double> right{1, 2};
  EXPECT_FALSE(lu.factor_and_solve(values, right));
  lu.values()[3] = 5;  // and is ready for the next
  EXPECT_TRUE(lu.factor());
}

}  // namespace
}  // namespace dalembert

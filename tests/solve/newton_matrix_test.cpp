// The matrix of a Newton iteration is the sum of what was added at its places.
#include "multistep/newton_matrix.hpp"

#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace dalembert {
namespace {

TEST(NewtonMatrix, APlaceHasOneNumber) {
  NewtonMatrix matrix(2);
  const std::size_t corner = matrix.at(0, 0);
  EXPECT_NE(matrix.at(0, 1), corner);
  EXPECT_NE(matrix.at(1, 0), matrix.at(0, 1));
  EXPECT_EQ(matrix.at(0, 0), corner);
}

TEST(NewtonMatrix, SolvesWithTheSumOfWhatWasAdded) {
  constexpr std::size_t size = 12;
  NewtonMatrix matrix(size);
  struct Term {
    std::size_t place;
    Eigen::Index row, column;
  };
  std::vector<Term> terms;
  for (std::size_t i = 0; i < size; ++i) {
    for (const std::size_t j : {i, (i + 1) % size, (i * i + 3) % size})
      terms.push_back({matrix.at(i, j), static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)});
  }
  matrix.close();
  for (const double h : {1e-3, 1.0}) {
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(size, size);
    matrix.clear();
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const double value = (k % 3 == 0 ? 4 : h) + 0.01 * static_cast<double>(k);
      matrix.add(terms[k].place, value);
      expected(terms[k].row, terms[k].column) += value;
    }
    ASSERT_TRUE(matrix.factor());
    Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(size, -1, 2);
    const Eigen::VectorXd rhs = x;
    matrix.solve({x.data(), size});
    EXPECT_LT((expected * x - rhs).cwiseAbs().maxCoeff(), 1e-13) << h;
  }
}

// Entries of M and of h² times a stiffness stand side by side: a small one is not a missing one.
TEST(NewtonMatrix, RefusesOnlyWhatCannotBeSolvedFor) {
  NewtonMatrix matrix(2);
  const std::size_t a = matrix.at(0, 0), b = matrix.at(0, 1), c = matrix.at(1, 0), d = matrix.at(1, 1);
  matrix.close();
  matrix.add(a, 1e-9);
  matrix.add(b, 1);
  matrix.add(c, 1e-9);
  matrix.add(d, 1 + 1e-12);  // rows are apart by this alone
  EXPECT_TRUE(matrix.factor());
  matrix.clear();
  for (const std::size_t place : {a, b, c, d}) matrix.add(place, 1);
  EXPECT_FALSE(matrix.factor());
}

}  // namespace
}  // namespace dalembert

// Saddle-point matrices [M Cᵀ; C 0] against Eigen's LU, and matrices that are left to StaticLu.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/linalg/static_symmetric.hpp>

namespace dalembert {
namespace {

std::span<double> view(Eigen::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

// A matrix of which every place has a number of its own; mirrored places share it.
struct Sparse {
  explicit Sparse(const Eigen::MatrixXd& pattern) {
    const auto size = static_cast<std::uint32_t>(pattern.rows());
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) {
        if (pattern(i, j) == 0) continue;
        lower.push_back({i, j});
        add(i, j);
        if (i != j) add(j, i);
      }
    }
  }
  void add(std::uint32_t i, std::uint32_t j) {
    places.push_back({i, j});
    sources.push_back({2, static_cast<std::uint32_t>(lower.size() - 1)});
  }
  std::vector<double> numbers(const Eigen::MatrixXd& matrix) const {
    std::vector<double> result;
    for (const StaticLu::Place& place : lower) result.push_back(matrix(place.row, place.column) / 2);
    return result;
  }

  std::vector<StaticLu::Place> lower, places;
  std::vector<StaticLu::Source> sources;
};

struct Chain {  // masses from 0.1 to 10, every constraint between neighbours
  explicit Chain(Eigen::Index n) : size(2 * n - 1), n(n) {}
  Eigen::MatrixXd draw(std::mt19937& random) const {
    std::uniform_real_distribution<double> number(0.5, 1.5);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double mass = std::pow(10.0, 2.0 * static_cast<double>(i) / static_cast<double>(n) - 1);
      K(i, i) = mass * number(random);
      if (i + 1 == n) break;
      K(n + i, i) = K(i, n + i) = number(random);
      K(n + i, i + 1) = K(i + 1, n + i) = -number(random);
    }
    return K;
  }
  Eigen::Index size, n;
};

TEST(StaticSymmetric, SolvesSaddlePointSystemsOfChangingValues) {
  std::mt19937 random(3);
  for (const int n : {2, 7, 20}) {
    const Chain chain(n);
    const Sparse sparse(chain.draw(random));
    const auto size = static_cast<std::size_t>(chain.size);
    StaticSymmetric factors(size, sparse.places, sparse.sources);
    for (int trial = 0; trial < 30; ++trial) {
      const Eigen::MatrixXd K = chain.draw(random);
      const std::vector<double> numbers = sparse.numbers(K);
      const Eigen::VectorXd right = Eigen::VectorXd::Random(chain.size);
      const Eigen::VectorXd expected = K.fullPivLu().solve(right);
      Eigen::VectorXd x = right;
      ASSERT_TRUE(factors.factor(numbers));
      EXPECT_FALSE(factors.by_lu());
      factors.solve(view(x));
      EXPECT_LE((K * x - right).norm(), 1e-13 * (K.norm() * x.norm() + right.norm())) << n << ' ' << trial;
      EXPECT_LE((x - expected).norm(), 1e-12 * expected.norm()) << n << ' ' << trial;
      Eigen::VectorXd at_once = right;
      ASSERT_TRUE(factors.factor_and_solve(numbers, view(at_once)));
      EXPECT_LE((at_once - x).norm(), 1e-14 * x.norm()) << n << ' ' << trial;
    }
  }
}

TEST(StaticSymmetric, LeavesToLuWhatHasNoDiagonalToDivideBy) {
  Eigen::MatrixXd K(3, 3);
  K << 0, 0, 1, 0, 2, 0, 1, 0, 0;  // a motion without inertia, held by the constraint
  const Sparse sparse(Eigen::MatrixXd::Ones(3, 3));
  StaticSymmetric factors(3, sparse.places, sparse.sources);
  for (const double mass : {0.0, 1e-20, 1.0, 0.0}) {
    K(0, 0) = mass;
    const Eigen::VectorXd expected = Eigen::VectorXd::LinSpaced(3, 1, 3);
    Eigen::VectorXd x = K * expected;
    ASSERT_TRUE(factors.factor_and_solve(sparse.numbers(K), view(x))) << mass;
    EXPECT_EQ(factors.by_lu(), mass < 1) << mass;
    EXPECT_LE((x - expected).norm(), 1e-14) << mass;
  }
}

TEST(StaticSymmetric, NearlyDependentConstraintsAreLeftToLu) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(4, 4);
  const Sparse sparse(Eigen::MatrixXd::Ones(4, 4));
  StaticSymmetric factors(4, sparse.places, sparse.sources);
  const std::vector<double> angles{1, 1e-6, 1, 1};
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const double angle = angles[k];
    K.topLeftCorner(2, 2).setIdentity();
    K.bottomLeftCorner(2, 2) << 1, 0, 1, angle;
    K.topRightCorner(2, 2) = K.bottomLeftCorner(2, 2).transpose();
    const Eigen::VectorXd expected = Eigen::VectorXd::LinSpaced(4, 1, 4);
    Eigen::VectorXd x = K * expected;
    ASSERT_TRUE(factors.factor_and_solve(sparse.numbers(K), view(x))) << angle;
    EXPECT_EQ(factors.by_lu(), k == 1 || k == 2) << k;  // and the next one
    // the coordinates are as good as the angle is known; C M⁻¹ Cᵀ would have its square
    EXPECT_LE((x - expected).head(2).norm(), 1e-15 / angle) << angle;
  }
}

// A light body tied to a heavy one: a force on it goes into the constraint but for one part in 1e12.
TEST(StaticSymmetric, ForcesThatConstraintsTakeAwayAreLeftToLu) {
  constexpr double light = 1e-12;
  Eigen::MatrixXd K(3, 3);
  K << light, 0, 1, 0, 1, -1, 1, -1, 0;
  const Sparse sparse(K);
  StaticSymmetric factors(3, sparse.places, sparse.sources);
  const std::vector<double> numbers = sparse.numbers(K);
  Eigen::VectorXd of_heavy(3);
  of_heavy << 0, 1, 0;
  ASSERT_TRUE(factors.factor_and_solve(numbers, view(of_heavy)));
  EXPECT_FALSE(factors.by_lu());
  EXPECT_NEAR(of_heavy[0], 1 / (1 + light), 1e-15);
  EXPECT_NEAR(of_heavy[1], 1 / (1 + light), 1e-15);
  for (const bool at_once : {false, true, true}) {
    Eigen::VectorXd x(3);
    x << 1, 0, 0;
    ASSERT_TRUE(at_once ? factors.factor_and_solve(numbers, view(x))
                        : factors.factor(numbers) && factors.solve(numbers, view(x)));
    EXPECT_TRUE(factors.by_lu());
    for (const double unknown : x) EXPECT_NEAR(unknown, 1 / (1 + light), 1e-15);
  }
}

TEST(StaticSymmetric, LeavesToLuWhatIsNotSymmetric) {
  StaticSymmetric factors(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {{1, 0}, {1, 1}, {1, 2}, {1, 3}});
  const std::vector<double> numbers{2, 1, -1, 2};
  std::vector<double> x{2 * 3 + 5, -3 + 2 * 5};
  ASSERT_TRUE(factors.factor(numbers));
  EXPECT_TRUE(factors.by_lu());
  factors.solve(x);
  EXPECT_NEAR(x[0], 3, 1e-14);
  EXPECT_NEAR(x[1], 5, 1e-14);
}

TEST(StaticSymmetric, TellsASingularMatrix) {
  StaticSymmetric factors(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {{1, 0}, {1, 1}, {1, 1}, {1, 2}});
  std::vector<double> x{1, 1};
  EXPECT_FALSE(factors.factor(std::vector<double>{1, 2, 4}));
  EXPECT_FALSE(factors.factor_and_solve(std::vector<double>{1, 2, 4}, x));
  EXPECT_EQ(x, (std::vector<double>{1, 1}));
  EXPECT_TRUE(factors.factor(std::vector<double>{1, 2, 5}));
}

}  // namespace
}  // namespace dalembert

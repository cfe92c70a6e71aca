#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/linalg/lanes_inverse.hpp>

#include "four_lanes.hpp"

namespace dalembert {
namespace {

using Inverse = LanesInverse<Four, FourMath>;
using LanesMatrix = std::vector<std::vector<Four>>;

void fill(Inverse& inverse, const LanesMatrix& matrix) {
  inverse.clear();
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    for (std::size_t column = 0; column < matrix.size(); ++column) {
      inverse.entry(row, column) = matrix[row][column];
    }
  }
}

// [M Cᵀ; C 0] with a C of full rank: half as many constraints as coordinates; every lane has its own.
LanesMatrix saddle_point(std::size_t size, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const std::size_t n = (2 * size + 2) / 3;
  LanesMatrix matrix(size, std::vector<Four>(size, Four{}));
  for (int lane = 0; lane < 4; ++lane) {
    for (std::size_t i = 0; i < n; ++i) matrix[i][i][lane] = 3 + number(random);
    for (std::size_t i = n; i < size; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[i][j][lane] = matrix[j][i][lane] = number(random);
    }
  }
  return matrix;
}

void expect_solves(Inverse& inverse, const LanesMatrix& matrix, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const std::size_t size = matrix.size();
  std::vector<Four> x(size, Four{});
  std::vector<Four> rhs(size, Four{});
  for (Four& value : x) {
    for (int lane = 0; lane < 4; ++lane) value[lane] = number(random);
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) rhs[i] += matrix[i][j] * x[j];
  }
  const Four* solution = inverse.solve(rhs.data());
  for (std::size_t i = 0; i < size; ++i) {
    for (int lane = 0; lane < 4; ++lane) EXPECT_NEAR(solution[i][lane], x[i][lane], 1e-10) << size;
  }
}

TEST(LanesInverse, EveryLaneSolvesItsOwnSystem) {
  std::mt19937 random(1);
  for (std::size_t size = 1; size <= 20; ++size) {
    Inverse inverse(size);
    // the second matrix is met with the pivots of the first
    for (int i = 0; i < 2; ++i) {
      const LanesMatrix matrix = saddle_point(size, random);
      fill(inverse, matrix);
      ASSERT_TRUE(inverse.factor(1e-14)) << size;
      expect_solves(inverse, matrix, random);
    }
  }
}

// The saddle-point matrix of a chain in Cartesian coordinates: most entries are zero and never set.
TEST(LanesInverse, EntriesThatAreNeverSetAreZero) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(0.5, 1);
  for (const std::size_t links : {1U, 2U, 5U, 10U, 21U}) {
    const std::size_t n = 2 * links;
    Inverse inverse(n + links);
    for (int time = 0; time < 3; ++time) {
      LanesMatrix matrix(n + links, std::vector<Four>(n + links, Four{}));
      const auto set = [&](std::size_t row, std::size_t column, const Four& value) {
        matrix[row][column] = inverse.entry(row, column) = value;
      };
      const auto any = [&] { return Four{number(random), number(random), number(random), number(random)}; };
      for (std::size_t i = 0; i < n; ++i) set(i, i, any());
      for (std::size_t link = 0; link < links; ++link) {
        const std::size_t first = link == 0 ? 0 : 2 * link - 2;
        for (std::size_t j = first; j < 2 * link + 2; ++j) {
          const Four value = j < 2 * link ? Four(-any()) : any();
          set(n + link, j, value);
          set(j, n + link, value);
        }
      }
      ASSERT_TRUE(inverse.factor(1e-14));
      expect_solves(inverse, matrix, random);
    }
  }
}

TEST(LanesInverse, PivotsThatVanishAreSearchedAnew) {
  std::mt19937 random(1);
  Inverse inverse(2);
  fill(inverse, {{FourMath::of(2), FourMath::of(1)}, {FourMath::of(1), FourMath::of(3)}});
  ASSERT_TRUE(inverse.factor(1e-14));
  const LanesMatrix other = {{FourMath::of(0), FourMath::of(1)}, {FourMath::of(1), FourMath::of(0)}};
  fill(inverse, other);
  ASSERT_TRUE(inverse.factor(1e-14));
  expect_solves(inverse, other, random);
}

TEST(LanesInverse, OneSingularLaneIsToldOfAll) {
  Inverse inverse(2);
  fill(inverse, {{FourMath::of(1), FourMath::of(2)}, {FourMath::of(2), Four{1, 1, 4, 1}}});
  EXPECT_FALSE(inverse.factor(1e-14));
}

}  // namespace
}  // namespace dalembert

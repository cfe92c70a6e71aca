// Solving with packed triangular factors, against the same factors as dense matrices.
#include "packed_factors.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/base/team.hpp>

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// P R A Q = L U with random sparse factors. Pivots of the same residue by `parts` may depend on each other;
// the last `rest` ones on all.
struct Case {
  FactorColumns columns;
  MatrixXd A;
  std::vector<std::uint32_t> part_of;
};

Case make_case(std::size_t size, std::uint32_t parts, std::size_t rest, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  Case c;
  FactorColumns& f = c.columns;
  const auto part = [&](std::size_t k) {
    return k + rest >= size ? parts : static_cast<std::uint32_t>(k % parts);
  };
  const auto joined = [&](std::size_t i, std::size_t j) {
    return (part(i) == part(j) || part(i) == parts || part(j) == parts) && generator() % 3 == 0;
  };
  const auto n = static_cast<Index>(size);
  MatrixXd L = MatrixXd::Identity(n, n), U = MatrixXd::Zero(n, n);
  for (std::size_t j = 0; j < size; ++j) {
    f.l_starts.push_back(static_cast<std::int32_t>(f.l_rows.size()));
    f.u_starts.push_back(static_cast<std::int32_t>(f.u_rows.size()));
    f.l_rows.push_back(static_cast<std::int32_t>(j));
    f.l_values.push_back(1);
    for (std::size_t i = j + 1; i < size; ++i) {
      if (!joined(i, j)) continue;
      f.l_rows.push_back(static_cast<std::int32_t>(i));
      f.l_values.push_back(L(static_cast<Index>(i), static_cast<Index>(j)) = uniform(generator));
    }
    for (std::size_t i = 0; i < j; ++i) {
      if (!joined(i, j)) continue;
      f.u_rows.push_back(static_cast<std::int32_t>(i));
      f.u_values.push_back(U(static_cast<Index>(i), static_cast<Index>(j)) = uniform(generator));
    }
    f.u_rows.push_back(static_cast<std::int32_t>(j));
    f.u_values.push_back(U(static_cast<Index>(j), static_cast<Index>(j)) = 2 + uniform(generator));
  }
  f.l_starts.push_back(static_cast<std::int32_t>(f.l_rows.size()));
  f.u_starts.push_back(static_cast<std::int32_t>(f.u_rows.size()));
  const MatrixXd product = L * U;
  c.A.resize(n, n);
  c.part_of.resize(size);
  for (std::size_t k = 0; k < size; ++k) {
    f.row_order.push_back(static_cast<std::int32_t>((k * 7 + 3) % size));
    f.column_order.push_back(static_cast<std::int32_t>((k * 11 + 5) % size));
    f.row_sizes.push_back(1 + 0.1 * static_cast<double>(k % 5));
    c.part_of[static_cast<std::size_t>(f.column_order[k])] = part(k);
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j)
      c.A(f.row_order[i], f.column_order[j]) =
          f.row_sizes[i] * product(static_cast<Index>(i), static_cast<Index>(j));
  }
  return c;
}

TEST(PackedFactors, SolveTheMatrixWhoseFactorsTheyAre) {
  for (const std::size_t size : {1U, 2U, 10U, 41U, 100U}) {
    for (const std::uint32_t parts : {1U, 2U, 3U}) {
      const Case c = make_case(size, parts, size / 5, 7);
      PackedFactors packed;
      packed.arrange(c.columns, c.part_of, parts);
      packed.load(c.columns);
      const auto n = static_cast<Index>(size);
      const VectorXd expected = VectorXd::LinSpaced(n, 1, 2);
      const VectorXd rhs = c.A * expected;
      VectorXd x(n);
      packed.solve(rhs.data(), x.data(), nullptr);
      EXPECT_LT((x - expected).norm(), 1e-11 * expected.norm()) << size << ' ' << parts;
      VectorXd in_place = rhs;
      packed.solve(in_place.data(), in_place.data(), nullptr);
      EXPECT_EQ(in_place, x);
    }
  }
}

TEST(PackedFactors, NewValuesOfThePatternCountFromTheNextLoad) {
  Case c = make_case(30, 2, 4, 3);
  PackedFactors packed;
  packed.arrange(c.columns, c.part_of, 2);
  packed.load(c.columns);
  const VectorXd rhs = VectorXd::Ones(30);
  VectorXd first(30), second(30);
  packed.solve(rhs.data(), first.data(), nullptr);
  for (double& u : c.columns.u_values) u *= 2;
  packed.load(c.columns);
  packed.solve(rhs.data(), second.data(), nullptr);
  EXPECT_LT((second - first / 2).norm(), 1e-14 * first.norm());
}

TEST(PackedFactors, PartsThatDependOnEachOtherAreSolvedAllTheSame) {
  Case c = make_case(40, 1, 0, 5);  // all joined, yet said to be in two parts
  for (std::size_t i = 0; i < c.part_of.size(); ++i) c.part_of[i] = static_cast<std::uint32_t>(i % 2);
  PackedFactors packed;
  packed.arrange(c.columns, c.part_of, 2);
  packed.load(c.columns);
  const VectorXd expected = VectorXd::LinSpaced(40, -1, 1);
  const VectorXd rhs = c.A * expected;
  VectorXd x(40);
  packed.solve(rhs.data(), x.data(), nullptr);
  EXPECT_LT((x - expected).norm(), 1e-11 * expected.norm());
}

TEST(PackedFactors, ThreadsGiveTheSameBits) {
  const Case c = make_case(400, 2, 20, 11);
  PackedFactors packed;
  packed.arrange(c.columns, c.part_of, 2);
  packed.load(c.columns);
  const VectorXd rhs = VectorXd::LinSpaced(400, 1, 3);
  VectorXd alone(400), together(400);
  packed.solve(rhs.data(), alone.data(), nullptr);
  Team team(2);
  packed.load(c.columns);
  packed.solve(rhs.data(), together.data(), &team);
  EXPECT_EQ(alone, together);
}

}  // namespace
}  // namespace dalembert

// The tables themselves: conditions of order, of dense output, limits of stability.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/runge_kutta_table.hpp>

namespace dalembert {
namespace {

using Row = RungeKuttaTable::Row;

double sum(const Row& row) {
  double total = 0;
  for (const auto& [stage, weight] : row) total += weight;
  return total;
}

TEST(RungeKuttaTables, StagesAreConsistent) {
  for (const RungeKuttaTable& table : runge_kutta_tables()) {
    ASSERT_EQ(table.c.size(), static_cast<std::size_t>(table.stages)) << table.name;
    ASSERT_EQ(table.a.size(), table.c.size()) << table.name;
    for (std::size_t i = 0; i < table.c.size(); ++i) {
      EXPECT_NEAR(sum(table.a[i]), table.c[i], 2e-14) << table.name << ' ' << i;
    }
    for (std::size_t i = 0; i < table.extra_c.size(); ++i) {
      EXPECT_NEAR(sum(table.extra_a[i]), table.extra_c[i], 1e-14) << table.name << ' ' << i;
    }
    EXPECT_NEAR(sum(table.error), 0, 1e-15) << table.name;
    EXPECT_NEAR(sum(table.second_error), 0, 1e-15) << table.name;
  }
}

// Bushy trees and chains: Σ b c^(k−1) = 1/k and Σ b a ... a c^j for all lengths within the order.
TEST(RungeKuttaTables, ConditionsOfOrderHoldForQuadratureAndForChains) {
  for (const RungeKuttaTable& table : runge_kutta_tables()) {
    for (int k = 1; k <= table.order; ++k) {
      double quadrature = 0;
      for (const auto& [stage, weight] : table.b) {
        quadrature += weight * std::pow(table.c[static_cast<std::size_t>(stage)], k - 1);
      }
      EXPECT_NEAR(quadrature, 1.0 / k, 1e-14) << table.name << ' ' << k;
    }
    // b aⁱ cʲ = j! / (i + j + 1)! : the stages' polynomials of y' = A y + t^j
    for (int j = 0; j < table.order; ++j) {
      std::vector<double> x(table.c.size());
      for (std::size_t s = 0; s < x.size(); ++s) x[s] = std::pow(table.c[s], j);
      for (int i = 0; i + j + 1 <= table.order; ++i) {
        double value = 0;
        for (const auto& [stage, weight] : table.b) value += weight * x[static_cast<std::size_t>(stage)];
        EXPECT_NEAR(value, std::tgamma(j + 1) / std::tgamma(i + j + 2), 1e-14) << table.name << ' ' << i << j;
        std::vector<double> next(x.size(), 0);
        for (std::size_t s = 0; s < x.size(); ++s) {
          for (const auto& [stage, weight] : table.a[s])
            next[s] += weight * x[static_cast<std::size_t>(stage)];
        }
        x = next;
      }
    }
  }
}

// A rooted tree: those that hang on its root, in the order of their making.
struct RootedTree {
  std::vector<std::size_t> branches;
  int order;
  double density;  // γ
};

// All trees with so many nodes at most; each stands behind its branches.
std::vector<RootedTree> rooted_trees(int most) {
  std::vector<RootedTree> trees{{{}, 1, 1}};
  for (int order = 2; order <= most; ++order) {
    const std::size_t smaller = trees.size();
    // branches without order: a multiset of smaller trees with order − 1 nodes
    const auto grow = [&](const auto& self, std::vector<std::size_t>& branches, std::size_t first,
                          int nodes) -> void {
      if (nodes == 0) {
        double density = order;
        for (const std::size_t branch : branches) density *= trees[branch].density;
        trees.push_back({branches, order, density});
        return;
      }
      for (std::size_t branch = first; branch < smaller; ++branch) {
        if (trees[branch].order > nodes) break;
        branches.push_back(branch);
        self(self, branches, branch, nodes - trees[branch].order);
        branches.pop_back();
      }
    };
    std::vector<std::size_t> none;
    grow(grow, none, 0, order - 1);
  }
  return trees;
}

// Φ_s of every tree: the product over its branches of Σ a_sj Φ_j.
std::vector<std::vector<double>> elementary_weights(const RungeKuttaTable& table,
                                                    const std::vector<RootedTree>& trees) {
  const auto stages = static_cast<std::size_t>(table.stages);
  std::vector<std::vector<double>> weights;
  for (const RootedTree& tree : trees) {
    std::vector<double> weight(stages, 1);
    for (std::size_t s = 0; s < stages; ++s) {
      for (const std::size_t branch : tree.branches) {
        double total = 0;
        for (const auto& [stage, a] : table.a[s])
          total += a * weights[branch][static_cast<std::size_t>(stage)];
        weight[s] *= total;
      }
    }
    weights.push_back(weight);
  }
  return weights;
}

double weighted(const Row& row, const std::vector<double>& values) {
  double total = 0;
  for (const auto& [stage, weight] : row) total += weight * values[static_cast<std::size_t>(stage)];
  return total;
}

// Butcher's conditions, [hairer1993], II.2: b Φ = 1/γ for every tree within the order.
TEST(RungeKuttaTables, ConditionsOfOrderHoldForAllTreesAndFailBeyond) {
  const std::vector<RootedTree> trees = rooted_trees(9);
  ASSERT_EQ(trees.size(), 1U + 1 + 2 + 4 + 9 + 20 + 48 + 115 + 286);
  for (const RungeKuttaTable& table : runge_kutta_tables()) {
    const auto weights = elementary_weights(table, trees);
    double beyond = 0;
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const double missing = std::abs(weighted(table.b, weights[i]) - 1 / trees[i].density);
      if (trees[i].order <= table.order) {
        EXPECT_LT(missing, 2e-14) << table.name << ' ' << i;
      } else if (trees[i].order == table.order + 1) {
        beyond = std::max(beyond, missing);
      }
    }
    EXPECT_GT(beyond, 1e-8) << table.name;
  }
}

// What an embedded formula of order k estimates vanishes for all trees through k: k = 4 of dopri5, 5 and 3 of
// dop853.
TEST(RungeKuttaTables, EstimatesVanishThroughTheOrderOfTheirEmbeddedFormula) {
  const std::vector<RootedTree> trees = rooted_trees(6);
  const auto order_of = [&](const RungeKuttaTable& table, const Row& row) {
    const auto weights = elementary_weights(table, trees);
    int order = 6;
    for (std::size_t i = 0; i < trees.size(); ++i)
      if (std::abs(weighted(row, weights[i])) > 1e-14) order = std::min(order, trees[i].order - 1);
    return order;
  };
  EXPECT_EQ(order_of(find_runge_kutta("dopri5"), find_runge_kutta("dopri5").error), 4);
  EXPECT_EQ(order_of(find_runge_kutta("dop853"), find_runge_kutta("dop853").error), 5);
  EXPECT_EQ(order_of(find_runge_kutta("dop853"), find_runge_kutta("dop853").second_error), 3);
}

// y' = y^2 is nonlinear in y alone and y' = t^k a quadrature: here the tables' dense output on y' = t^k must
// be exact at every θ through its order.
TEST(RungeKuttaTables, DenseOutputIntegratesPowersOfTimeExactly) {
  for (const RungeKuttaTable& table : runge_kutta_tables()) {
    for (int k = 0; k < std::min(table.dense_order, table.order); ++k) {
      const auto slope = [&](int stage) {
        const auto s = static_cast<std::size_t>(stage);
        const double c = s < table.c.size()    ? table.c[s]
                         : s == table.c.size() ? 1
                                               : table.extra_c[s - table.c.size() - 1];
        return std::pow(c, k);
      };
      for (const double theta : {0.1, 0.37, 0.5, 0.83}) {
        const double rest = 1 - theta;
        double value = 0;
        for (std::size_t r = table.dense.size(); r-- > 0;) {
          double row = 0;
          for (const auto& [stage, weight] : table.dense[r]) row += weight * slope(stage);
          value = (value + row) * (r % 2 == 0 ? rest : theta);
        }
        const double d = 1.0 / (k + 1);
        const double f0 = k == 0 ? 1 : 0;
        value = (value + 2 * d - f0 - 1) * theta;
        value = (value + f0 - d) * rest;
        value = theta * (d + value);
        EXPECT_NEAR(value, std::pow(theta, k + 1) / (k + 1), 1e-13) << table.name << ' ' << k;
      }
    }
  }
}

TEST(RungeKuttaTables, RealStabilityLimitsAreTheKnownOnes) {
  // of 1 + z + z²/2 + ...: z = −2, −2, the real roots of R = ∓1 for three and four terms
  EXPECT_NEAR(real_stability_limit(find_runge_kutta("euler")), 2, 1e-12);
  EXPECT_NEAR(real_stability_limit(find_runge_kutta("heun")), 2, 1e-12);
  EXPECT_NEAR(real_stability_limit(find_runge_kutta("kutta3")), 2.5127453266183286, 1e-12);
  EXPECT_NEAR(real_stability_limit(find_runge_kutta("rk4")), 2.7852935634052816, 1e-12);
  EXPECT_NEAR(real_stability_limit(find_runge_kutta("dopri5")), 3.3066, 1e-4);  // [hairerwanner1996], IV.2
}

// One step of y' = z y from y = 1, stage by stage.
double one_step(const RungeKuttaTable& table, double z) {
  std::vector<double> slopes;
  const auto combined = [&](const Row& row) {
    double y = 1;
    for (const auto& [stage, weight] : row) y += weight * slopes[static_cast<std::size_t>(stage)];
    return y;
  };
  for (const Row& row : table.a) slopes.push_back(z * combined(row));
  return combined(table.b);
}

TEST(RungeKuttaTables, StepsDecayWithinTheRealStabilityLimitAndGrowBeyond) {
  for (const RungeKuttaTable& table : runge_kutta_tables()) {
    const double limit = real_stability_limit(table);
    EXPECT_NEAR(std::abs(one_step(table, -limit)), 1, 1e-10) << table.name;
    EXPECT_GT(std::abs(one_step(table, -limit * 1.001)), 1) << table.name;
    for (int i = 1; i < 100; ++i) EXPECT_LT(std::abs(one_step(table, -limit * i / 100)), 1) << table.name;
  }
}

TEST(RungeKuttaTables, AnUnknownNameGetsTheNearest) {
  try {
    find_runge_kutta("dopri6");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("dopri5"), std::string::npos);
  }
}

}  // namespace
}  // namespace dalembert

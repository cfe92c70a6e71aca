// Matrices in lanes, of sizes that are solved by inverses, by dense LU and by lists of operations.
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/linalg/linear_solver.hpp>

#include "four_lanes.hpp"

namespace dalembert {
namespace {

// The saddle-point matrix of a chain of links in Cartesian coordinates; every lane has values of its own.
class ChainInLanes {
 public:
  explicit ChainInLanes(std::uint32_t links) : n_(2 * links), size_(3 * links) {
    for (std::uint32_t i = 0; i < n_; ++i) places_.push_back({i, i});
    for (std::uint32_t link = 0; link < links; ++link) {
      for (std::uint32_t j = link == 0 ? 0 : 2 * link - 2; j < 2 * link + 2; ++j) {
        places_.push_back({n_ + link, j});
        places_.push_back({j, n_ + link});
      }
    }
  }

  void choose_values(std::mt19937& random) {
    std::uniform_real_distribution<double> number(0.5, 1);
    values_.clear();
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const bool is_mirror = k > n_ && (k - n_) % 2 == 1;
      const Four any{number(random), number(random), number(random), number(random)};
      const bool is_negative = places_[k].row >= n_ && places_[k].column < 2 * (places_[k].row - n_);
      values_.push_back(is_mirror ? values_.back() : is_negative ? Four(-any) : any);
    }
  }
  void set_value(std::size_t place, const Four& value) { values_[place] = value; }

  std::size_t size() const { return size_; }
  const std::vector<MatrixPlace>& places() const { return places_; }

  template <class Solver>
  bool factor(Solver& solver) const {
    solver.clear();
    for (std::size_t k = 0; k < values_.size(); ++k) solver.set(k, values_[k]);
    return solver.factor(1e-14);
  }
  template <class Solver>
  void expect_solves(Solver& solver, std::mt19937& random) const {
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<Four> x(size_), right(size_, Four{});
    for (Four& value : x) value = Four{number(random), number(random), number(random), number(random)};
    for (std::size_t k = 0; k < values_.size(); ++k)
      right[places_[k].row] += values_[k] * x[places_[k].column];
    const Four* solution = solver.solve(right);
    for (std::size_t i = 0; i < size_; ++i) {
      for (int lane = 0; lane < 4; ++lane) EXPECT_NEAR(solution[i][lane], x[i][lane], 1e-10) << size_;
    }
  }

 private:
  std::uint32_t n_;
  std::size_t size_;
  std::vector<MatrixPlace> places_;
  std::vector<Four> values_;
};

using Solver = LinearSolver<Four, FourMath>;

TEST(LinearSolver, EveryLaneSolvesItsOwnSystemWhateverTheSize) {
  std::mt19937 random(3);
  for (const std::uint32_t links : {1U, 3U, 10U, 25U, 60U}) {
    for (const int solves : {1, 20}) {
      ChainInLanes chain(links);
      Solver solver(chain.size(), chain.places(), solves);
      for (int matrix = 0; matrix < 3; ++matrix) {
        chain.choose_values(random);
        ASSERT_TRUE(chain.factor(solver)) << links;
        EXPECT_GT(solver.smallest_pivot(), 0);
        chain.expect_solves(solver, random);
      }
    }
  }
}

TEST(LinearSolver, LanesWhosePivotsDoNotSuitEachOtherAreSolvedToo) {
  std::mt19937 random(5);
  for (const std::uint32_t links : {10U, 25U}) {
    ChainInLanes chain(links);
    Solver solver(chain.size(), chain.places(), 20);
    for (const double light : {1.0, 1e-9, 1.0}) {  // in one lane
      chain.choose_values(random);
      chain.set_value(4, Four{1, light, 1, 1});
      ASSERT_TRUE(chain.factor(solver)) << links << ' ' << light;
      chain.expect_solves(solver, random);
    }
    solver.forget_order();
    chain.choose_values(random);
    ASSERT_TRUE(chain.factor(solver));
    chain.expect_solves(solver, random);
  }
}

TEST(LinearSolver, OneSingularLaneIsToldOfAll) {
  std::mt19937 random(7);
  ChainInLanes chain(10);
  Solver solver(chain.size(), chain.places(), 20);
  chain.choose_values(random);
  ASSERT_TRUE(chain.factor(solver));
  for (std::size_t k = 0; k < chain.places().size(); ++k) {  // a constraint that is none
    const bool of_last = chain.places()[k].row == 29 || chain.places()[k].column == 29;
    if (of_last) chain.set_value(k, Four{1, 1, 0, 1});
  }
  EXPECT_FALSE(chain.factor(solver));
}

}  // namespace
}  // namespace dalembert

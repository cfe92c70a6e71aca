// The saddle-point matrix of every shipped model, in its two forms and as a dense matrix: one solution.
#include <numeric>
#include <random>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/system/kkt/saddle_system.hpp>
#include <dalembert/system/kkt/tape_saddle_system.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/state_evaluation.hpp>
#include <dalembert/system/structure.hpp>

#include "../mechanical_models.hpp"
#include "models.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<std::size_t> independent_rows(const System& system, const Start& start) {
  const Structure structure = analyse_structure(system, start);
  std::vector<std::size_t> rows(system.m());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  for (const auto* dependent : {&structure.redundant, &structure.singular}) {
    for (const DependentConstraint& one : *dependent) std::erase(rows, one.constraint);
  }
  return rows;
}

class SaddleMatrix {
 public:
  explicit SaddleMatrix(const std::string& name)
      : system_(test::shipped(name)),
        start_(find_start(system_)),
        tape_(system_, system_.state().program),
        pattern_(system_, system_.state(), independent_rows(system_, start_)) {
    tape_.set(System::input_t(), start_.t);
    tape_.set(system_.input_q(0), start_.q);
    tape_.set(system_.input_v(0), start_.v);
    tape_.run();
  }

  const SaddlePattern& pattern() const { return pattern_; }
  const ValueTape& tape() const { return tape_; }
  double value(const Scaled& x) const { return tape_.value(x); }

  /// By the evaluation in dense matrices, which knows nothing of patterns.
  MatrixXd dense() const {
    StateEvaluation at(system_);
    at.eval(start_.t, start_.q, start_.v);
    const auto n = static_cast<Index>(system_.n()), size = static_cast<Index>(pattern_.size());
    MatrixXd matrix = MatrixXd::Zero(size, size);
    matrix.topLeftCorner(n, n) = at.M;
    for (Index j = n; j < size; ++j) {
      const auto row = static_cast<Index>(pattern_.active()[static_cast<std::size_t>(j - n)]);
      matrix.row(j).head(n) = at.C.row(row);
      matrix.col(j).head(n) = at.C.row(row).transpose();
    }
    return matrix;
  }

 private:
  System system_;
  Start start_;
  ValueTape tape_;
  SaddlePattern pattern_;
};

VectorXd random_vector(Index size) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(size, [&] { return normal(generator); });
}

// Of A x = b beside the sizes of its terms, row by row.
double relative_residual(const MatrixXd& A, const VectorXd& x, const VectorXd& b) {
  const VectorXd terms = A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
  return (A * x - b).cwiseAbs().cwiseQuotient(terms).maxCoeff();
}

TEST(SaddleSystem, SolvesWithTheDenseMatrixOfEveryShippedModel) {
  for (const std::string& name : test::mechanical_models()) {
    const SaddleMatrix model(name);
    const MatrixXd dense = model.dense();
    const VectorXd b = random_vector(dense.rows());

    SaddleSystem<double> many(model.pattern(), 20);
    ASSERT_TRUE(many.factor([&](const Scaled& x) { return model.value(x); })) << name;
    const std::vector<double> rhs(b.begin(), b.end());
    const VectorXd x = Eigen::Map<const VectorXd>(many.solve(rhs), b.size());
    EXPECT_LT(relative_residual(dense, x, b), 1e-12) << name;

    TapeSaddleSystem single(model.pattern(), model.tape());
    VectorXd y = b;
    ASSERT_TRUE(single.factor_and_solve(model.tape(), {y.data(), rhs.size()})) << name;
    EXPECT_LT(relative_residual(dense, y, b), 1e-12) << name;
  }
}

TEST(SaddleSystem, SolvesColumnsOneAfterTheOther) {
  const SaddleMatrix model("andrews");
  SaddleSystem<double> system(model.pattern(), 20);
  ASSERT_TRUE(system.factor([&](const Scaled& x) { return model.value(x); }));
  const VectorXd b = random_vector(3 * static_cast<Index>(model.pattern().size()));
  std::vector<double> columns(b.begin(), b.end());
  system.solve_columns(columns);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto first = b.begin() + static_cast<std::ptrdiff_t>(i * model.pattern().size());
    const std::vector<double> rhs(first, first + static_cast<std::ptrdiff_t>(model.pattern().size()));
    const double* x = system.solve(rhs);
    for (std::size_t k = 0; k < rhs.size(); ++k) EXPECT_EQ(columns[i * rhs.size() + k], x[k]);
  }
}

TEST(SaddlePattern, ProductsAreThoseOfTheMatrix) {
  const SaddleMatrix model("slider_crank_bodies");
  const SaddlePattern& pattern = model.pattern();
  const auto value = [&](const Scaled& x) { return model.value(x); };
  const MatrixXd dense = model.dense();
  const auto n = static_cast<Index>(pattern.n()), rows = static_cast<Index>(pattern.rows());
  const VectorXd x = random_vector(n), lambda = random_vector(rows);
  VectorXd Mx = VectorXd::Zero(n), Cx = VectorXd::Zero(rows), sizes = VectorXd::Zero(n);
  const std::span<const double> of_x(x.data(), pattern.n());
  add_inertia_product<double>(pattern, value, of_x, {Mx.data(), pattern.n()});
  add_constraint_product<double>(pattern, value, of_x, {Cx.data(), pattern.rows()});
  const std::vector<double> inertia(pattern.n(), 1.0);
  eval_force_scale<double>(pattern, value, of_x, {lambda.data(), pattern.rows()}, inertia,
                           {sizes.data(), pattern.n()});
  const MatrixXd M = dense.topLeftCorner(n, n), C = dense.bottomLeftCorner(rows, n);
  EXPECT_LT((Mx - M * x).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((Cx - C * x).cwiseAbs().maxCoeff(), 1e-14);
  const VectorXd expected = C.cwiseAbs().transpose() * lambda.cwiseAbs() + M.cwiseAbs() * x.cwiseAbs();
  EXPECT_LT((sizes - expected).cwiseAbs().maxCoeff(), 1e-14);
}

// The kinetic energy of a motion that has none is rounding errors beside its terms.
TEST(SaddlePattern, InertiaShareTellsMotionsWithoutInertia) {
  const System system(
      read_model_text("[coordinates]\nx = 1\ny = 2\n[energy]\nkinetic = \"(x' + 3*y')^2/2\"\n"));
  ValueTape tape(system, system.state().program);
  tape.run();
  const SaddlePattern pattern(system, system.state(), {});
  const auto value = [&](const Scaled& x) { return tape.value(x); };
  const std::vector<double> without{3, -1}, with{1, 1};
  EXPECT_LT(inertia_share<double>(pattern, value, without), 1e-15);
  EXPECT_NEAR(inertia_share<double>(pattern, value, with), 1, 1e-15);
}

}  // namespace
}  // namespace dalembert

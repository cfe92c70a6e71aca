// The hand-written equations of Andrews' mechanism: published start values, finite differences, block solves.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "andrews/dae.hpp"
#include "andrews/kkt.hpp"

namespace dalembert::bench::andrews {
namespace {

struct Motion {
  Vector7 a;
  Vector6 lambda;
};

template <class Trigonometry>
Motion solve_at(const Vector7& q, const Vector7& v) {
  const Configuration at = make_configuration<Trigonometry>(q);
  const Matrices m = make_matrices(at);
  Motion motion;
  solve_kkt(m, factorize(m), eval_f(at, v), eval_gamma(at, v), motion.a, motion.lambda);
  return motion;
}

template <class Vector>
void expect_near(const Vector& x, const Vector& reference, double tolerance) {
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(x[i], reference[i], tolerance) << "component " << i + 1;
}

// A point off the manifold where no term vanishes.
const Vector7 some_q = {0.3, -1.1, 0.4, -0.5, 0.6, 0.7, 1.2};
const Vector7 some_v = {3.0, -2.0, 1.5, 0.7, -1.3, 2.1, -0.4};
const Vector7 some_a = {-4.0, 6.0, 2.5, -1.7, 3.3, -2.6, 1.4};
const Vector6 some_lambda = {9.0, -6.0, 2.0, 3.0, -2.5, 1.5};

TEST(Andrews, TheStartIsConsistentWithTheConstraints) {
  expect_near(eval_g(make_configuration(initial_q)), Vector6{}, 1e-16);
}

TEST(Andrews, AccelerationsAndMultipliersAtTheStartAreThePublishedOnes) {
  for (const Motion& motion : {solve_at<LaneTrigonometry>(initial_q, initial_v),
                               solve_at<LibraryTrigonometry>(initial_q, initial_v)}) {
    expect_near(motion.a, initial_a, 1e-14 * 14222);
    expect_near(motion.lambda, initial_lambda, 1e-14 * 98);
  }
}

TEST(Andrews, AccelerationsAndMultipliersAtTheEndAreThoseOfTheReference) {
  // end_v enters rounded to double: relative 1e-16 of squares near 1.6e6 over arms of 0.007 shows as about
  // 1e-9.
  const Motion motion = solve_at<LaneTrigonometry>(end_q, end_v);
  expect_near(motion.a, end_a, 1e-14 * 5.7e5);
  expect_near(motion.lambda, end_lambda, 1e-14 * 200);
}

TEST(Andrews, TheReferenceEndStateLiesOnTheManifold) {
  const Configuration at = make_configuration(end_q);
  expect_near(eval_g(at), Vector6{}, 1e-16);
  expect_near(multiply_G(make_matrices(at), end_v), Vector6{}, 1e-13);
}

TEST(Andrews, TheBlockEliminationSolvesTheSaddlePointSystem) {
  const Matrices m = make_matrices(make_configuration(some_q));
  // Inertias are about 1e-6: forces of 1e-5 and accelerations of 10.
  Vector7 force, a;
  for (int i = 0; i < 7; ++i) force[i] = 1e-5 * some_a[i];
  Vector6 lambda;
  solve_kkt(m, factorize(m), force, some_lambda, a, lambda);
  Vector7 sum = multiply_M(m, a);
  const Vector7 reaction = multiply_G_transposed(m, lambda);
  for (int i = 0; i < 7; ++i) sum[i] += reaction[i];
  expect_near(sum, force, 1e-16);
  expect_near(multiply_G(m, a), some_lambda, 1e-12);
}

// The derivatives of g along a motion, by central differences of order 6.
double differentiate(const std::function<double(double)>& f, double h) {
  return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
}

Vector7 moved(const Vector7& x, double s, const Vector7& direction) {
  Vector7 y;
  for (int i = 0; i < 7; ++i) y[i] = x[i] + s * direction[i];
  return y;
}

TEST(Andrews, GIsTheDerivativeOfTheConstraintsAndGammaThatOfG) {
  const Configuration at = make_configuration(some_q);
  const Matrices m = make_matrices(at);
  const Vector6 Gv = multiply_G(m, some_v), gamma = eval_gamma(at, some_v);
  for (int i = 0; i < 6; ++i) {
    const auto g = [&](double s) { return eval_g(make_configuration(moved(some_q, s, some_v)))[i]; };
    EXPECT_NEAR(differentiate(g, 1e-3), Gv[i], 1e-12);
    const auto G_v = [&](double s) {
      return multiply_G(make_matrices(make_configuration(moved(some_q, s, some_v))), some_v)[i];
    };
    EXPECT_NEAR(-differentiate(G_v, 1e-3), gamma[i], 1e-12);
  }
}

class AndrewsDae : public testing::TestWithParam<Formulation> {
 protected:
  void SetUp() override {
    for (int i = 0; i < 7; ++i) {
      y_.push_back(some_q[i]);
      dydt_.push_back(some_v[i] + 0.1 * i);
    }
    for (int i = 0; i < 7; ++i) {
      y_.push_back(some_v[i]);
      dydt_.push_back(some_a[i]);
    }
    for (int i = 14; i < dae_.size(); ++i) {
      y_.push_back(some_lambda[i % 6]);
      dydt_.push_back(0.2 * i);
    }
  }

  std::vector<double> jacobian(double alpha) const {
    std::vector<double> columns(dae_.size() * dae_.size());
    dae_.eval_jacobian(alpha, y_.data(), dydt_.data(), columns.data());
    return columns;
  }

  Dae dae_{GetParam()};
  std::vector<double> y_, dydt_;
};

TEST_P(AndrewsDae, TheStartIsConsistent) {
  std::vector<double> residual(dae_.size());
  dae_.eval_start(y_.data(), dydt_.data());
  dae_.eval_residual(y_.data(), dydt_.data(), residual.data());
  for (const double entry : residual) EXPECT_NEAR(entry, 0, 1e-14);
}

TEST_P(AndrewsDae, TheJacobianIsThatOfFiniteDifferences) {
  const int n = dae_.size();
  const double alpha = 37;
  const std::vector<double> columns = jacobian(alpha);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < n; ++row) {
      // y and y' move together, y' faster by alpha.
      const auto entry = [&](double s) {
        std::vector<double> y = y_, dydt = dydt_, residual(n);
        y[column] += s;
        dydt[column] += alpha * s;
        dae_.eval_residual(y.data(), dydt.data(), residual.data());
        return residual[row];
      };
      EXPECT_NEAR(differentiate(entry, 2e-3), columns[column * n + row], 3e-11) << row << ", " << column;
    }
}

class AndrewsNewton : public AndrewsDae {};

TEST_P(AndrewsNewton, TheStepByBlocksSolvesTheJacobian) {
  const int n = dae_.size();
  std::vector<double> residual(n), right(n), x(n);
  for (int i = 0; i < n; ++i) right[i] = std::cos(1.0 + i);
  for (const double alpha : {1e2, 1e5}) {
    dae_.eval_residual(y_.data(), dydt_.data(), residual.data());
    dae_.solve_newton(alpha, right.data(), x.data());
    const std::vector<double> columns = jacobian(alpha);
    for (int row = 0; row < n; ++row) {
      double sum = 0, size = 1;
      for (int column = 0; column < n; ++column) {
        sum += columns[column * n + row] * x[column];
        size = std::max(size, std::abs(columns[column * n + row] * x[column]));
      }
      EXPECT_NEAR(sum, right[row], 1e-12 * size) << "row " << row << ", alpha " << alpha;
    }
  }
}

std::string formulation_name(const testing::TestParamInfo<Formulation>& info) {
  static const char* const names[] = {"Index1", "Index2", "Stabilized"};
  return names[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Formulations, AndrewsDae,
                         testing::Values(Formulation::index_1, Formulation::index_2, Formulation::stabilized),
                         formulation_name);
INSTANTIATE_TEST_SUITE_P(Formulations, AndrewsNewton,
                         testing::Values(Formulation::index_1, Formulation::index_2), formulation_name);

}  // namespace
}  // namespace dalembert::bench::andrews

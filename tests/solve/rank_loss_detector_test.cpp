// Constraints whose rows are apart by s beside each other: at s = 0 they lose rank.
#include "singular/rank_loss_detector.hpp"

#include <span>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace dalembert {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// What the detector asks of a state, by a dense matrix.
class DenseState {
 public:
  DenseState(const MatrixXd& M, const MatrixXd& C) : M_(M), C_(C) {
    const Eigen::Index n = M.rows(), m = C.rows();
    MatrixXd matrix = MatrixXd::Zero(n + m, n + m);
    matrix << M, C.transpose(), C, MatrixXd::Zero(m, m);
    factors_ = matrix.fullPivLu();
  }
  void solve(std::vector<double>& rhs) const {
    Eigen::Map<VectorXd> x(rhs.data(), static_cast<Eigen::Index>(rhs.size()));
    x = factors_.solve(VectorXd(x)).eval();
  }
  double inertia_share(std::span<const double> x) const {
    const Eigen::Map<const VectorXd> u(x.data(), static_cast<Eigen::Index>(x.size()));
    const double size = u.cwiseAbs().dot(M_.cwiseAbs() * u.cwiseAbs());
    return size > 0 ? u.dot(M_ * u) / size : 0;
  }
  void add_constraint_product(const std::vector<double>& x, std::vector<double>& sum) const {
    Eigen::Map<VectorXd>(sum.data(), C_.rows()) +=
        C_ * Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }

 private:
  MatrixXd M_, C_;
  Eigen::FullPivLU<MatrixXd> factors_;
};

// Three masses; the second row turns away from the first by the angle s.
DenseState state_at(double s) {
  MatrixXd M = MatrixXd::Zero(3, 3), C(2, 3);
  M.diagonal() << 1, 2, 3;
  C << 1, 0.5, 0, std::cos(s), 0.5, std::sin(s);
  return {M, C};
}

TEST(RankLossDetector, SeesThatTheMotionHasTurnedRoundBehindALossOfRank) {
  RankLossDetector<double> detector(3, 2);
  DenseState before = state_at(0.1), nearer = state_at(0.05), behind = state_at(-0.05);
  EXPECT_EQ(detector.look(before), 1);  // nothing to compare with
  detector.keep();
  EXPECT_GT(detector.look(nearer), 0.9);
  EXPECT_LT(detector.look(behind), -0.9);
  detector.restart();
  EXPECT_EQ(detector.look(behind), 1);
}

// y = −w/σ², and σ ~ s.
TEST(RankLossDetector, IndependenceIsTheSquareOfTheDistance) {
  const auto independence_at = [](double s) {
    RankLossDetector<double> detector(3, 2);
    DenseState state = state_at(s);
    detector.look(state, 8);
    return detector.independence();
  };
  for (const double s : {0.1, 0.01, 0.001})
    EXPECT_NEAR(independence_at(s) / independence_at(s / 2), 4, 12 * s * s + 1e-6) << s;
}

TEST(RankLossDetector, LooksNotAtMotionsWithoutInertia) {
  MatrixXd M = MatrixXd::Zero(3, 3), C(2, 3);
  M(1, 1) = 1;
  C << 1, 0, 0, 1, 0, 0.01;  // moves the first and the third coordinate, which have no inertia
  DenseState state(M, C);
  RankLossDetector<double> detector(3, 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(detector.look(state), 1);
    detector.keep();
  }
  EXPECT_TRUE(std::isinf(detector.independence()));
}

}  // namespace
}  // namespace dalembert

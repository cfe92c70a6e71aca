#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/linalg/complementarity.hpp>

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The tableau of w − A z − 1 z0 = b. Variables: w_i is i, z_i is n + i, z0 is 2 n.
class Lemke {
 public:
  Lemke(const MatrixXd& A, const VectorXd& b)
      : n_(A.rows()), rows_(n_, 2 * n_ + 2), basis_(static_cast<std::size_t>(n_)) {
    rows_ << MatrixXd::Identity(n_, n_), -A, -VectorXd::Ones(n_), b;
    for (Index i = 0; i < n_; ++i) basis_[static_cast<std::size_t>(i)] = i;
  }

  std::optional<VectorXd> solve() {
    Index row = 0;
    if (rows_.col(2 * n_ + 1).minCoeff(&row) >= 0) return VectorXd::Zero(n_);
    Index entering = pivot(row, 2 * n_);
    const Index most = 50 * (n_ + 1);
    for (Index round = 0; round < most; ++round) {
      row = blocking_row(entering);
      if (row < 0) return std::nullopt;
      const Index leaving = pivot(row, entering);
      if (leaving == 2 * n_) return solution();
      entering = leaving;
    }
    return std::nullopt;
  }

 private:
  // Brings a variable into the basis; returns the complement of the one that leaves, or z0 itself.
  Index pivot(Index row, Index entering) {
    rows_.row(row) /= rows_(row, entering);
    for (Index i = 0; i < n_; ++i) {
      if (i != row) rows_.row(i) -= rows_(i, entering) * rows_.row(row);
    }
    Index& place = basis_[static_cast<std::size_t>(row)];
    const Index leaving = place;
    place = entering;
    return leaving == 2 * n_ ? leaving : leaving < n_ ? leaving + n_ : leaving - n_;
  }
  // The smallest ratio; of equal ones z0 leaves.
  Index blocking_row(Index entering) {
    // Rounding errors of a tableau of entries near 1 after some hundred exchanges stay below it; chosen, not
    // measured.
    constexpr double tiny = 1e-12;
    double least = std::numeric_limits<double>::infinity();
    Index found = -1;
    for (Index i = 0; i < n_; ++i) {
      const double slope = rows_(i, entering);
      if (!(slope > tiny)) continue;
      const double ratio = rows_(i, 2 * n_ + 1) / slope;
      const bool is_z0 = basis_[static_cast<std::size_t>(i)] == 2 * n_;
      const double margin = tiny * (1 + std::abs(least));
      if (!(found < 0 || ratio < least - margin || (is_z0 && ratio <= least + margin))) continue;
      least = ratio;
      found = i;
    }
    return found;
  }
  VectorXd solution() {
    VectorXd z = VectorXd::Zero(n_);
    for (Index i = 0; i < n_; ++i) {
      const Index variable = basis_[static_cast<std::size_t>(i)];
      if (variable >= n_ && variable < 2 * n_) z[variable - n_] = std::max(rows_(i, 2 * n_ + 1), 0.0);
    }
    return z;
  }

  Index n_;
  MatrixXd rows_;
  std::vector<Index> basis_;
};

}  // namespace

std::optional<VectorXd> solve_complementarity(const MatrixXd& A, const VectorXd& b) {
  if (b.size() == 0) return VectorXd();
  const double size = b.cwiseAbs().maxCoeff();
  if (!(size > 0)) return VectorXd::Zero(b.size());
  // rows and columns of one size: w_i s_i, z_i / s_i
  VectorXd scale = A.diagonal().cwiseAbs().cwiseSqrt();
  for (double& s : scale) s = s > 0 ? 1 / s : 1;
  const VectorXd scaled = scale.cwiseProduct(b);
  const double largest = scaled.cwiseAbs().maxCoeff();
  auto z = Lemke(scale.asDiagonal() * A * scale.asDiagonal(), scaled / largest).solve();
  if (z) *z = largest * scale.cwiseProduct(*z);
  return z;
}

}  // namespace dalembert

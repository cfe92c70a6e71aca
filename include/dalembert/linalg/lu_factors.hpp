// Dense square systems of doubles by Eigen, whose templates are compiled in one file for all.
#pragma once

#include <Eigen/Dense>

namespace dalembert {

/// P A = L U with row pivoting.
class LuFactors {
 public:
  void factor(const Eigen::MatrixXd& A);

  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  double determinant() const;
  double smallest_pivot() const;  ///< the least |U_kk|
  /// An estimate of 1/(|A| |A⁻¹|), 0 where a pivot vanishes.
  double reciprocal_condition() const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace dalembert

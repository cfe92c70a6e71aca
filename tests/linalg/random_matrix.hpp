#pragma once

#include <random>

#include <Eigen/Dense>

namespace dalembert {

inline Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

}  // namespace dalembert

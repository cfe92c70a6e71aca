// The same numbers as the standard library's vector and as Eigen's.
#pragma once

#include <vector>

#include <Eigen/Dense>

namespace dalembert {

inline Eigen::VectorXd to_eigen(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
inline std::vector<double> to_vector(const Eigen::VectorXd& x) { return {x.data(), x.data() + x.size()}; }

}  // namespace dalembert

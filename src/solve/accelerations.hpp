// Accelerations and multipliers at a state, from the index-1 form
//
//   [ M  Cᵀ ] [ a ]   [ f ]
//   [ C  0  ] [ λ ] = [ γ ]
//
// in doubles, without allocation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/linalg/dense_lu.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

class Accelerations {
 public:
  /// `active` lists independent constraints; λ of the others is zero.
  Accelerations(const System& system, std::span<const std::size_t> active);

  /// Fills a and λ. False: the matrix is singular at this state.
  bool eval(double t, std::span<const double> q, std::span<const double> v);

  std::span<const double> a() const { return {solution_.data(), n_}; }
  std::span<const double> lambda() const { return lambda_; }  ///< of all m constraints

  static const char* singular_reason() {
    return "the matrix [M Cᵀ; C 0] is singular here: constraints become dependent, or a motion that they "
           "allow has no inertia";
  }

 private:
  const System* system_;
  std::size_t n_;
  std::vector<std::size_t> active_;
  std::vector<std::size_t> active_row_;  // of each constraint, or active_.size()
  Series<double, native_lanes> series_;
  DenseLu<double, LaneMath<double>> lu_;
  std::vector<double> solution_, lambda_;
};

}  // namespace dalembert

// What rounding errors make of parts at rest, for methods that measure errors by the largest values so far.
// Looked at where a run starts and where steps fail.
//
// The forces on a part at rest cancel, and what is left of them is no motion. Beside it nothing is smooth, so
// errors of a step h are not measured by less than
//
//   in v   the velocity that 8 rounding errors of the forces make in h,
//          and that which moves the positions by a rounding error over the whole run,
//   in q   h times that,
//
// each divided by the tolerance. Parts that nothing joins are measured apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <dalembert/solve/solve.hpp>

#include "control/subsystems.hpp"
#include "runge_kutta/accelerations.hpp"

namespace dalembert {

class RestSizes {
 public:
  RestSizes(const Subsystems& subsystems, const SolveOptions& options)
      : group_(subsystems.of_coordinate()),
        forces_(subsystems.count(), 0),
        positions_(subsystems.count(), 0),
        share_(options.tolerance > 0 ? std::numeric_limits<double>::epsilon() / options.tolerance : 0),
        duration_(std::abs(options.duration)) {}

  /// All parts are measured together, for methods whose rounding errors go from one to the other.
  void join() { std::fill(group_.begin(), group_.end(), std::size_t{0}); }

  /// At the state of the last evaluation, whose positions are q.
  void look(Accelerations& at, std::span<const double> q) {
    scale_.resize(q.size());
    at.eval_force_scale(scale_);
    std::fill(forces_.begin(), forces_.end(), 0.0);
    std::fill(positions_.begin(), positions_.end(), 0.0);
    for (std::size_t i = 0; i < q.size(); ++i) {
      raise(forces_[group_[i]], scale_[i]);
      raise(positions_[group_[i]], std::abs(q[i]));
    }
  }
  double least_v(std::size_t i, double h) const {
    // roundings of a sum of forces; the same as in AdomianStep::compare_accelerations. Chosen, not measured.
    constexpr double operations = 8;
    return share_ * (operations * std::abs(h) * forces_[group_[i]] + positions_[group_[i]] / duration_);
  }
  double least_q(std::size_t i, double h) const { return std::abs(h) * least_v(i, h); }

 private:
  static void raise(double& size, double least) { size = std::max(size, least); }

  std::vector<std::size_t> group_;          // of a coordinate
  std::vector<double> forces_, positions_;  // by group: the largest, as accelerations
  std::vector<double> scale_;
  double share_;
  double duration_;
};

}  // namespace dalembert

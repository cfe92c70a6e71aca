// What is known of a run while it goes on: by its samples and what it has told.
#pragma once

#include <chrono>
#include <cmath>
#include <span>

#include <dalembert/settings/solve_options.hpp>
#include <dalembert/trajectory/report.hpp>
#include <dalembert/trajectory/sample.hpp>

namespace dalembert::session {

class PartialReport {
 public:
  explicit PartialReport(const SolveOptions& options);

  void take(const Progress& progress);
  template <class S>
  void take(const Sample<S>& sample) {
    raise(report_.max_position_residual, sample.position_residual);
    raise(report_.max_velocity_residual, sample.velocity_residual);
    take_energy(static_cast<double>(sample.t), static_cast<double>(sample.kinetic),
                static_cast<double>(sample.potential), static_cast<double>(sample.energy),
                static_cast<double>(sample.work));
  }

  /// Of a run that is left within a step: its errors are those at the samples.
  RunReport left_within_a_step() const;

 private:
  void take_energy(double t, double kinetic, double potential, double energy, double work);
  template <class S>
  static void raise(double& largest, std::span<const S> residuals) {
    for (const S& residual : residuals) largest = std::fmax(largest, std::abs(static_cast<double>(residual)));
  }

  RunReport report_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace dalembert::session

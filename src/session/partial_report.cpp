#include <algorithm>
#include <limits>

#include <dalembert/session/partial_report.hpp>
#include <dalembert/solve/solve.hpp>

namespace dalembert::session {

PartialReport::PartialReport(const SolveOptions& options) : begin_(std::chrono::steady_clock::now()) {
  report_.method = complete(options).method;
  report_.start_time = options.start;
  report_.end_time = options.start;
}

void PartialReport::take(const Progress& progress) {
  report_.steps = progress.steps;
  report_.advice = progress.advice;
}

void PartialReport::take_energy(double t, double kinetic, double potential, double energy, double work) {
  if (report_.samples++ == 0) report_.start_energy = energy;
  report_.end_time = t;
  report_.end_energy = energy;
  report_.work = work;
  if (work != 0) report_.conservative = false;
  report_.max_energy_error =
      std::max(report_.max_energy_error, std::abs(energy - report_.start_energy - work));
  report_.energy_scale = std::max(report_.energy_scale, std::abs(kinetic) + std::abs(potential));
}

RunReport PartialReport::left_within_a_step() const {
  RunReport report = report_;
  report.outcome = Outcome::interrupted;
  report.reason = "interrupted within a step that takes long";
  report.smallest_step = report.largest_step = std::numeric_limits<double>::quiet_NaN();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return report;
}

}  // namespace dalembert::session

// The Cartesian pendulum over a long time: drift from the constraints at steps and between them, and the
// energy.
//     bench_long_run [steps]
// One row per doubling of time: the largest residuals and the largest relative energy error so far. The
// exponent is that of a power of t fitted to the energy errors.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/solve.hpp>

#include "timing.hpp"
#include "work_precision.hpp"

namespace dalembert::bench {
namespace {

double largest(std::span<const double> values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

// Slope of ln(error) over ln(t).
double fitted_exponent(const std::vector<double>& times, const std::vector<double>& errors) {
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  const auto count = static_cast<double>(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double x = std::log(times[i]), y = std::log(errors[i]);
    sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
  }
  return (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
}

void run(std::size_t steps) {
  const System system(read_model(find_model("pendulum_cartesian")));
  SolveOptions options = options_of(system.model());
  options.duration = 1e9;
  options.max_steps = steps;
  options.output_step = 0.37;  // falls inside the steps
  double start_energy = 0, scale = 0, worst_energy = 0, worst_g = 0, worst_gv = 0, next = 1000;
  std::vector<double> times, errors;
  std::printf("%12s %12s %12s %14s\n", "t", "max |g|", "max |Cv+c|", "energy error");
  const double begin = thread_seconds();
  const RunReport report =
      solve(system, options, SampleSink<double>([&](const Sample<double>& s) {
              if (s.t == 0) start_energy = s.energy;
              scale = std::max(scale, std::abs(s.kinetic) + std::abs(s.potential));
              worst_energy = std::max(worst_energy, std::abs(s.energy - start_energy));
              worst_g = std::max(worst_g, largest(s.position_residual));
              worst_gv = std::max(worst_gv, largest(s.velocity_residual));
              if (s.t >= next) {
                times.push_back(s.t);
                errors.push_back(worst_energy / scale);
                std::printf("%12.0f %12.1e %12.1e %14.1e\n", s.t, worst_g, worst_gv, errors.back());
                next *= 2;
              }
              return true;
            }));
  std::printf(
      "%zu steps to t = %.0f in %.1f s; steps and samples: max |g| %.1e, max |C v + c| %.1e; "
      "energy error %.1e, growing like t^%.2f\n",
      report.steps, report.end_time, thread_seconds() - begin, report.max_position_residual,
      report.max_velocity_residual, worst_energy / scale, fitted_exponent(times, errors));
}

}  // namespace
}  // namespace dalembert::bench

int main(int argc, char** argv) {
  dalembert::bench::print_environment("Dalembert alone");
  dalembert::bench::run(argc > 1 ? static_cast<std::size_t>(std::atol(argv[1])) : 1'000'000);
}

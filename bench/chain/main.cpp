// Chains of N links: processor time per simulated second at equal error, and our time per step as N grows.
//     bench_chain [N ...]
//
// The reference of a chain is our run at the tolerance 1e-15; the first line of a chain says how far CVODE at
// its finest tolerance is from it.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>

#include <sundials/sundials_config.h>

#include "chain/chain.hpp"
#include "error_norm.hpp"

namespace dalembert::bench::chain {
namespace {

constexpr double compared_error = 1e-8;

struct Growth {
  std::size_t links;
  double seconds_per_step;
  double wall, wall_of_two;  // per step, with one thread and with two
};

constexpr double usual_tolerance = 1e-9;

// The least of several runs: other programs take processors away.
double wall_per_step(Runner& runner) {
  using Clock = std::chrono::steady_clock;
  constexpr int repetitions = 5;
  double least = INFINITY;
  for (int i = 0; i < repetitions; ++i) {
    const Clock::time_point start = Clock::now();
    const EndState end = runner.run(usual_tolerance);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    least = std::min(least, seconds / static_cast<double>(end.steps));
  }
  return least;
}

double error_of(const EndState& end, const EndState& reference) {
  return state_error(end.q, end.v, reference.q, reference.v, largest(reference.v));
}

std::vector<Point> measure_chain(Runner& runner, const EndState& reference,
                                 const std::vector<double>& tolerances, int repetitions) {
  std::vector<Point> points;
  for (const double tolerance : tolerances) {
    EndState end;
    const Timing timing = time_runs([&] { end = runner.run(tolerance); }, repetitions);
    const Result result{end.finished, error_of(end, reference), 0, end.steps, end.rejected};
    points.push_back({tolerance, result, timing});
  }
  return points;
}

void print_points(const char* name, const std::vector<Point>& points, double end_time) {
  for (const Point& point : points) {
    std::printf("  %-28s %8.0e %10.1e %12.4g s %8ld\n", name, point.tolerance, point.result.error,
                point.timing.median / end_time, point.result.steps);
  }
}

void print_equal_error(const char* name, const std::vector<Point>& points, double end_time, double ours) {
  const std::optional<double> time = time_at_error(points, compared_error);
  if (!time) {
    std::printf("  %-28s does not reach %.0e\n", name, compared_error);
  } else {
    std::printf("  %-28s %12.4g s   %6.1f x\n", name, *time / end_time, *time / ours);
  }
}

Growth run_chain(std::size_t links) {
  const bool huge = links >= 3000;
  const double end_time = huge ? 0.05 : links >= 300 ? 0.2 : 0.5;
  const int repetitions = links >= 100 ? 1 : 5;
  const std::vector<double> coarse = {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
  const std::vector<double> fine = {1e-8, 1e-9, 1e-10, 1e-11, 1e-12};

  struct Entry {
    const char* name;
    std::unique_ptr<Runner> runner;
    const std::vector<double>& tolerances;
    std::vector<Point> points;
  };
  std::vector<Entry> entries;
  entries.push_back({"dalembert adomian", make_adomian(links, end_time), coarse, {}});
  entries.push_back({"CVODE Adams, KLU", make_cvode(links, end_time, Solve::klu), fine, {}});
  entries.push_back({"CVODE Adams, tridiagonal", make_cvode(links, end_time, Solve::tridiagonal), fine, {}});
#ifdef DALEMBERT_SIMBODY
  const std::vector<double> simbody = {1e-7, 1e-8, 1e-9, 1e-10};
  if (!huge) {
    entries.push_back({"Simbody, Runge-Kutta-Merson", make_simbody(links, end_time), simbody, {}});
  }
#endif
  const EndState reference = entries[0].runner->run(1e-15);
  const EndState check = entries[2].runner->run(1e-12);
  std::printf("\nN = %zu, %g s; CVODE at 1e-12 differs from the reference by %.1e\n", links, end_time,
              error_of(check, reference));
  std::printf("  %-28s %8s %10s %14s %8s\n", "method", "tol", "error", "per second", "steps");
  for (Entry& entry : entries) {
    entry.points = measure_chain(*entry.runner, reference, entry.tolerances, repetitions);
    print_points(entry.name, entry.points, end_time);
  }
  const std::vector<Point>& ours = entries[0].points;
  const double our_time = time_at_error(ours, compared_error).value_or(NAN);
  std::printf("  at error %.0e:\n", compared_error);
  for (const Entry& entry : entries) print_equal_error(entry.name, entry.points, end_time, our_time);
  const Point& usual = ours[4];
  return {links, usual.timing.median / static_cast<double>(usual.result.steps),
          wall_per_step(*entries[0].runner), wall_per_step(*make_adomian(links, end_time, 2))};
}

}  // namespace
}  // namespace dalembert::bench::chain

int main(int argc, char** argv) {
  using namespace dalembert::bench;
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoul(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {10, 100, 1000, 10000};
  print_environment("SUNDIALS " SUNDIALS_VERSION);
  std::vector<chain::Growth> growth;
  for (const std::size_t links : sizes) growth.push_back(chain::run_chain(links));
  std::printf("\nour time per step at tolerance 1e-9\n");
  for (std::size_t i = 0; i < growth.size(); ++i) {
    std::printf("  N = %-6zu %10.4g ms", growth[i].links, 1e3 * growth[i].seconds_per_step);
    if (i > 0) {
      const double exponent =
          std::log(growth[i].seconds_per_step / growth[0].seconds_per_step) /
          std::log(static_cast<double>(growth[i].links) / static_cast<double>(growth[0].links));
      std::printf("   N^%.2f from N = %zu", exponent, growth[0].links);
    }
    std::printf("\n");
  }
  std::printf("\nwall time per step at tolerance 1e-9, the same numbers\n");
  for (const chain::Growth& g : growth) {
    std::printf("  N = %-6zu %10.4g ms   two threads %10.4g ms   %.2f x\n", g.links, 1e3 * g.wall,
                1e3 * g.wall_of_two, g.wall / g.wall_of_two);
  }
}

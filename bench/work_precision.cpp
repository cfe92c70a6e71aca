#include "work_precision.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace dalembert::bench {

std::vector<double> tolerance_range(double coarse, double fine, int per_decade) {
  const int count = static_cast<int>(std::lround(per_decade * std::log10(coarse / fine)));
  std::vector<double> tolerances;
  for (int i = 0; i <= count; ++i)
    tolerances.push_back(coarse * std::pow(10.0, -static_cast<double>(i) / per_decade));
  return tolerances;
}

Measured measure(const Contestant& contestant, int repetitions) {
  Measured measured{contestant.name, {}};
  for (const double tolerance : contestant.tolerances) {
    Point point{tolerance, {}, {}};
    point.timing = time_runs([&] { point.result = contestant.run(tolerance); }, repetitions);
    measured.points.push_back(point);
  }
  return measured;
}

std::optional<double> time_at_error(const std::vector<Point>& points, double error) {
  std::vector<Point> sorted;
  for (const Point& point : points)
    if (point.result.finished && point.result.error > 0) sorted.push_back(point);
  std::sort(sorted.begin(), sorted.end(),
            [](const Point& a, const Point& b) { return a.timing.median < b.timing.median; });
  const Point* last = nullptr;  // on the front
  for (const Point& point : sorted) {
    if (last && point.result.error >= last->result.error) continue;
    if (point.result.error <= error) {
      if (point.result.error == error || !last) return point.timing.median;
      const double share =
          std::log(last->result.error / error) / std::log(last->result.error / point.result.error);
      return last->timing.median * std::pow(point.timing.median / last->timing.median, share);
    }
    last = &point;
  }
  return std::nullopt;
}

void print_table_head(const std::string& second_error) {
  std::printf("%-34s %9s %9s %9s %11s %11s %7s %8s\n", "method", "tolerance", "error", second_error.c_str(),
              "median ms", "minimum ms", "steps", "rejected");
}

void print_points(const Measured& measured) {
  for (const Point& point : measured.points) {
    std::printf("%-34s %9.1e ", measured.name.c_str(), point.tolerance);
    if (point.result.finished)
      std::printf("%9.2e %9.2e", point.result.error, point.result.second_error);
    else
      std::printf("%19s", "did not finish");
    std::printf(" %11.4f %11.4f %7ld %8ld\n", 1e3 * point.timing.median, 1e3 * point.timing.minimum,
                point.result.steps, point.result.rejected);
  }
  std::fflush(stdout);
}

void print_equal_error(const std::vector<Measured>& all, const std::vector<double>& errors) {
  std::printf("\n%-34s", "time in ms at equal error");
  for (const double error : errors) std::printf(" %12.0e", error);
  std::printf("\n");
  for (const Measured& measured : all) {
    std::printf("%-34s", measured.name.c_str());
    for (const double error : errors) {
      const std::optional<double> seconds = time_at_error(measured.points, error);
      seconds ? std::printf(" %12.4f", 1e3 * *seconds) : std::printf(" %12s", "-");
    }
    std::printf("\n");
  }
}

void print_environment(const std::string& versions) {
  std::ifstream file("/proc/cpuinfo");
  std::string line, processor = "unknown processor";
  while (std::getline(file, line))
    if (line.starts_with("model name")) {
      processor = line.substr(line.find(':') + 2);
      break;
    }
  std::printf("%s; g++ %s; %s\n", processor.c_str(), __VERSION__, versions.c_str());
}

void run_comparison(const Comparison& comparison, const std::string& filter) {
  std::vector<Measured> all;
  print_table_head(comparison.second_error);
  for (const Contestant& contestant : comparison.contestants) {
    if (contestant.name.find(filter) == std::string::npos) continue;
    all.push_back(measure(contestant));
    print_points(all.back());
  }
  print_equal_error(all, comparison.equal_errors);
}

}  // namespace dalembert::bench

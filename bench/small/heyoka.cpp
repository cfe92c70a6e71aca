// heyoka (a Taylor method, compiled by LLVM) runs in Python, on the same equations, and times itself.

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "small/problems.hpp"

namespace dalembert::bench::small {

std::vector<Measured> measure_heyoka(const Problem& problem, const std::string& python) {
  if (python.empty()) {
    std::fprintf(stderr, "heyoka is left out: bench/small/find_heyoka has found none\n");
    return {};
  }
  const std::string command = fmt::format("'{}' '{}' {}", python, DALEMBERT_HEYOKA_RUNS, problem.model);
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  Measured measured{"heyoka", {}};
  double tolerance = 0, median = 0, minimum = 0;
  int finished = 0;
  long steps = 0;
  State y{};
  while (std::fscanf(pipe, "%lf %d %ld %lf %lf %lf %lf %lf %lf", &tolerance, &finished, &steps, &median,
                     &minimum, &y[0], &y[1], &y[2], &y[3]) == 9)
    measured.points.push_back(
        {tolerance, judge(problem, finished != 0, y, steps, 0), Timing{median, minimum}});
  if (pclose(pipe) != 0) std::fprintf(stderr, "heyoka failed on %s\n", problem.model.c_str());
  return {measured};
}

}  // namespace dalembert::bench::small

// What a short run costs in C++: the least of some rounds, in microseconds of the processor.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <limits>

#include <dalembert/session/run.hpp>

int main() {
  using namespace dalembert;
  const session::LoadedModel pendulum = session::load("pendulum");
  const std::array options{give("start", 0.0), give("duration", 0.001), give("output_step", 0.001)};
  constexpr int rounds = 50, runs = 200;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < runs; ++i) session::run(pendulum, options);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    least = std::min(least, 1e6 * seconds / runs);
  }
  std::printf("%.2f\n", least);
}

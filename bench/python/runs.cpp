// What short runs cost in C++, in microseconds of the processor, the least of some rounds: of one model, of
// one with other parameters each, of one with another start each.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <vector>

#include <dalembert/session/run.hpp>

namespace {

double least_microseconds(const std::function<void(double)>& run) {
  constexpr int rounds = 50, runs = 200;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < runs; ++i) run(1 + 0.001 * i);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    least = std::min(least, 1e6 * seconds / runs);
  }
  return least;
}

}  // namespace

int main() {
  using namespace dalembert;
  const session::LoadedModel pendulum = session::load("pendulum");
  const std::array options{give("start", 0.0), give("duration", 0.001), give("output_step", 0.001)};
  const auto alone = [&](double) { session::run(pendulum, options); };
  const auto other = [&](double l) {
    session::run(pendulum.with_parameters(std::vector<NamedValue>{{"l", l}}), options);
  };
  const auto started = [&](double theta) {
    session::run(pendulum.with_start(std::vector<NamedValue>{{"theta", theta}}), options);
  };
  std::printf("%.2f %.2f %.2f\n", least_microseconds(alone), least_microseconds(other),
              least_microseconds(started));
}

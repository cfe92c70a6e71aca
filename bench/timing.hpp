#pragma once
// Wall time of a call on one thread: median and minimum of repeated runs after one warm-up.

#include <algorithm>
#include <chrono>
#include <vector>

namespace dalembert::bench {

struct Timing {
  double median = 0, minimum = 0;  // seconds
};

template <class Call>
Timing time_batch(Call&& call, int repetitions) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  seconds.reserve(repetitions);
  for (int i = 0; i < repetitions; ++i) {
    const auto start = Clock::now();
    call();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  const double median =
      seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  return {median, seconds.front()};
}

// A median well above the minimum means that another process held the processor, which hurts long runs more
// than short ones. The batch is then repeated, up to ten times, and the one with the smallest median counts.
template <class Call>
Timing time_runs(Call&& call, int repetitions = 20) {
  call();
  Timing best = time_batch(call, repetitions);
  for (int batch = 1; batch < 10 && best.median > 1.05 * best.minimum; ++batch) {
    const Timing again = time_batch(call, repetitions);
    best.minimum = std::min(best.minimum, again.minimum);
    best.median = std::min(best.median, again.median);
  }
  return best;
}

}  // namespace dalembert::bench

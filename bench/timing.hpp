#pragma once
// Time of a call on one thread: median and minimum of repeated runs after one warm-up.
//
// The clock is the processor time of the thread. On a quiet machine it equals wall time; on a busy one wall
// time would count the turns of other processes, and only in runs longer than a turn of the scheduler: long
// runs would look slower than they are beside short ones.

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <functional>
#include <utility>
#include <vector>

namespace dalembert::bench {

struct Timing {
  double median = 0, minimum = 0;  // seconds
};

inline double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double seconds_of(const std::function<void()>& call) {
  const double start = thread_seconds();
  call();
  return thread_seconds() - start;
}

inline Timing summarize(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  const double median =
      seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  return {median, seconds.front()};
}

inline Timing time_runs(const std::function<void()>& call, int repetitions = 20) {
  call();
  std::vector<double> seconds;
  for (int i = 0; i < repetitions; ++i) seconds.push_back(seconds_of(call));
  return summarize(std::move(seconds));
}

/// Calls that take turns: a slow second of the machine is one for all.
inline std::vector<Timing> time_in_turn(const std::vector<std::function<void()>>& calls, int repetitions) {
  std::vector<std::vector<double>> seconds(calls.size());
  for (const auto& call : calls) call();
  for (int i = 0; i < repetitions; ++i) {
    for (std::size_t k = 0; k < calls.size(); ++k) seconds[k].push_back(seconds_of(calls[k]));
  }
  std::vector<Timing> timings;
  for (std::vector<double>& of_call : seconds) timings.push_back(summarize(std::move(of_call)));
  return timings;
}

}  // namespace dalembert::bench

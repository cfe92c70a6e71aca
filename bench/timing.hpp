#pragma once
// Time of a call on one thread: median and minimum of repeated runs after one warm-up.
//
// The clock is the processor time of the thread. On a quiet machine it equals wall time; on a busy one wall
// time would count the turns of other processes, and only in runs longer than a turn of the scheduler: long
// runs would look slower than they are beside short ones.

#include <algorithm>
#include <ctime>
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

template <class Call>
Timing time_runs(Call&& call, int repetitions = 20) {
  call();
  std::vector<double> seconds(repetitions);
  for (double& entry : seconds) {
    const double start = thread_seconds();
    call();
    entry = thread_seconds() - start;
  }
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  const double median =
      seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  return {median, seconds.front()};
}

}  // namespace dalembert::bench

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <dalembert/base/team.hpp>
#include <dalembert/study/executor.hpp>

namespace dalembert::study {

ThreadExecutor::ThreadExecutor(int threads) : threads_(threads > 0 ? threads : hardware_threads()) {}

void ThreadExecutor::run(const Study& study, const NextBlock& next, const TakeBlock& take,
                         const std::function<bool()>& go_on) {
  std::mutex mutex;
  std::exception_ptr failure;
  std::atomic<bool> ends = false;
  const std::function<bool()> goes_on = [&] { return !ends && go_on(); };
  const auto next_block = [&] {
    const std::scoped_lock lock(mutex);
    return goes_on() ? next() : std::nullopt;
  };
  const auto work = [&] {
    try {
      while (const std::optional<std::uint64_t> number = next_block()) {
        const auto begin = std::chrono::steady_clock::now();
        std::optional<RowBlock> block = study.run(*number, goes_on);
        if (!block) return;
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        const std::scoped_lock lock(mutex);
        busy_ += seconds.count();
        if (!failure) take(std::move(*block));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
      ends = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads_; ++i) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace dalembert::study

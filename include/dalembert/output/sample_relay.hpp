// Hands samples from the thread that computes them to one that writes them, so that a run does not wait for
// its files.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <dalembert/trajectory/sample.hpp>

namespace dalembert {

/// Samples are copied into blocks; full blocks wait in a queue of bounded length for the second thread, which
/// calls `take` for each sample in turn. The thread starts with the first full block: a short run has none.
/// What `take` throws comes out of add() or finish(); nothing is taken after it.
///
/// The block being filled belongs to the caller's thread, the block being taken to the other; everything they
/// share is below `mutex_`. What `take` uses is the second thread's until finish() has returned.
class SampleRelay {
 public:
  using Take = std::function<void(const Sample<double>&)>;

  explicit SampleRelay(Take take) : take_(std::move(take)) {}
  SampleRelay(const SampleRelay&) = delete;
  SampleRelay& operator=(const SampleRelay&) = delete;
  ~SampleRelay();  ///< without finish(): what waits is dropped

  /// All samples have parts of the same sizes.
  void add(const Sample<double>& sample);
  /// Returns when all samples have been taken.
  void finish();

 private:
  using Block = std::vector<double>;

  void begin(const Sample<double>& first);
  void hand_over();
  Block take_empty();
  void stop();
  void work();
  void take_all(std::span<const double> numbers) const;

  Take take_;
  std::array<std::size_t, 7> sizes_{};  // of a sample's spans
  std::size_t width_ = 0;               // of a sample
  std::size_t block_size_ = 0;

  // In cache lines of its own: above is what the other thread reads for each sample.
  alignas(64) Block filling_;
  std::size_t filled_ = 0;  // of its numbers
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> full_;
  std::vector<Block> empty_;  // the last one used first: it is still in the cache
  bool ended_ = false;        // no block follows
  std::exception_ptr failure_;
};

}  // namespace dalembert

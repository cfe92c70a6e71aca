// Where the rows of a study are computed. An executor gets blocks of rows, each of them arrays of parameters
// and starts, and gives arrays of numbers back; plan and store know nothing of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <dalembert/study/study.hpp>

namespace dalembert::study {

/// The next block that is to be computed; nothing: there is none.
using NextBlock = std::function<std::optional<std::uint64_t>()>;
/// Takes a block that is done.
using TakeBlock = std::function<void(RowBlock&&)>;

class Executor {
 public:
  virtual ~Executor() = default;
  /// Computes blocks in any order and returns when there is no next one, or `go_on` says no: blocks that are
  /// not done then are dropped. `next` and `take` are called by one thread at a time, `go_on` by any. The
  /// first exception of any of them is thrown again.
  virtual void run(const Study& study, const NextBlock& next, const TakeBlock& take,
                   const std::function<bool()>& go_on) = 0;
  /// That threads have spent in blocks, all together.
  virtual double busy_seconds() const = 0;
};

/// On threads of this machine, each with the SIMD lanes of its core; whoever is idle takes the next block.
class ThreadExecutor : public Executor {
 public:
  /// 0: as many as this machine runs at once.
  explicit ThreadExecutor(int threads = 0);
  int threads() const { return threads_; }
  void run(const Study& study, const NextBlock& next, const TakeBlock& take,
           const std::function<bool()>& go_on) override;
  double busy_seconds() const override { return busy_; }

 private:
  int threads_;
  double busy_ = 0;
};

}  // namespace dalembert::study

// When samples are wanted.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <dalembert/solve/options.hpp>

namespace dalembert {

/// The sample times of a run in its direction: start, multiples of the output step, end; or the given times.
class Schedule {
 public:
  explicit Schedule(const SolveOptions& options)
      : start_(options.start), end_(options.start + options.duration), times_(options.output_times) {
    if (times_.empty() && options.output_step > 0) {
      step_ = std::copysign(options.output_step, options.duration);
      // a last regular sample closer to the end than a rounding error is the end itself
      count_ = static_cast<std::size_t>(std::floor(options.duration / step_ * (1 - 1e-12))) + 1;
    }
  }

  bool every_step() const { return times_.empty() && step_ == 0; }
  bool done() const { return next_ >= size(); }
  double next() const {
    if (!times_.empty()) return times_[next_];
    return next_ < count_ ? start_ + static_cast<double>(next_) * step_ : end_;
  }
  void advance() { ++next_; }
  std::size_t size() const { return times_.empty() ? count_ + 1 : times_.size(); }

 private:
  double start_;
  double end_;
  double step_ = 0;
  std::size_t count_ = 1;  // regular samples before the end
  std::size_t next_ = 0;
  std::vector<double> times_;
};

}  // namespace dalembert

// When samples are wanted.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <dalembert/base/text.hpp>
#include <dalembert/solve/options.hpp>

namespace dalembert {

/// The decimal number as which a double is written: with many digits, 0.1 is 1/10.
template <class S>
S decimal(double x) {
  if constexpr (std::is_same_v<S, double>) {
    return x;
  } else {
    return S(shortest(x));
  }
}

/// The sample times of a run in its direction: start, multiples of the output step, end; or the given times.
class Schedule {
 public:
  explicit Schedule(const SolveOptions& options)
      : start_(options.start), duration_(options.duration), times_(options.output_times) {
    if (times_.empty() && options.output_step > 0) {
      step_ = std::copysign(options.output_step, options.duration);
      // a last regular sample closer to the end than a rounding error is the end itself
      count_ = static_cast<std::size_t>(std::floor(options.duration / step_ * (1 - 1e-12))) + 1;
    }
  }

  bool every_step() const { return times_.empty() && step_ == 0; }
  bool done() const { return next_ >= size(); }
  template <class S = double>
  S next() const {
    if (!times_.empty()) {
      const bool is_end = times_[next_] == start_ + duration_;
      return is_end ? end<S>() : decimal<S>(times_[next_]);
    }
    if (next_ >= count_) return end<S>();
    return decimal<S>(start_) + S(static_cast<double>(next_)) * decimal<S>(step_);
  }
  template <class S = double>
  S end() const {
    return decimal<S>(start_) + decimal<S>(duration_);
  }
  void advance() { ++next_; }
  std::size_t size() const { return times_.empty() ? count_ + 1 : times_.size(); }

 private:
  double start_;
  double duration_;
  double step_ = 0;
  std::size_t count_ = 1;  // regular samples before the end
  std::size_t next_ = 0;
  std::vector<double> times_;
};

}  // namespace dalembert

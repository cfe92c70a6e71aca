// Values of functions at given times along motions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/solve/path_watch.hpp>

namespace dalembert {

class PathSamples {
 public:
  explicit PathSamples(std::span<const PathWatch::Wants> wants) {
    for (const PathWatch::Wants& one : wants) places_.push_back(one.samples ? sampled_++ : no_place);
  }

  void set_times(std::vector<double> times) { times_ = std::move(times); }
  const std::vector<double>& times() const { return times_; }
  void begin(std::size_t motions) { values_.assign(motions * sampled_ * times_.size(), PathSummary::none); }

  /// The times of a step with both its ends, as numbers of the first and behind the last.
  std::pair<std::size_t, std::size_t> within(double begin, double end) const {
    if (sampled_ == 0) return {0, 0};
    const auto is_before = [forward = begin < end](double a, double b) { return forward ? a < b : a > b; };
    const auto first = std::lower_bound(times_.begin(), times_.end(), begin, is_before);
    const auto behind = std::upper_bound(first, times_.end(), end, is_before);
    return {static_cast<std::size_t>(first - times_.begin()),
            static_cast<std::size_t>(behind - times_.begin())};
  }

  /// Between two steps that of the first one counts.
  void put(std::size_t motion, std::size_t function, std::size_t time, double value) {
    double& kept = values_[place(motion, function) + time];
    if (std::isnan(kept)) kept = value;
  }
  std::span<const double> of(std::size_t motion, std::size_t function) const {
    return std::span(values_).subspan(place(motion, function), times_.size());
  }

 private:
  static constexpr std::size_t no_place = static_cast<std::size_t>(-1);
  std::size_t place(std::size_t motion, std::size_t function) const {
    return (motion * sampled_ + places_[function]) * times_.size();
  }

  std::size_t sampled_ = 0;             // functions
  std::vector<std::size_t> places_;     // by function
  std::vector<double> times_, values_;  // values: [motion][sampled function][time]
};

}  // namespace dalembert

// Joints that leave their ranges in a run. An output `range_NAME` says where the joint NAME is in its range:
// -1 at the lower limit, 1 at the upper one; `dalembert import` writes them.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/model/model.hpp>
#include <dalembert/trajectory/report.hpp>
#include <dalembert/trajectory/sample.hpp>

namespace dalembert::session {

class LimitWatch {
 public:
  explicit LimitWatch(const ModelData& model);

  template <class S>
  void look(const Sample<S>& sample) {
    for (Range& range : ranges_) {
      if (range.is_left) continue;
      const auto place = static_cast<double>(sample.outputs[range.output]);
      if (std::abs(place) > 1 + round_off) leave(range, place, static_cast<double>(sample.t));
    }
  }

  /// One note of all joints that left their ranges.
  void add_note(RunReport& report) const;

 private:
  static constexpr double round_off = 1e-9;  // a joint may rest on its stop
  struct Range {
    std::string joint;
    std::size_t output;
    bool is_left = false;
  };
  void leave(Range& range, double place, double t);

  std::vector<Range> ranges_;
  std::vector<std::string> left_;  // in the order of time
};

}  // namespace dalembert::session

#include "jumps.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dalembert {
namespace {

// All that happens at one time. Samples [begin, first) are of the motion before, [last, end) of the one
// behind; those between are at the time itself.
struct Jump {
  double t;
  const EventRecord* before;
  const EventRecord* behind;
  std::size_t begin, first, last, end;
};

std::vector<Jump> jumps_of(std::span<const double> times, std::span<const EventRecord> events) {
  std::vector<Jump> jumps;
  const auto index = [&](auto place) { return static_cast<std::size_t>(place - times.begin()); };
  for (const EventRecord& event : events) {
    if (event.q_after.empty()) continue;
    if (!jumps.empty() && jumps.back().t == event.t) {
      jumps.back().behind = &event;
      continue;
    }
    const std::size_t first = index(std::ranges::lower_bound(times, event.t));
    const std::size_t last = index(std::ranges::upper_bound(times, event.t));
    const std::size_t begin = jumps.empty() ? 0 : jumps.back().last;
    if (!jumps.empty()) jumps.back().end = first;
    jumps.push_back({event.t, &event, &event, begin, first, last, times.size()});
  }
  return jumps;
}

// Lagrange's polynomial through samples [begin, end).
double extrapolate(std::span<const double> times, std::span<const double> values, std::size_t begin,
                   std::size_t end, double t) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    double weight = 1;
    for (std::size_t k = begin; k < end; ++k)
      if (k != i) weight *= (t - times[k]) / (times[i] - times[k]);
    sum += weight * values[i];
  }
  return sum;
}

class JumpingColumn {
 public:
  JumpingColumn(const Column& column, std::span<const double> times, std::span<const double> values)
      : column_(column), times_(times), values_(values) {
    using enum ColumnGroup;
    if (column.group == g || column.group == gv || column.name == "work") most_ = 1;  // no smooth curves
  }

  std::vector<double> with(std::span<const Jump> jumps) {
    std::vector<double> result;
    std::size_t next = 0;
    for (const Jump& jump : jumps) {
      const auto take_until = [&](std::size_t end) {
        for (; next < end; ++next) result.push_back(values_[next]);
      };
      take_until(jump.first);
      const double before = value_before(jump, result.empty() ? values_.front() : result.back());
      result.push_back(before);
      take_until(jump.last);
      result.push_back(value_behind(jump, before));
    }
    for (; next < values_.size(); ++next) result.push_back(values_[next]);
    return result;
  }

 private:
  // `otherwise` where bounces follow each other between two samples.
  double value_before(const Jump& jump, double otherwise) const {
    using enum ColumnGroup;
    if (column_.group == time) return jump.t;
    if (column_.group == q) return jump.before->q[column_.index];
    if (column_.group == v) return jump.before->v[column_.index];
    if (jump.begin == jump.first) return otherwise;
    return extrapolate(times_, values_, std::max(jump.begin, jump.first - std::min(jump.first, most_)),
                       jump.first, jump.t);
  }
  double value_behind(const Jump& jump, double otherwise) const {
    using enum ColumnGroup;
    if (column_.group == time) return jump.t;
    if (column_.group == q) return jump.behind->q_after[column_.index];
    if (column_.group == v) return jump.behind->v_after[column_.index];
    if (jump.last == jump.end) return otherwise;
    return extrapolate(times_, values_, jump.last, std::min(jump.end, jump.last + most_), jump.t);
  }

  const Column& column_;
  std::span<const double> times_;
  std::span<const double> values_;
  std::size_t most_ = 3;
};

}  // namespace

std::vector<std::vector<double>> with_jumps(std::span<const Column> columns,
                                            std::vector<std::vector<double>> values,
                                            std::span<const EventRecord> events) {
  if (values.empty() || values.front().empty()) return values;
  const std::vector<double> times = values.front();
  const std::vector<Jump> jumps = jumps_of(times, events);
  if (jumps.empty()) return values;
  for (std::size_t i = 0; i < columns.size(); ++i)
    values[i] = JumpingColumn(columns[i], times, values[i]).with(jumps);
  return values;
}

}  // namespace dalembert

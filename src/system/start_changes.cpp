#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include <dalembert/system/start_changes.hpp>

namespace dalembert {
namespace {

double largest(std::span<const double> values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

// The change of one value, named `name`; what is not among the changes is none.
const StartChange* find_change(const Start& start, const std::string& name) {
  const auto found = std::find_if(start.changes.begin(), start.changes.end(),
                                  [&](const StartChange& change) { return change.name == name; });
  return found == start.changes.end() ? nullptr : &*found;
}

bool is_noticeable(const StartChange& change, double size, double least) {
  // a coordinate that was read, moved and rounded
  constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();
  const double by = std::abs(change.to - change.from);
  return by > round_off * size && by > least * std::max(std::abs(change.from), std::abs(change.to));
}

}  // namespace

StartChanges sort_changes(const System& system, const Start& start, double least) {
  const double size_q = largest(start.q);
  // what the accelerations would make of a rest at the distance of the largest coordinate
  const double size_v = std::max(largest(start.v), std::sqrt(largest(start.a) * size_q));
  StartChanges result;
  for (std::size_t i = 0; i < system.n(); ++i) {
    const Coordinate& coordinate = system.model().coordinates[i];
    const StartChange* const q = find_change(start, coordinate.name);
    if (q != nullptr && is_noticeable(*q, size_q, least))
      (coordinate.guess ? result.found : result.given).push_back(*q);
    const StartChange* const v = find_change(start, coordinate.name + "'");
    if (v != nullptr && is_noticeable(*v, size_v, least))
      (coordinate.guess_velocity ? result.found : result.given).push_back(*v);
  }
  return result;
}

}  // namespace dalembert

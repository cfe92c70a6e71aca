#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <dalembert/system/auxiliary.hpp>

namespace dalembert {

// BODY.unit of the quaternion BODY.e0 ..., JOINT.turn of the coordinate JOINT.angle; the row `turn` of a
// joint that does not turn has no such coordinate.
std::vector<bool> find_auxiliary(const System& system) {
  std::unordered_set<std::string> coordinates;
  for (std::size_t i = 0; i < system.n(); ++i) coordinates.insert(system.coordinate_name(i));
  std::vector<bool> auxiliary(system.m());
  for (std::size_t j = 0; j < system.m(); ++j) {
    const std::string& name = system.constraint_name(j);
    const auto gives_meaning = [&](std::string_view row, const char* coordinate) {
      return name.ends_with(row) &&
             coordinates.contains(name.substr(0, name.size() - row.size()) + coordinate);
    };
    auxiliary[j] = gives_meaning(".unit", ".e0") || gives_meaning(".turn", ".angle");
  }
  return auxiliary;
}

}  // namespace dalembert

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
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

// BODY.e0 ... BODY.e3 where a row BODY.unit makes them one.
std::vector<std::array<std::size_t, 4>> find_quaternions(const System& system) {
  std::unordered_map<std::string, std::size_t> coordinates;
  for (std::size_t i = 0; i < system.n(); ++i) coordinates.emplace(system.coordinate_name(i), i);
  std::vector<std::array<std::size_t, 4>> quaternions;
  for (std::size_t j = 0; j < system.holonomic(); ++j) {
    constexpr std::string_view row = ".unit";
    const std::string& name = system.constraint_name(j);
    if (!name.ends_with(row)) continue;
    const std::string body = name.substr(0, name.size() - row.size());
    std::array<std::size_t, 4> members{};
    bool are_all = true;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const auto found = coordinates.find(body + ".e" + std::to_string(k));
      are_all = are_all && found != coordinates.end();
      if (are_all) members[k] = found->second;
    }
    if (are_all) quaternions.push_back(members);
  }
  return quaternions;
}

}  // namespace dalembert

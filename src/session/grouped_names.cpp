#include "grouped_names.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

namespace dalembert::session {
namespace {

constexpr std::size_t most_single = 8;   // names that are listed one by one
constexpr std::size_t most_groups = 12;  // joints that are listed

struct Group {
  std::string owner;
  std::vector<std::string> parts;
};

std::vector<Group> by_owner(std::span<const std::string> names) {
  std::vector<Group> groups;
  for (const std::string& name : names) {
    const std::size_t dot = name.rfind('.');
    const std::string owner = name.substr(0, dot);
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.owner == owner; });
    Group& group = same == groups.end() ? groups.emplace_back(Group{owner, {}}) : *same;
    if (dot != std::string::npos) group.parts.push_back(name.substr(dot + 1));
  }
  return groups;
}

}  // namespace

std::string group_names(std::span<const std::string> names, const std::string& quote) {
  std::vector<std::string> items;
  if (names.size() <= most_single) {
    for (const std::string& name : names) items.push_back(quote + name + quote);
    return join(items, ", ");
  }
  const std::vector<Group> groups = by_owner(names);
  for (std::size_t i = 0; i < std::min(groups.size(), most_groups); ++i) {
    const auto& [owner, parts] = groups[i];
    items.push_back(quote + owner + quote + (parts.empty() ? "" : fmt::format(" ({})", join(parts, ", "))));
  }
  const std::string more =
      groups.size() > most_groups ? fmt::format(" and those of {} more", groups.size() - most_groups) : "";
  return join(items, ", ") + more;
}

}  // namespace dalembert::session

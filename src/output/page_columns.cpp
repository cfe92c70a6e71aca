#include "page_columns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace dalembert {
namespace {

struct Group {
  ColumnGroup group;
  bool of_joints;  // outputs of bodies and joints, which have a dot in their names
  std::string_view meaning;
};

constexpr std::array<Group, 12> by_importance{{{ColumnGroup::time, false, "times"},
                                               {ColumnGroup::energy, false, "energies"},
                                               {ColumnGroup::output, false, "outputs"},
                                               {ColumnGroup::view, false, "places of the animation"},
                                               {ColumnGroup::q, false, "coordinates"},
                                               {ColumnGroup::v, false, "velocities"},
                                               {ColumnGroup::output, true, "reactions and tensions"},
                                               {ColumnGroup::lambda, false, "multipliers"},
                                               {ColumnGroup::a, false, "accelerations"},
                                               {ColumnGroup::force, false, "constraint forces"},
                                               {ColumnGroup::g, false, "residuals of positions"},
                                               {ColumnGroup::gv, false, "residuals of velocities"}}};

bool belongs(const Column& column, const Group& group) {
  const bool of_joint = column.group == ColumnGroup::output && column.name.find('.') != std::string::npos;
  return column.group == group.group && of_joint == group.of_joints;
}

// In the page's JSON: no numbers where it is constant; an envelope has two per sample.
std::size_t bytes_of(const PageSamples& samples, std::size_t curve_points, std::size_t index) {
  constexpr std::size_t keys = 70;  // of a column, its unit and its group
  const Column& column = samples.columns()[index];
  const std::size_t head =
      keys + column.name.size() + 2 * column_latex(column).size();  // backslashes are two
  const std::span<const double> values = samples.values(index);
  const bool constant =
      std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
  const bool thinned = samples.every() > 1;
  const std::size_t heads = head * (curve_points > 0 || thinned ? 2 : 1);
  if (constant && !thinned) return heads;
  const bool has_envelope = thinned && column.group != ColumnGroup::view;
  const std::size_t numbers = samples.size() * (has_envelope ? 3 : 1) + curve_points;
  return heads + numbers * sizeof(double) * 4 / 3;  // base64
}

}  // namespace

PageColumns choose_page_columns(const PageSamples& samples, std::size_t curve_points, std::size_t room) {
  const std::vector<Column>& columns = samples.columns();
  PageColumns chosen;
  chosen.shown.assign(columns.size(), false);
  std::size_t left = room;
  for (const Group& group : by_importance) {
    std::vector<std::size_t> members;
    std::size_t size = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!belongs(columns[i], group)) continue;
      members.push_back(i);
      size += bytes_of(samples, curve_points, i);
    }
    if (members.empty()) continue;
    if (size > left && group.group != ColumnGroup::time) {
      chosen.left_out.push_back(fmt::format("{} {}", members.size(), group.meaning));
      if (group.group == ColumnGroup::q || group.group == ColumnGroup::view) chosen.has_scene = false;
      continue;
    }
    left -= std::min(size, left);
    for (const std::size_t i : members) chosen.shown[i] = true;
  }
  return chosen;
}

}  // namespace dalembert

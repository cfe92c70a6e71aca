#include "array_plan.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace dalembert {
namespace {

std::string array_name(ColumnGroup group) {
  switch (group) {
    case ColumnGroup::time:
      return "t";
    case ColumnGroup::lambda:
      return "lam";
    case ColumnGroup::output:
      return "outputs";
    case ColumnGroup::energy:
      return "energies";
    case ColumnGroup::q:
    case ColumnGroup::v:
    case ColumnGroup::a:
    case ColumnGroup::force:
    case ColumnGroup::g:
    case ColumnGroup::gv:
    case ColumnGroup::view:
      break;
  }
  return std::string(group_name(group));
}

}  // namespace

std::vector<std::string> ArrayPlan::names(std::span<const Column> all) const {
  std::vector<std::string> list;
  for (const Column& column : all.subspan(columns.first, columns.count)) list.push_back(column.name);
  return list;
}

std::vector<std::string> ArrayPlan::units(std::span<const Column> all) const {
  std::vector<std::string> list;
  for (const Column& column : all.subspan(columns.first, columns.count)) list.push_back(column.unit);
  return list;
}

std::vector<ArrayPlan> plan_arrays(std::span<const Column> columns) {
  std::vector<ArrayPlan> arrays;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i == 0 || columns[i].group != columns[i - 1].group)
      arrays.push_back({array_name(columns[i].group), {i, 0}});
    ++arrays.back().columns.count;
  }
  return arrays;
}

std::vector<ColumnRange> ranges_of(std::span<const ArrayPlan> plans) {
  std::vector<ColumnRange> ranges;
  for (const ArrayPlan& plan : plans) ranges.push_back(plan.columns);
  return ranges;
}

}  // namespace dalembert

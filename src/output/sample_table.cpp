#include "sample_table.hpp"

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
    default:
      return std::string(group_name(group));
  }
}

}  // namespace

std::vector<ArrayPlan> plan_arrays(std::span<const Column> columns) {
  std::vector<ArrayPlan> arrays;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i == 0 || columns[i].group != columns[i - 1].group)
      arrays.push_back({array_name(columns[i].group), {}});
    arrays.back().columns.push_back(i);
  }
  return arrays;
}

}  // namespace dalembert

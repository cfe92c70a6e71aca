// How files call the groups of columns, each of which is one array.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dalembert/output/columns.hpp>

#include "spool.hpp"

namespace dalembert {

/// The columns of one group, side by side.
struct ArrayPlan {
  std::string name;  ///< t q v a lam force outputs energies g gv
  ColumnRange columns;

  /// The columns' names.
  std::vector<std::string> names(std::span<const Column> all) const;
  /// Their units, empty where there is none.
  std::vector<std::string> units(std::span<const Column> all) const;
};

std::vector<ArrayPlan> plan_arrays(std::span<const Column> columns);

/// The columns of each.
std::vector<ColumnRange> ranges_of(std::span<const ArrayPlan> plans);

}  // namespace dalembert

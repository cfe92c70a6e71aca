// Rows kept in memory by columns, for formats that want a column in one piece; and how files call the groups.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/output/columns.hpp>

namespace dalembert {

class SampleTable {
 public:
  explicit SampleTable(std::vector<Column> columns)
      : columns_(std::move(columns)), values_(columns_.size()) {}
  void add(std::span<const double> row) {
    for (std::size_t i = 0; i < row.size(); ++i) values_[i].push_back(row[i]);
  }
  const std::vector<Column>& columns() const { return columns_; }
  std::span<const double> values(std::size_t column) const { return values_[column]; }
  std::size_t size() const { return values_.front().size(); }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<double>> values_;
};

/// The columns of one group, side by side.
struct ArrayPlan {
  std::string name;  ///< t q v a lam force outputs energies g gv
  std::vector<std::size_t> columns;
};

std::vector<ArrayPlan> plan_arrays(std::span<const Column> columns);

}  // namespace dalembert

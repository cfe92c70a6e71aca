// What a reader wants to know of all rows together: ranges, failures by reason, sensitivities.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <dalembert/study/sweep.hpp>

namespace dalembert::study {

class RowSummary {
 public:
  explicit RowSummary(const Study& study);

  /// In the order of the rows, so that sums do not depend on who computed them when.
  void add(std::uint64_t row, std::span<const double> values, const std::string& reason);
  void put(SweepReport& report) const;

 private:
  struct Sum {
    double deviations = 0;  // Σ (x − mean)², by Welford's recurrence
  };
  void add_to_indices(std::uint64_t row, std::span<const double> values, bool reached);
  void add_failure(std::uint64_t row, const std::string& reason);

  const Study& study_;
  std::vector<ColumnSummary> columns_;
  std::vector<Sum> sums_;
  std::array<std::uint64_t, 4> outcomes_{};
  std::map<std::string, FailureSummary> failures_;  // by the reason without its numbers
  std::vector<SobolIndices> indices_;               // of collected columns; empty: nobody asks
  std::vector<std::vector<double>> group_;          // of the present sample: [column][A, A_i, B]
};

}  // namespace dalembert::study

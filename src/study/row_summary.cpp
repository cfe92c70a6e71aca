#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/study/row_summary.hpp>

namespace dalembert::study {
namespace {

constexpr std::size_t most_reasons = 100;

// "t = 0.31" and "t = 0.32" are the same reason.
std::string without_numbers(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit) {
      result += c;
    } else if (result.empty() || result.back() != '#') {
      result += '#';
    }
  }
  for (const char* sign : {"#.#", "#e-#", "#e+#", "#e#"}) {
    for (std::size_t at = 0; (at = result.find(sign)) != std::string::npos;)
      result.replace(at, std::string(sign).size(), "#");
  }
  return result;
}

}  // namespace

RowSummary::RowSummary(const Study& study) : study_(study) {
  for (const StudyColumn& column : study.columns()) {
    if (column.kind == StudyColumn::Kind::run) continue;
    ColumnSummary& one = columns_.emplace_back();
    one.name = column.name;
    one.unit = column.unit;
  }
  sums_.resize(columns_.size());
  if (!study.description().variation.indices) return;
  const std::size_t quantities = study.plan().names().size();
  indices_.assign(columns_.size() - quantities, SobolIndices(quantities));
  group_.assign(indices_.size(), std::vector<double>(quantities + 2));
}

void RowSummary::add(std::uint64_t row, std::span<const double> values, const std::string& reason) {
  const auto outcome = static_cast<std::size_t>(values[study_.outcome_column()]);
  ++outcomes_.at(outcome);
  const bool reached = reached_end(static_cast<Outcome>(outcome));
  if (!indices_.empty()) add_to_indices(row, values, reached);
  if (outcome != 0) add_failure(row, reason);
  if (!reached) return;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const double x = values[i];
    if (!std::isfinite(x)) continue;
    ColumnSummary& column = columns_[i];
    if (column.count == 0 || x < column.min) {
      column.min = x;
      column.min_row = row;
    }
    if (column.count == 0 || x > column.max) {
      column.max = x;
      column.max_row = row;
    }
    const double off = x - column.mean;
    column.mean += off / static_cast<double>(++column.count);
    sums_[i].deviations += off * (x - column.mean);
  }
}

void RowSummary::add_to_indices(std::uint64_t row, std::span<const double> values, bool reached) {
  const std::size_t quantities = study_.plan().names().size();
  const auto place = static_cast<std::size_t>(row % (quantities + 2));
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    std::vector<double>& group = group_[i];
    if (place == 0) std::ranges::fill(group, std::numeric_limits<double>::quiet_NaN());
    if (reached) group[place] = values[quantities + i];
    if (place == quantities + 1) indices_[i].add(group);
  }
}

void RowSummary::add_failure(std::uint64_t row, const std::string& reason) {
  std::string kind = without_numbers(reason);
  if (!failures_.contains(kind) && failures_.size() >= most_reasons) kind = "others";
  FailureSummary& failure = failures_[kind];
  if (failure.count++ == 0) {
    failure.reason = kind == "others" ? kind : reason;
    failure.first_row = row;
  }
}

void RowSummary::put(SweepReport& report) const {
  report.outcomes = outcomes_;
  report.varied = study_.plan().names();
  report.columns = columns_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].count > 1)
      report.columns[i].deviation =
          std::sqrt(sums_[i].deviations / static_cast<double>(columns_[i].count - 1));
  }
  for (std::size_t i = 0; i < indices_.size(); ++i)
    report.columns[columns_.size() - indices_.size() + i].indices = indices_[i].indices();
  report.failures.clear();
  for (const auto& [kind, failure] : failures_) report.failures.push_back(failure);
  std::ranges::stable_sort(report.failures, [](const auto& a, const auto& b) { return a.count > b.count; });
}

}  // namespace dalembert::study

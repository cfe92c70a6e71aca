#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <dalembert/session/plot_feed.hpp>

namespace dalembert::session {
namespace {

constexpr std::size_t short_run = 4096;  // samples; a picture of more has no room for points between them

// The columns at all times of the curves. What these leave out is known at samples: work goes on in lines,
// residuals are not drawn between.
std::vector<std::vector<double>> all_columns_of(const PageSamples& samples, const PageCurves& curves) {
  const std::vector<double>& times = curves.values.front();
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0, k = 0; i < samples.columns().size(); ++i) {
    const Column& column = samples.columns()[i];
    const bool is_there = k < curves.columns.size() && curves.columns[k].name == column.name &&
                          curves.columns[k].group == column.group;
    if (is_there) {
      all.push_back(curves.values[k++]);
      continue;
    }
    const std::span<const double> known = samples.values(0), values = samples.values(i);
    std::vector<double>& filled = all.emplace_back();
    for (std::size_t row = 0, s = 0; row < times.size(); ++row) {
      if (s + 1 < known.size() && times[row] == known[s + 1]) ++s;
      const bool between = times[row] != known[s];
      const double part = between ? (times[row] - known[s]) / (known[s + 1] - known[s]) : 0;
      const bool goes_on = column.group == ColumnGroup::energy;
      filled.push_back(!between  ? values[s]
                       : goes_on ? values[s] + part * (values[s + 1] - values[s])
                                 : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return all;
}

}  // namespace

PlotFeed::PlotFeed(std::vector<std::unique_ptr<ResultWriter>> plots, const std::vector<Column>& columns)
    : plots_(std::move(plots)), waiting_(PageSamples(columns, short_run)) {}

void PlotFeed::add(std::span<const double> row) {
  if (waiting_ && waiting_->size() == short_run) release({});
  if (waiting_) return waiting_->add(row);
  for (const auto& plot : plots_) plot->add(row);
}

void PlotFeed::add(std::span<const Real> row) {
  waiting_.reset();
  for (const auto& plot : plots_) plot->add(row);
}

void PlotFeed::finish(const RunRecord& record, const MakeRow& make_row) {
  release(make_row);
  for (const auto& plot : plots_) plot->finish(record);
}

void PlotFeed::release(const MakeRow& make_row) {
  if (!waiting_) return;
  const PageSamples samples = std::move(*waiting_);
  waiting_.reset();
  PageCurves curves;
  if (make_row) curves = refine_curves(samples, make_row, Between::lines);
  std::vector<std::vector<double>> columns;
  if (curves.values.empty()) {
    for (std::size_t i = 0; i < samples.columns().size(); ++i)
      columns.emplace_back(samples.values(i).begin(), samples.values(i).end());
  } else {
    columns = all_columns_of(samples, curves);
  }
  std::vector<double> row(columns.size());
  for (std::size_t i = 0; i < columns.front().size(); ++i) {
    for (std::size_t k = 0; k < columns.size(); ++k) row[k] = columns[k][i];
    for (const auto& plot : plots_) plot->add(row);
  }
}

}  // namespace dalembert::session

// More points of a run's curves than a page has samples, where lines between the samples would miss the
// motion.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <dalembert/output/columns.hpp>
#include <dalembert/output/page_samples.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert {

struct PageCurves {
  std::vector<Column> columns;
  std::vector<std::vector<double>> values;  ///< of each column, times first; empty: the samples are enough
};

/// A row of the columns at a time of the run.
using RowAt = std::function<std::span<const double>(double)>;

/// What is drawn from point to point: on pages coordinates and velocities follow the polynomials that have
/// their derivatives at both ends, in pictures all are lines.
enum class Between { polynomials, lines };

/// The columns that are functions of the state: all but the work and residuals.
std::vector<Column> curve_columns(std::span<const Column> columns);

/// The samples and, between them, points of the motion, until what the page draws between two of them is off
/// by less than can be seen. `make_row` is asked for the motion only where the samples themselves say that
/// there is need.
PageCurves refine_curves(const PageSamples& samples,
                         const std::function<RowAt(const std::vector<Column>&)>& make_row,
                         Between between = Between::polynomials);

/// The samples with two points, before and behind, at every event that changes the motion.
PageCurves curves_with_events(const PageSamples& samples, std::span<const EventRecord> events);

}  // namespace dalembert

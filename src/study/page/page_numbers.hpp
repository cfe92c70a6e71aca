// All numbers of the page of a study, made of its rows in two passes: the first finds ranges, samples and
// extremes, the second counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <dalembert/study/study_page.hpp>
#include <dalembert/study/sweep.hpp>

#include "page/kept_rows.hpp"
#include "page/page_counts.hpp"

namespace dalembert::study {

/// How much a page holds, so that it stays below 5 MB and quick to open.
struct PageLimits {
  std::size_t rows = 4000;              ///< that are drawn one by one
  std::size_t failed_rows = 500;        ///< the same of runs that did not reach their end
  std::size_t sample_values = 200'000;  ///< of both: 2.1 MB as base64
  std::size_t extremes = 5;             ///< least and greatest of each column
  std::size_t columns = 8;              ///< varied ones and collected ones of which there are pairs
  std::size_t map_values = 150'000;     ///< of all heat maps
};

struct PageNumbers {
  SweepReport summary;                           ///< counts, ranges, failures, indices
  std::vector<std::pair<double, double>> spans;  ///< of what varies, in all rows
  std::vector<AxisRange> ranges;                 ///< by varied and collected column
  std::vector<KeptRow> reached, failed;
  std::vector<ExtremeRows> extremes;  ///< by collected column
  std::vector<KeptRow> examples;      ///< the first row of each kind of failure
  std::vector<Histogram> histograms;  ///< by varied and collected column
  std::vector<Density> densities;     ///< none where all rows are there one by one
  std::vector<HeatMap> maps;
};

PageNumbers count_rows(const Study& study, const EachRow& each_row, const PageLimits& limits = {});

}  // namespace dalembert::study

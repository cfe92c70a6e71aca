// The rows of a run on their way into pictures. Those of a short run wait until it has ended: then points of
// the motion come between them where lines from sample to sample would miss it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/output/page_curves.hpp>
#include <dalembert/output/page_samples.hpp>
#include <dalembert/output/result_writer.hpp>

namespace dalembert::session {

class PlotFeed {
 public:
  PlotFeed(std::vector<std::unique_ptr<ResultWriter>> plots, const std::vector<Column>& columns);

  void add(std::span<const double> row);
  void add(std::span<const Real> row);  ///< waits for nothing

  using MakeRow = std::function<RowAt(const std::vector<Column>&)>;
  /// Makes the pictures appear; without `make_row` through the samples alone.
  void finish(const RunRecord& record, const MakeRow& make_row);

 private:
  void release(const MakeRow& make_row);

  std::vector<std::unique_ptr<ResultWriter>> plots_;
  std::optional<PageSamples> waiting_;
};

}  // namespace dalembert::session

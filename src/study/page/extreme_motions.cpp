#include "page/extreme_motions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/output/page.hpp>
#include <dalembert/session/run_output.hpp>

namespace dalembert::study {
namespace {

constexpr std::size_t most_motions = 8;
constexpr std::size_t most_bytes = 1'000'000;  // of all of them
constexpr double most_steps = 20'000;          // of one: a second or less
constexpr double samples = 240;                // of one

// First the greatest of each quantity, then the least.
std::vector<const KeptRow*> extreme_rows(const PageNumbers& numbers) {
  std::vector<const KeptRow*> rows;
  const auto add = [&](const std::vector<KeptRow>& list) {
    if (list.empty()) return;
    const bool known = std::ranges::any_of(rows, [&](const KeptRow* one) { return one->row == list[0].row; });
    if (!known && rows.size() < most_motions) rows.push_back(list.data());
  };
  for (const ExtremeRows& one : numbers.extremes) add(one.greatest());
  for (const ExtremeRows& one : numbers.extremes) add(one.least());
  return rows;
}

// As `run --row` makes it, in few samples.
std::string page_of_row(const Study& study, std::uint64_t row) {
  const StudyDescription& of = study.description();
  session::ModelSource source = of.model;
  source.columns.clear();
  const std::vector<std::string> varied = settings_of(study.plan(), row);
  source.settings.insert(source.settings.end(), varied.begin(), varied.end());
  const session::LoadedModel model(std::move(source));
  SolveOptions options = complete(options_for(*model.model(), of.options, Spelling::flag));
  options.output_times.clear();
  options.output_step = options.duration / samples;
  std::string text;
  session::OutputOptions output;
  output.take_page = [&](Page& page) {
    page.record.report.seconds = 0;  // the same page whenever it is made
    text = page_data(page);
  };
  session::run_to_files(model, options, output);
  return text;
}

}  // namespace

std::vector<MotionOfRow> extreme_motions(const Study& study, const PageNumbers& numbers) {
  const ModelData& model = *study.model().described();
  constexpr std::size_t bytes_per_value = 11;  // in base64
  const std::size_t columns = all_columns(model).size() + view_columns(model).size();
  std::vector<MotionOfRow> motions;
  if (columns * static_cast<std::size_t>(samples) * bytes_per_value > most_bytes / 2) return motions;
  std::size_t bytes = 0;
  for (const KeptRow* one : extreme_rows(numbers)) {
    if (one->values[study.outcome_column() + 2] > most_steps) continue;
    try {
      std::string page = page_of_row(study, one->row);
      if (bytes + page.size() > most_bytes) break;
      bytes += page.size();
      motions.push_back({one->row, std::move(page)});
    } catch (const Error&) {  // the row is there, only its motion is not shown
    }
  }
  return motions;
}

}  // namespace dalembert::study

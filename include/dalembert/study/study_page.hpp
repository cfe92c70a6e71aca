// The page of a study: one HTML file without need of a network, below 5 MB whatever the number of rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include <dalembert/study/study.hpp>

namespace dalembert::study {

/// Takes a row: its number, its values by column, why it did not finish.
using TakeRow = std::function<void(std::uint64_t, std::span<const double>, const std::string&)>;
/// Hands over all rows that are there, in their order, as often as it is called.
using EachRow = std::function<void(const TakeRow&)>;

/// What a reader calls to have one of the runs again: a text before and one behind the number of its row.
struct RowCall {
  std::string before, behind;
};

/// The page's data as JSON text (docs/report.md).
std::string study_page_data(const Study& study, const EachRow& each_row, const RowCall& call);

/// Throws Error when the build carries no page, OutputError where the file cannot be written.
void write_study_page(const std::filesystem::path& file, const Study& study, const EachRow& each_row,
                      const RowCall& call);

}  // namespace dalembert::study

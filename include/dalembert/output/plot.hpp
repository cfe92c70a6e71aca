// A picture of chosen columns over time or over another column, for papers: one panel per group of columns,
// .svg or .png.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <dalembert/output/columns.hpp>
#include <dalembert/output/result_writer.hpp>

namespace dalembert {

/// The first column is the time. Residuals are drawn by their size, on a logarithmic axis. `against` names
/// the column of a phase portrait's horizontal axis. Throws Error for another suffix, and for .png where
/// the build draws none.
std::unique_ptr<ResultWriter> make_plot(const std::filesystem::path& path, std::vector<Column> columns,
                                        const std::string& against = "t");

}  // namespace dalembert

// A picture of chosen columns over time, for papers: one panel per group of columns, .svg or .png.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <dalembert/output/columns.hpp>
#include <dalembert/output/result_writer.hpp>

namespace dalembert {

/// The first column is the time. Residuals are drawn by their size, on a logarithmic axis. Throws Error for
/// another suffix, and for .png when the build has no Cairo.
std::unique_ptr<ResultWriter> make_plot(const std::filesystem::path& path, std::vector<Column> columns);

}  // namespace dalembert

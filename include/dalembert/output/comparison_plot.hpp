// Methods side by side as a picture, for papers: error over time used, and the drift of each over simulated
// time.
#pragma once

#include <filesystem>
#include <string>

#include <dalembert/output/page.hpp>

namespace dalembert {

/// Throws Error for a name that does not end in .svg or .png, and for .png where the build draws none;
/// OutputError where the file cannot be written.
void write_comparison_plot(const std::filesystem::path& path, const std::string& title,
                           const Comparison& comparison);

/// Throws the Error that write_comparison_plot would throw for the name.
void check_plot_name(const std::filesystem::path& path);

}  // namespace dalembert

// A run that was written before, to be drawn over another one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <dalembert/output/columns.hpp>

namespace dalembert {

struct OtherRun {
  std::string name;  ///< of its file
  std::vector<Column> columns;
  std::vector<std::vector<double>> values;  ///< of each column, thinned where there are many
};

/// Reads an NPZ file of `dalembert run`; throws Error that says what is wrong with it.
OtherRun read_other_run(const std::filesystem::path& path);

}  // namespace dalembert

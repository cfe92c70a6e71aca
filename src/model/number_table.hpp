// Columns of numbers in a text file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace dalembert {

struct NumberTable {
  std::vector<std::string> names;  ///< of the columns; empty where the file has none
  std::vector<std::vector<double>> columns;

  /// By its name. Throws Error with the nearest one.
  std::size_t column(const std::string& name) const;
};

/// Lines of numbers between commas, semicolons, tabs or blanks; the first may name the columns, those that
/// begin with # are comments. Throws Error with file, line and column.
NumberTable read_number_table(const std::filesystem::path& file);

}  // namespace dalembert

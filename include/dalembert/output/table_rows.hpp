// The rows of a table that make_table_writer() has written whole, read back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <dalembert/output/table_file.hpp>

namespace dalembert {

struct TableRows {
  std::size_t width = 0;
  std::vector<double> values;                    ///< [row][column], without the first column
  std::map<std::uint64_t, std::string> remarks;  ///< by row, as far as they were kept

  std::span<const double> row(std::uint64_t i) const { return std::span(values).subspan(i * width, width); }
};

/// Of rows 0, 1, ..., which the first column counts. Throws OutputError where the table is another.
TableRows read_table_rows(const std::filesystem::path& path, const std::vector<TableColumn>& columns,
                          std::uint64_t rows, const std::string& remark);

}  // namespace dalembert

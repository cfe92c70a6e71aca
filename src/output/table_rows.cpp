#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/table_rows.hpp>

#include "hdf5_table_rows.hpp"
#include "parquet_table.hpp"

namespace dalembert {
namespace {

// A record of CSV, which may go over several lines within quotes; false: there is none.
bool read_record(std::istream& file, std::vector<std::string>& cells) {
  cells.assign(1, "");
  bool quoted = false, any = false;
  for (int c = file.get(); c != EOF; c = file.get()) {
    any = true;
    if (c == '"') {
      const bool doubled = quoted && file.peek() == '"';
      if (doubled) cells.back() += static_cast<char>(file.get());
      if (!doubled) quoted = !quoted;
    } else if (quoted || (c != ',' && c != '\n')) {
      cells.back() += static_cast<char>(c);
    } else if (c == ',') {
      cells.emplace_back();
    } else {
      return true;
    }
  }
  return any;
}

double number_of(const std::string& cell, const std::vector<std::string>& words) {
  const auto word = std::ranges::find(words, cell);
  if (word != words.end()) return static_cast<double>(word - words.begin());
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  return end == cell.c_str() ? std::numeric_limits<double>::quiet_NaN() : value;
}

TableRows read_csv_rows(const std::filesystem::path& path, const std::vector<TableColumn>& columns,
                        std::uint64_t rows) {
  std::ifstream file(path);
  TableRows table{columns.size() - 1, {}, {}};
  table.values.reserve(rows * table.width);
  std::vector<std::string> cells;
  std::uint64_t count = 0;
  read_record(file, cells);  // names
  while (count < rows && read_record(file, cells)) {
    if (cells.front().starts_with('#')) continue;
    if (cells.size() != columns.size() + 1 || number_of(cells.front(), {}) != static_cast<double>(count))
      break;
    for (std::size_t i = 1; i < columns.size(); ++i)
      table.values.push_back(number_of(cells[i], columns[i].words));
    if (!cells.back().empty()) table.remarks[count] = cells.back();
    ++count;
  }
  if (count != rows)
    throw OutputError(
        fmt::format("{} has {} rows instead of {}, or another form", path.string(), count, rows));
  return table;
}

TableRows read_hdf5_rows(const std::filesystem::path& path, const std::vector<TableColumn>& columns,
                         std::uint64_t rows, const std::string& remark) {
  TableRows table{columns.size() - 1, std::vector<double>(rows * (columns.size() - 1)), {}};
  std::uint64_t remarked = 0;  // whose word is another than the first
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const std::vector<double> values = read_hdf5_column(path, columns[i].name, rows);
    for (std::uint64_t k = 0; k < rows; ++k) table.values[k * table.width + i - 1] = values[k];
    if (!columns[i].words.empty())
      remarked = rows - static_cast<std::uint64_t>(std::ranges::count(values, 0));
  }
  constexpr std::uint64_t most = 100'000;  // that a table keeps
  const std::vector<std::string> texts = read_hdf5_texts(path, remark, std::min(remarked, most));
  if (texts.empty()) return table;
  const std::vector<double> places = read_hdf5_column(path, remark + "_" + columns[0].name, texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    table.remarks[static_cast<std::uint64_t>(places[i])] = texts[i];
  return table;
}

}  // namespace

TableRows read_table_rows(const std::filesystem::path& path, const std::vector<TableColumn>& columns,
                          std::uint64_t rows, const std::string& remark) {
  check_table_name(path);
  if (path.extension() == ".parquet") return read_parquet_rows(path, columns, rows);
  return path.extension() == ".csv" ? read_csv_rows(path, columns, rows)
                                    : read_hdf5_rows(path, columns, rows, remark);
}

}  // namespace dalembert

// A table of numbers with named columns as a file that appears whole: .csv, .h5 or .parquet. In HDF5 each
// column is a dataset with its name, unit and kind; texts are datasets, counts attributes of the file. Curves
// are datasets of rows × points, in HDF5 alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dalembert {

struct TableColumn {
  std::string name;
  std::string unit = {};
  std::string kind = {};
  std::vector<std::string> words = {};  ///< what the numbers 0, 1, ... mean; none: they are numbers
};

/// Curves that each row has besides its numbers, all over the same points.
struct TableCurves {
  TableColumn axis = {};
  std::vector<double> points = {};
  std::vector<TableColumn> curves = {};  ///< none: rows have numbers alone
};

/// What is said of a table besides its rows.
struct TableRecord {
  std::vector<std::pair<std::string, std::string>> texts;  ///< of one line in .csv
  std::vector<std::pair<std::string, std::string>> words;  ///< short ones
  std::vector<std::pair<std::string, std::uint64_t>> counts;
};

class TableWriter {
 public:
  TableWriter() = default;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;
  virtual ~TableWriter() = default;

  /// `remark` may be empty; the first column tells rows apart in a list of those that have one.
  virtual void add(std::span<const double> row, const std::string& remark) = 0;
  /// Of the row that was added last: [curve][point].
  virtual void add_curves(std::span<const double> numbers) = 0;
  /// Makes the file appear. Without it nothing remains.
  virtual void finish(const TableRecord& record) = 0;
};

/// Throws Error for another suffix and OutputError where the file cannot be made; `remark` names the texts.
std::unique_ptr<TableWriter> make_table_writer(const std::filesystem::path& path,
                                               std::vector<TableColumn> columns, const std::string& remark,
                                               TableCurves curves = {});

/// Throws Error where the suffix is of no table, or of one that this build cannot write, or has no curves.
void check_table_name(const std::filesystem::path& path, bool with_curves = false);

/// A text of a table's record. Throws Error where there is none.
std::string read_table_text(const std::filesystem::path& path, const std::string& name);

}  // namespace dalembert

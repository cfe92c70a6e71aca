// A table of numbers with named columns as a file that appears whole: .csv or .h5. In HDF5 each column is a
// dataset with its name, unit and kind; texts are datasets, counts attributes of the file.
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
  /// Makes the file appear. Without it nothing remains.
  virtual void finish(const TableRecord& record) = 0;
};

/// Throws Error for another suffix and OutputError where the file cannot be made; `remark` names the texts.
std::unique_ptr<TableWriter> make_table_writer(const std::filesystem::path& path,
                                               std::vector<TableColumn> columns, const std::string& remark);

/// Throws Error where the suffix is of no table, or of one that this build cannot write.
void check_table_name(const std::filesystem::path& path);

/// A text of a table's record. Throws Error where there is none.
std::string read_table_text(const std::filesystem::path& path, const std::string& name);

}  // namespace dalembert

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/table_file.hpp>

#include "hdf5_table.hpp"
#include "number_text.hpp"
#include "parquet_table.hpp"

namespace dalembert {
namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

class CsvTable : public TableWriter {
 public:
  CsvTable(const std::filesystem::path& path, std::vector<TableColumn> columns, const std::string& remark)
      : file_(path), columns_(std::move(columns)) {
    std::string names, units;
    bool has_units = false;
    for (const TableColumn& column : columns_) {
      names += cell(column.name) + ',';
      units += cell(column.unit) + ',';
      has_units = has_units || !column.unit.empty();
    }
    file_.write(names + cell(remark) + '\n');
    if (has_units) file_.write("# units: " + units + '\n');
  }

  void add(std::span<const double> row, const std::string& remark) override {
    line_.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
      append(row[i], columns_[i].words);
      line_ += ',';
    }
    file_.write(line_ + cell(remark) + '\n');
  }

  void add_curves(std::span<const double> /*numbers*/) override {}  // none: check_table_name()

  void finish(const TableRecord& record) override {
    for (const auto& [name, text] : record.texts) file_.write(fmt::format("# {}: {}\n", name, text));
    for (const auto& [name, word] : record.words) file_.write(fmt::format("# {}: {}\n", name, word));
    for (const auto& [name, count] : record.counts) file_.write(fmt::format("# {}: {}\n", name, count));
    file_.commit();
  }

 private:
  void append(double value, const std::vector<std::string>& words) {
    if (!words.empty() && value >= 0 && value < static_cast<double>(words.size())) {
      line_ += words[static_cast<std::size_t>(value)];
      return;
    }
    std::array<char, longest_number> text{};
    line_.append(text.data(), write_number(text.data(), value));
  }

  AtomicFile file_;
  std::vector<TableColumn> columns_;
  std::string line_;
};

bool is_hdf5(const std::filesystem::path& path) {
  return path.extension() == ".h5" || path.extension() == ".hdf5";
}
bool is_parquet(const std::filesystem::path& path) { return path.extension() == ".parquet"; }

}  // namespace

void check_table_name(const std::filesystem::path& path, bool with_curves) {
  if (is_hdf5(path)) {
    if (!has_hdf5())
      throw Error("this build cannot write " + path.string() +
                  ": it was made without HDF5 (package libhdf5-dev)");
  } else if (path.extension() != ".csv" && !is_parquet(path)) {
    throw Error(fmt::format(
        "the format of '{}' is not known; write a name that ends in .h5, .parquet or .csv", path.string()));
  } else if (with_curves) {
    throw Error(fmt::format("whole motions are kept in .h5, not in '{}'", path.string()));
  }
}

std::unique_ptr<TableWriter> make_table_writer(const std::filesystem::path& path,
                                               std::vector<TableColumn> columns, const std::string& remark,
                                               TableCurves curves) {
  check_table_name(path, !curves.curves.empty());
  if (is_hdf5(path)) return make_hdf5_table(path, std::move(columns), remark, std::move(curves));
  if (is_parquet(path)) return make_parquet_table(path, std::move(columns), remark);
  return std::make_unique<CsvTable>(path, std::move(columns), remark);
}

std::string read_table_text(const std::filesystem::path& path, const std::string& name) {
  check_table_name(path);
  std::string text;
  std::ifstream file(path);
  if (!file) throw Error("cannot read the file", {path.string(), 0, 0});
  if (is_hdf5(path)) {
    text = read_hdf5_text(path, name);
  } else if (is_parquet(path)) {
    text = read_parquet_text(path, name);
  } else {
    const std::string begin = "# " + name + ": ";
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(begin)) text = line.substr(begin.size());
  }
  if (text.empty()) throw Error(fmt::format("there is no text '{}' in it", name), {path.string(), 0, 0});
  return text;
}

}  // namespace dalembert

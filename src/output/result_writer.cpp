#include <algorithm>
#include <filesystem>
#include <future>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/result_writer.hpp>

#include "canvas.hpp"
#include "csv.hpp"
#include "hdf5_file.hpp"
#include "json_file.hpp"
#include "npz_file.hpp"

namespace dalembert {
namespace {

class CsvFile : public ResultWriter {
 public:
  CsvFile(const std::filesystem::path& path, std::span<const Column> columns, int digits)
      : file_(path), csv_([this](std::string_view text) { file_.write(text); }, columns, digits) {}
  void add(std::span<const double> row) override { csv_.add(row); }
  void add(std::span<const Real> row) override { csv_.add(row); }
  void finish(const RunRecord& record) override {
    csv_.finish(record);
    file_.commit();
  }

 private:
  AtomicFile file_;
  CsvWriter csv_;
};

}  // namespace

void ResultWriter::add(std::span<const Real> row) {
  rounded_.clear();
  for (const Real& value : row) rounded_.push_back(static_cast<double>(value));
  add(std::span<const double>(rounded_));
}

std::future<void> start_loading(const std::vector<std::string>& names) {
  const auto any = [&](std::initializer_list<std::string_view> suffixes) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return std::any_of(suffixes.begin(), suffixes.end(),
                         [&](std::string_view suffix) { return name.ends_with(suffix); });
    });
  };
  const bool hdf5 = any({".h5", ".hdf5"});
  const bool png = any({".png"});
  if (!hdf5 && !png) return {};
  return std::async(std::launch::async, [hdf5, png] {
    if (png) prepare_png();
    if (hdf5) prepare_hdf5();
  });
}

std::unique_ptr<ResultWriter> make_writer(const std::filesystem::path& path, std::vector<Column> columns,
                                          int digits) {
  const std::string suffix = path.extension().string();
  if (suffix == ".csv") return std::make_unique<CsvFile>(path, columns, digits);
  if (suffix == ".json") return std::make_unique<JsonFile>(path, std::move(columns));
  if (suffix == ".npz") return std::make_unique<NpzFile>(path, std::move(columns));
  if (suffix == ".h5" || suffix == ".hdf5") return make_hdf5_file(path, columns);
  throw Error(fmt::format(
      "the format of '{}' is not known; write a name that ends in .csv, .json, .npz or .h5", path.string()));
}

}  // namespace dalembert

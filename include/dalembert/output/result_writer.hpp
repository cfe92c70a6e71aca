// A file of results: takes rows as they are computed and appears whole, at the end.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/expr/scalar.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/output/run_record.hpp>

namespace dalembert {

class ResultWriter {
 public:
  ResultWriter() = default;
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;
  virtual ~ResultWriter() = default;

  /// The values of the columns in a sample.
  virtual void add(std::span<const double> row) = 0;
  /// The same with more digits than a double has; most formats keep a double's.
  virtual void add(std::span<const Real> row);
  /// Makes the file appear. Without it nothing remains.
  virtual void finish(const RunRecord& record) = 0;

 private:
  std::vector<double> rounded_;
};

/// Begins to load, in another thread, what files of these names need; to be kept until they are
/// written.
std::future<void> start_loading(const std::vector<std::string>& names);

/// A writer by the suffix of the file: .csv, .json, .npz, .h5 or .hdf5. `digits` is for rows of Real. Throws
/// Error for another suffix and OutputError where the file cannot be made.
std::unique_ptr<ResultWriter> make_writer(const std::filesystem::path& path, std::vector<Column> columns,
                                          int digits = 17);

/// Comma-separated values, handed over in pieces.
std::unique_ptr<ResultWriter> make_csv_writer(std::function<void(std::string_view)> write,
                                              std::span<const Column> columns, int digits = 17);

}  // namespace dalembert

// JSON: the model, the options, the outcome with its counters, and the series by column name.
#pragma once

#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/output/result_writer.hpp>

#include "sample_table.hpp"

namespace dalembert {

class JsonFile : public ResultWriter {
 public:
  JsonFile(const std::filesystem::path& path, std::vector<Column> columns)
      : file_(path), table_(std::move(columns)) {}
  void add(std::span<const double> row) override { table_.add(row); }
  void finish(const RunRecord& record) override;

 private:
  AtomicFile file_;
  SampleTable table_;
};

}  // namespace dalembert

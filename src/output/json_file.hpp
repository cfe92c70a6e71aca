// JSON: the model, the options, the outcome with its counters, and the series by column name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include <dalembert/output/result_writer.hpp>

#include "spool.hpp"

namespace dalembert {

class JsonFile : public ResultWriter {
 public:
  JsonFile(const std::filesystem::path& path, std::vector<Column> columns);
  void add(std::span<const double> row) override { spool_.add(row); }
  void finish(const RunRecord& record) override;

 private:
  void write_series(std::size_t column);

  AtomicFile file_;
  std::vector<Column> columns_;
  Spool spool_;
};

}  // namespace dalembert

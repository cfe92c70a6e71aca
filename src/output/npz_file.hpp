// NumPy's .npz: a zip archive of arrays, stored as they are.
//
//   t (N), q v a lam force outputs energies g gv (N × columns), each with its NAME_names; summary, text: JSON
//   and the model as written; partial: whether the run reached its end
#pragma once

#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/output/result_writer.hpp>

#include "sample_table.hpp"

namespace dalembert {

class NpzFile : public ResultWriter {
 public:
  NpzFile(const std::filesystem::path& path, std::vector<Column> columns)
      : file_(path), table_(std::move(columns)) {}
  void add(std::span<const double> row) override { table_.add(row); }
  void finish(const RunRecord& record) override;

 private:
  AtomicFile file_;
  SampleTable table_;
};

}  // namespace dalembert

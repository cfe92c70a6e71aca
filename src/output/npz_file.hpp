// NumPy's .npz: a zip archive of arrays, stored as they are.
//
//   t (N), q v a lam force outputs energies g gv (N × columns), each with its NAME_names; summary, text: JSON
//   and the model as written; partial: whether the run reached its end
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include <dalembert/output/result_writer.hpp>
#include <dalembert/output/zip_archive.hpp>

#include "array_plan.hpp"
#include "spool.hpp"

namespace dalembert {

class NpzFile : public ResultWriter {
 public:
  NpzFile(const std::filesystem::path& path, std::vector<Column> columns);
  void add(std::span<const double> row) override { spool_.add(row); }
  void finish(const RunRecord& record) override;

 private:
  void add_numbers(ZipArchive& archive, std::size_t array);

  AtomicFile file_;
  std::vector<Column> columns_;
  std::vector<ArrayPlan> plans_;
  Spool spool_;
};

}  // namespace dalembert

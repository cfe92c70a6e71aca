// A table as an HDF5 file, where the build has the library.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <dalembert/output/table_file.hpp>

namespace dalembert {

bool has_hdf5();
std::unique_ptr<TableWriter> make_hdf5_table(const std::filesystem::path& path,
                                             std::vector<TableColumn> columns, const std::string& remark,
                                             TableCurves curves);
/// Empty: the file has no such text.
std::string read_hdf5_text(const std::filesystem::path& path, const std::string& name);

}  // namespace dalembert

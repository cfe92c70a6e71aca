// A table as a Parquet file: row groups of columns, one page each, plain and not compressed.
// https://parquet.apache.org/docs/file-format/
//
//   "PAR1" | for each group and column: head of the page, its values | metadata, their length, "PAR1"
//
// The first column is of whole numbers, those with words and the remark of texts, the others of doubles. The
// record of the table, and "units" and "kinds" of its columns as JSON, are metadata of the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <dalembert/output/table_file.hpp>
#include <dalembert/output/table_rows.hpp>

namespace dalembert {

std::unique_ptr<TableWriter> make_parquet_table(const std::filesystem::path& path,
                                                std::vector<TableColumn> columns, const std::string& remark);
/// Of the metadata; empty: there is no such text, or it is no such file.
std::string read_parquet_text(const std::filesystem::path& path, const std::string& name);
/// As read_table_rows(), of a file of make_parquet_table().
TableRows read_parquet_rows(const std::filesystem::path& path, const std::vector<TableColumn>& columns,
                            std::uint64_t rows);

}  // namespace dalembert

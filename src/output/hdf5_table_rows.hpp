// Reads tables of HDF5 back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dalembert {

/// A column of so many rows. Throws OutputError where there is none.
std::vector<double> read_hdf5_column(const std::filesystem::path& path, const std::string& name,
                                     std::uint64_t rows);
/// So many texts; none where there are not so many.
std::vector<std::string> read_hdf5_texts(const std::filesystem::path& path, const std::string& name,
                                         std::uint64_t count);

}  // namespace dalembert

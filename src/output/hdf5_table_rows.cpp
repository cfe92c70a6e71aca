#include "hdf5_table_rows.hpp"

#include <dalembert/base/error.hpp>

#ifdef DALEMBERT_HDF5

#include <algorithm>

#include <fmt/format.h>

#include <dalembert/output/atomic_file.hpp>

#include "hdf5_target.hpp"

namespace dalembert {
namespace {

// A dataset that is open to be read, with its file.
struct OpenDataset {
  OpenDataset(const std::filesystem::path& path, std::string name) {
    require_memory_for_hdf5();
    h5.tell_no_errors();
    std::ranges::replace(name, '/', ':');  // as it was written
    constexpr unsigned read_only = 0;
    file = Hdf5Handle(h5.H5Fopen(path.c_str(), read_only, H5P_DEFAULT), h5.H5Fclose);
    if (file >= 0) id = Hdf5Handle(h5.H5Dopen2(file, name.c_str(), H5P_DEFAULT), h5.H5Dclose);
  }
  bool read(hid_t type, std::uint64_t count, void* to) const {
    const hsize_t size = count;
    const Hdf5Handle space(h5.H5Screate_simple(1, &size, nullptr), h5.H5Sclose);
    return id >= 0 && h5.H5Dread(id, type, space, H5S_ALL, H5P_DEFAULT, to) >= 0;
  }

  const Hdf5& h5 = Hdf5::get();
  Hdf5Handle file{-1, h5.H5Fclose}, id{-1, h5.H5Dclose};
};

}  // namespace

std::vector<double> read_hdf5_column(const std::filesystem::path& path, const std::string& name,
                                     std::uint64_t rows) {
  const OpenDataset dataset(path, name);
  std::vector<double> values(rows);
  if (!dataset.read(*dataset.h5.H5T_NATIVE_DOUBLE_g, rows, values.data()))
    throw OutputError(fmt::format("cannot read {} numbers '{}' of {}", rows, name, path.string()));
  return values;
}

std::vector<std::string> read_hdf5_texts(const std::filesystem::path& path, const std::string& name,
                                         std::uint64_t count) {
  const OpenDataset dataset(path, name);
  const Hdf5& h5 = dataset.h5;
  const Hdf5Handle type(h5.H5Tcopy(*h5.H5T_C_S1_g), h5.H5Tclose);
  h5.H5Tset_size(type, H5T_VARIABLE);
  h5.H5Tset_cset(type, H5T_CSET_UTF8);
  std::vector<char*> found(count, nullptr);
  std::vector<std::string> texts;
  if (count == 0 || !dataset.read(type, count, static_cast<void*>(found.data()))) return texts;
  for (char* const text : found) {
    texts.emplace_back(text == nullptr ? "" : text);
    h5.H5free_memory(text);
  }
  return texts;
}

}  // namespace dalembert

#else

namespace dalembert {

std::vector<double> read_hdf5_column(const std::filesystem::path& path, const std::string&, std::uint64_t) {
  throw Error("this build cannot read " + path.string() + ": it was made without HDF5 (package libhdf5-dev)");
}

std::vector<std::string> read_hdf5_texts(const std::filesystem::path&, const std::string&, std::uint64_t) {
  return {};
}

}  // namespace dalembert

#endif

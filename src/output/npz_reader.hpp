// Reads arrays of NPZ files: ZIP archives of stored .npy files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

class NpzReader {
 public:
  /// Throws Error when it cannot be read or is no NPZ file.
  explicit NpzReader(const std::filesystem::path& path);

  bool contains(const std::string& array) const { return entries_.contains(array + ".npy"); }
  /// Of one dimension or two, by rows.
  struct Numbers {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> values;
  };
  Numbers numbers(const std::string& array) const;
  std::vector<std::string> texts(const std::string& array) const;

 private:
  struct Array {
    std::string type;
    std::vector<std::size_t> shape;
    std::string_view bytes;
  };
  Array find(const std::string& array) const;
  [[noreturn]] void fail(const std::string& reason) const;

  std::filesystem::path path_;
  std::string content_;
  std::map<std::string, std::string_view> entries_;
};

}  // namespace dalembert

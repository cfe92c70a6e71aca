// A zip archive of stored entries, for NumPy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/output/atomic_file.hpp>

namespace dalembert {

class ZipArchive {
 public:
  explicit ZipArchive(AtomicFile& file) : file_(&file) {}
  void add(const std::string& name, std::string_view content);
  /// Writes the directory.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t checksum;
    std::uint64_t size;
    std::uint64_t offset;
  };
  void write(std::string_view text);

  AtomicFile* file_;
  std::uint64_t written_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace dalembert

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
  /// An entry in pieces: begin, append, ..., end.
  void begin(const std::string& name);
  void append(std::string_view content);
  void end();
  /// Writes the directory.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t checksum = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
  };
  void write(std::string_view text);

  AtomicFile* file_;
  std::uint64_t written_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace dalembert

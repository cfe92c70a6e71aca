// A file that appears whole or not at all: written beside its place, then renamed.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace dalembert {

class AtomicFile {
 public:
  /// Opens a temporary file in the folder of `path`; throws Error with the system's reason.
  explicit AtomicFile(std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  ///< without commit(): nothing remains

  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::FILE* file_ = nullptr;
};

}  // namespace dalembert

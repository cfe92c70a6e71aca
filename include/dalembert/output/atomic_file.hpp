// A file that appears whole or not at all: written beside its place, then renamed.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include <dalembert/base/error.hpp>

namespace dalembert {

/// A result that could not be written, with the system's reason.
class OutputError : public Error {
 public:
  using Error::Error;
};

class AtomicFile {
 public:
  /// Opens a temporary file in the folder of `path`; throws OutputError.
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

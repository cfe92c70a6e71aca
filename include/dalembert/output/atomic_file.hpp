// A file that appears whole or not at all: written beside its place, then renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <dalembert/base/error.hpp>

namespace dalembert {

/// A result that could not be written, with the system's reason.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// Where a file is written before it takes its name.
class AtomicPlace {
 public:
  explicit AtomicPlace(std::filesystem::path path);
  AtomicPlace(const AtomicPlace&) = delete;
  AtomicPlace& operator=(const AtomicPlace&) = delete;
  ~AtomicPlace();  ///< without commit(): nothing remains

  const std::filesystem::path& temporary() const { return temporary_; }
  /// Gives the file its name; throws OutputError.
  void commit();
  /// "cannot write NAME: No space left on device", by errno.
  [[noreturn]] void fail(const char* action) const;

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

class AtomicFile {
 public:
  /// Opens a temporary file in the folder of `path`; throws OutputError.
  explicit AtomicFile(std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view text);
  /// Large pieces one after the other, without a copy.
  void write(std::span<const std::string_view> pieces);
  /// Writes over what stands at `offset`.
  void replace(std::uint64_t offset, std::string_view text);
  void commit();
  const AtomicPlace& place() const { return place_; }

 private:
  void flush();
  void append(std::string_view text);
  void append(std::span<const std::string_view> pieces);  // not many

  AtomicPlace place_;
  int file_;
  std::uint64_t written_ = 0;
  std::string waiting_;  // to be written
};

}  // namespace dalembert

// A file that appears whole or not at all: written beside its place, then renamed.
//
// Only a plain file of one name can be replaced so. Through symbolic links it is the file at their end; its
// owner, group and mode are kept. A file with more names (hard links), of another owner, with a list of
// rights or in a folder where nothing may be made is written elsewhere first and copied at the end. Devices
// and pipes are written as they are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <dalembert/base/error.hpp>

namespace dalembert {

class UnfinishedFile;

/// A result that could not be written, with the system's reason.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// Where a file is written before it takes its name.
class AtomicPlace {
 public:
  /// Throws OutputError where nothing can be written.
  explicit AtomicPlace(std::filesystem::path path);
  AtomicPlace(const AtomicPlace&) = delete;
  AtomicPlace& operator=(const AtomicPlace&) = delete;
  ~AtomicPlace();  ///< without commit(): nothing remains

  const std::filesystem::path& temporary() const { return temporary_; }
  /// Makes the temporary file with the rights of the one that it will replace; returns its descriptor.
  int create();
  /// A device, a pipe: what need not go back in its text can be written at once.
  bool is_stream() const { return ending_ == Ending::stream; }
  int open_stream() const;
  /// Gives the file its name; throws OutputError.
  void commit();
  /// "cannot write NAME: No space left on device", by errno.
  [[noreturn]] void fail(const char* action) const;

 private:
  enum class Ending { rename, copy, stream };
  struct Owner {
    unsigned user, group, mode;
  };
  void copy_to_target() const;

  std::filesystem::path path_;    // as it was given
  std::filesystem::path target_;  // at the end of symbolic links
  std::filesystem::path temporary_;
  Ending ending_ = Ending::rename;
  std::optional<Owner> replaced_;  // of the file that is there
  std::unique_ptr<UnfinishedFile> unfinished_;
};

/// Removes the temporary files of this process; for signal handlers that end it.
void remove_unfinished_files() noexcept;

/// Whether a format goes back in its file.
enum class FileAccess { sequential, random };

class AtomicFile {
 public:
  /// Throws OutputError.
  explicit AtomicFile(std::filesystem::path path, FileAccess access = FileAccess::sequential);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view text);
  /// Large pieces one after the other, without a copy.
  void write(std::span<const std::string_view> pieces);
  /// Writes over what stands at `offset`; for random access.
  void replace(std::uint64_t offset, std::string_view text);
  void commit();
  const AtomicPlace& place() const { return place_; }

 private:
  void flush();
  void append(std::string_view text);
  void append(std::span<const std::string_view> pieces);  // not many

  AtomicPlace place_;
  bool streams_;
  int file_;
  std::uint64_t written_ = 0;
  std::string waiting_;  // to be written
};

}  // namespace dalembert

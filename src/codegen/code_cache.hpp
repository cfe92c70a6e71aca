// Compiled code on disk, for the next run: in the user's cache folder, for him alone.
#pragma once

#include <filesystem>
#include <string>

namespace dalembert {

/// One entry: a library and beside it what it was made from.
class CodeCache {
 public:
  /// `origin`: all that the library depends on.
  explicit CodeCache(std::string origin);

  /// Whether it is there and made from the same.
  bool has_entry() const;
  std::filesystem::path library() const { return folder_ / (name_ + ".so"); }
  /// Empty: there is no folder that belongs to the user alone.
  const std::filesystem::path& folder() const { return folder_; }
  /// Puts a library there, whole or not at all, and drops what was unused longest where there are too many.
  void keep(const std::filesystem::path& library) const;

 private:
  void drop_oldest() const;

  std::string origin_, name_;
  std::filesystem::path folder_;
};

/// Within another, for this process alone; it is gone with everything in it at the end.
class TemporaryFolder {
 public:
  /// In the system's folder for temporary files where there is no other.
  explicit TemporaryFolder(const std::filesystem::path& within);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  /// Empty: it could not be made.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace dalembert

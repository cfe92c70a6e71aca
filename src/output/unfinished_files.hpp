// Files that are being written: their names, how they are removed when the program must end at once, and how
// a later run finds those of a program that was killed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace dalembert {

/// ".OWNER-PID.tmp". OWNER tells machines and containers apart that share a folder: a process number means
/// nothing elsewhere.
std::string unfinished_suffix();

/// Removes what processes that no longer live left in this folder; files of other machines stay. A folder of
/// very many files is not searched to its end.
void remove_leftovers(const std::filesystem::path& folder);

/// A name of a file or a folder that remove_unfinished_files() knows as long as this lives.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::filesystem::path& path);
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();

 private:
  std::optional<std::size_t> slot_;
};

}  // namespace dalembert

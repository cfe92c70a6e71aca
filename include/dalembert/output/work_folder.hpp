// A folder for what lives as long as a piece of work.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dalembert {

class UnfinishedFile;

/// It goes with everything in it. Where a signal ends the program, it goes as well if it holds nothing but
/// the files that were asked for by name.
class WorkFolder {
 public:
  /// Throws OutputError. The name begins with `begin`.
  explicit WorkFolder(const std::string& begin = "dalembert");
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// The place of a file that somebody makes there.
  std::filesystem::path file(const std::string& name);

 private:
  std::filesystem::path path_;
  std::vector<std::unique_ptr<UnfinishedFile>> known_;
};

}  // namespace dalembert

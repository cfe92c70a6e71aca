#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/work_folder.hpp>

#include "unfinished_files.hpp"

namespace dalembert {

namespace fs = std::filesystem;

WorkFolder::WorkFolder(const std::string& begin) {
  std::string name = (fs::temp_directory_path() / (begin + "-XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr)
    throw OutputError(fmt::format("cannot make a temporary folder: {}", std::strerror(errno)));
  path_ = name;
  known_.push_back(std::make_unique<UnfinishedFile>(path_));
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path WorkFolder::file(const std::string& name) {
  known_.push_back(std::make_unique<UnfinishedFile>(path_ / name));
  return path_ / name;
}

}  // namespace dalembert

// A folder of files that appears whole or not at all.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/session/codegen.hpp>

namespace dalembert::session {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& folder, const std::string& reason) {
  throw OutputError(fmt::format("cannot write {}: {}", folder.string(), reason));
}

// Without a slash at its end, at the end of a link.
fs::path place_of(const fs::path& given) {
  fs::path folder = given.has_filename() ? given : given.parent_path();
  if (folder.empty()) throw Error("the folder has no name");
  std::error_code error;
  return fs::is_symlink(folder, error) ? fs::canonical(folder, error) : folder;
}

// What stands there may be replaced: nothing but files of the same names.
void refuse_foreign(const fs::path& folder, const std::vector<GeneratedFile>& files) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error)) throw Error(fmt::format("'{}' is not a folder", folder.string()));
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_own =
        std::any_of(files.begin(), files.end(), [&](const auto& file) { return file.name == name; });
    if (!is_own || !entry.is_regular_file(error)) {
      throw Error(
          fmt::format("'{}' holds '{}', which would be lost: choose a new folder", folder.string(), name));
    }
  }
  if (error) fail(folder, error.message());
}

// Beside its place, on the same file system; removed with everything in it unless it was renamed.
class Draft {
 public:
  explicit Draft(const fs::path& folder) {
    std::string name = folder.string() + ".XXXXXX";
    if (mkdtemp(name.data()) == nullptr) fail(folder, std::strerror(errno));
    path_ = name;
  }
  ~Draft() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

void check_folder(const fs::path& folder) {
  try {
    const Draft tried(place_of(folder));
  } catch (const OutputError& error) {
    throw Error(error.message());
  }
}

void write_folder(const fs::path& given, const std::vector<GeneratedFile>& files) {
  const fs::path folder = place_of(given);
  std::error_code error;
  refuse_foreign(folder, files);
  const Draft draft(folder);
  for (const GeneratedFile& file : files) {
    AtomicFile written(draft.path() / file.name);
    written.write(file.text);
    written.commit();
  }
  fs::permissions(draft.path(),
                  fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                      fs::perms::others_read | fs::perms::others_exec,
                  error);
  const Draft former(folder);  // the folder that is there, until the new one has its place
  const bool replaces = fs::exists(folder, error);
  if (replaces) fs::rename(folder, former.path(), error);
  if (replaces && error) fail(folder, error.message());
  fs::rename(draft.path(), folder, error);
  if (!error) return;
  const std::string reason = error.message();
  if (replaces) fs::rename(former.path(), folder, error);
  fail(folder, reason);
}

}  // namespace dalembert::session

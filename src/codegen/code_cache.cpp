#include "code_cache.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dalembert {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_entries = 256;  // of some 30 kB each

// FNV-1a. Entries with the same number are told apart by what they were made from.
std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0xcbf29ce484222325U;
  for (const char c : text) number = (number ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return number;
}

bool belongs_to_user_alone(const fs::path& folder) {
  struct stat status {};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

bool is_users_file(const fs::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

fs::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  fs::path folder;
  if (cache != nullptr && *cache == '/') {
    folder = cache;
  } else if (home != nullptr && *home == '/') {
    folder = fs::path(home) / ".cache";
  } else {
    return {};
  }
  folder /= "dalembert";
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  mkdir(folder.c_str(), S_IRWXU);
  return belongs_to_user_alone(folder) ? folder : fs::path();
}

}  // namespace

CodeCache::CodeCache(std::string origin)
    : origin_(std::move(origin)),
      name_(fmt::format("{:016x}", number_of(origin_))),
      folder_(cache_folder()) {}

bool CodeCache::has_entry() const {
  const fs::path made_from = folder_ / (name_ + ".origin");
  if (folder_.empty() || !is_users_file(library()) || !is_users_file(made_from)) return false;
  std::ifstream file(made_from, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (text.str() != origin_) return false;
  std::error_code error;
  fs::last_write_time(library(), fs::file_time_type::clock::now(), error);
  return true;
}

// The origin comes last: without it there is no entry.
void CodeCache::keep(const fs::path& made) const {
  if (folder_.empty()) return;
  const fs::path origin = made.parent_path() / "origin";
  std::ofstream(origin, std::ios::binary) << origin_;
  std::error_code error;
  fs::remove(folder_ / (name_ + ".origin"), error);
  fs::rename(made, library(), error);
  if (!error) fs::rename(origin, folder_ / (name_ + ".origin"), error);
  drop_oldest();
}

void CodeCache::drop_oldest() const {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    const fs::file_time_type time = entry.last_write_time(error);
    if (entry.path().extension() == ".so") entries.emplace_back(time, entry.path());
    // what a process left that was killed
    if (entry.is_directory(error) && time < yesterday) fs::remove_all(entry.path(), error);
  }
  if (entries.size() <= most_entries) return;
  std::sort(entries.begin(), entries.end());
  for (std::size_t i = 0; i < entries.size() - most_entries; ++i) {
    fs::path made_from = entries[i].second;
    fs::remove(made_from.replace_extension(".origin"), error);
    fs::remove(entries[i].second, error);
  }
}

TemporaryFolder::TemporaryFolder(const fs::path& within) {
  std::error_code error;
  std::string name = ((within.empty() ? fs::temp_directory_path(error) : within) / "build-XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}

}  // namespace dalembert

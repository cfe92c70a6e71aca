// How a file takes its place: by its new name, by a copy, or not at all.
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/links.hpp>
#include <dalembert/output/stream.hpp>

#include "unfinished_files.hpp"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

bool may_make_files_in(const fs::path& folder) {
  return faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
}

// By a file with the same owner, group and mode.
bool can_be_replaced(const fs::path& path, const struct stat& file) {
  const bool root = geteuid() == 0;
  const bool own = root || (file.st_uid == geteuid() && group_member(file.st_gid) != 0);
  const bool has_rights_list = getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
  return own && file.st_nlink == 1 && !has_rights_list && !fs::is_symlink(path) &&
         may_make_files_in(folder_of(path));
}

fs::path temporary_name(const fs::path& folder, const fs::path& target) {
  static std::atomic<int> count = 0;  // files of one name may come from several folders
  constexpr std::size_t longest = NAME_MAX;
  const std::string suffix = fmt::format(".{}{}", ++count, unfinished_suffix());
  return folder / (target.filename().string().substr(0, longest - suffix.size()) + suffix);
}

// A descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (file_ >= 0) close(file_);
  }
  operator int() const { return file_; }

 private:
  int file_;
};

bool copy_all(int from, int to) {
  std::array<char, 65'536> piece{};
  for (;;) {
    const ssize_t size = read(from, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size == 0;
    if (!write_to_stream(to, {piece.data(), static_cast<std::size_t>(size)})) return false;
  }
}

// Room for the new content before any of the old is lost; a file system that cannot tell is believed.
bool reserve(int file, off_t old_size, off_t size) {
  const int failure = size > 0 ? posix_fallocate(file, 0, size) : 0;
  if (failure != ENOSPC && failure != EFBIG && failure != EDQUOT) return true;
  const bool cut = ftruncate(file, old_size) == 0;
  errno = cut ? failure : errno;
  return false;
}

}  // namespace

fs::path end_of_links(fs::path path) {
  constexpr int most_links = 40;  // as Linux allows
  std::error_code none;
  for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(path, none)); ++i) {
    const fs::path folder = fs::canonical(folder_of(path), none);
    if (none || folder.string().starts_with("/proc/")) break;
    path = folder / fs::read_symlink(path, none);
  }
  return path;
}

AtomicPlace::AtomicPlace(fs::path path) : path_(std::move(path)), target_(end_of_links(path_)) {
  struct stat file {};
  if (stat(target_.c_str(), &file) == 0) {
    if (S_ISDIR(file.st_mode)) {
      errno = EISDIR;
      fail("write");
    }
    if (S_ISREG(file.st_mode)) {
      if (faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail("write");
      ending_ = can_be_replaced(target_, file) ? Ending::rename : Ending::copy;
      replaced_ = Owner{file.st_uid, file.st_gid, file.st_mode & 07777U};
    } else {
      ending_ = Ending::stream;
    }
  } else if (errno == ELOOP) {
    fail("create");
  }
  const fs::path folder = ending_ == Ending::rename ? folder_of(target_) : fs::temp_directory_path();
  remove_leftovers(folder);
  temporary_ = temporary_name(folder, target_);
}

AtomicPlace::~AtomicPlace() {
  if (unfinished_) unlink(temporary_.c_str());
}

int AtomicPlace::create() {
  unlink(temporary_.c_str());
  auto unfinished = std::make_unique<UnfinishedFile>(temporary_);
  const bool secret = replaced_ || ending_ != Ending::rename;  // until it has the rights of the other
  const int file = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, secret ? 0600 : 0666);
  if (file < 0) fail("create");
  unfinished_ = std::move(unfinished);
  if (ending_ == Ending::rename && replaced_) {
    const bool owned = fchown(file, replaced_->user, replaced_->group) == 0;
    // rights of a group or a program are for the old owner alone
    if (fchmod(file, owned ? replaced_->mode : replaced_->mode & 0700U) != 0) fail("create");
  }
  return file;
}

int AtomicPlace::open_stream() const {
  const int file = open(target_.c_str(), O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
  if (file < 0) fail("open");
  return file;
}

void AtomicPlace::commit() {
  if (ending_ == Ending::rename) {
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write");
  } else {
    copy_to_target();
    unlink(temporary_.c_str());
  }
  unfinished_.reset();
}

void AtomicPlace::copy_to_target() const {
  const Descriptor from(open(temporary_.c_str(), O_RDONLY | O_CLOEXEC));
  const Descriptor to(open(target_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (from < 0 || to < 0) fail("write");
  struct stat source {};
  struct stat file {};
  if (fstat(from, &source) != 0 || fstat(to, &file) != 0) fail("write");
  const bool plain = S_ISREG(file.st_mode);
  if (plain && !reserve(to, file.st_size, source.st_size)) fail("write");
  if (!copy_all(from, to)) fail("write");
  if (plain && ftruncate(to, source.st_size) != 0) fail("write");
}

void AtomicPlace::fail(const char* action) const {
  const int reason = errno;
  const bool elsewhere = ending_ != Ending::rename && unfinished_ != nullptr;
  const std::string way =
      elsewhere ? fmt::format(" (it is made in {} first)", temporary_.parent_path().string()) : "";
  throw OutputError(fmt::format("cannot {} {}: {}{}", action, path_.string(), std::strerror(reason), way));
}

}  // namespace dalembert

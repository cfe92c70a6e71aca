#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <dalembert/output/atomic_file.hpp>

namespace dalembert {

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
  temporary_ += fmt::format(".{}.tmp", getpid());
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) fail("create");
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("write");
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0) fail("write");
  std::FILE* file = std::exchange(file_, nullptr);
  const bool closed = std::fclose(file) == 0;
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
    errno = reason;
    fail("write");
  }
}

void AtomicFile::fail(const char* action) const {
  throw OutputError(fmt::format("cannot {} {}: {}", action, path_.string(), std::strerror(errno)));
}

}  // namespace dalembert

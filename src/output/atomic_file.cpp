#include <cerrno>
#include <cstdint>
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

AtomicPlace::AtomicPlace(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
  temporary_ += fmt::format(".{}.tmp", getpid());
}

AtomicPlace::~AtomicPlace() {
  if (committed_) return;
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void AtomicPlace::commit() {
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("write");
  committed_ = true;
}

void AtomicPlace::fail(const char* action) const {
  const int reason = errno;
  throw OutputError(fmt::format("cannot {} {}: {}", action, path_.string(), std::strerror(reason)));
}

AtomicFile::AtomicFile(std::filesystem::path path)
    : place_(std::move(path)), file_(std::fopen(place_.temporary().c_str(), "wb")) {
  if (file_ == nullptr) place_.fail("create");
}

AtomicFile::~AtomicFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void AtomicFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) place_.fail("write");
}

void AtomicFile::replace(std::uint64_t offset, std::string_view text) {
  if (fseeko(file_, static_cast<off_t>(offset), SEEK_SET) != 0) place_.fail("write");
  write(text);
  if (fseeko(file_, 0, SEEK_END) != 0) place_.fail("write");
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0) place_.fail("write");
  if (std::fclose(std::exchange(file_, nullptr)) != 0) place_.fail("write");
  place_.commit();
}

}  // namespace dalembert

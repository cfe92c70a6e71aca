#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/study/row_log.hpp>

#include "row_bytes.hpp"

namespace dalembert::study {
namespace {

constexpr std::string_view mark = "DALROWS1";
constexpr std::uint64_t word = sizeof(std::uint64_t);
constexpr std::uint64_t largest_record = std::uint64_t{1} << 32U;

// False: the file ends before.
bool read_all(int file, std::uint64_t place, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t count = pread(file, to, size, static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    place += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(int file, std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace

RowLog::RowLog(std::filesystem::path file, const Study& study)
    : path_(std::move(file)),
      width_(study.row_width()),
      all_rows_(study.plan().rows()),
      places_(study.blocks(), 0) {
  errno = 0;
  descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("create");
  try {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw Error(fmt::format("another process works on '{}'", path_.string()));
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) fail("read");
    const std::string found = read_description(static_cast<std::uint64_t>(status.st_size));
    found.empty() ? begin(to_json(study.description())) : recover(found, study.description());
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

RowLog::~RowLog() { close(descriptor_); }

// What is shorter than its head has no rows.
void RowLog::begin(const std::string& description) {
  std::string head(mark);
  put(head, std::uint64_t{description.size()});
  head += description;
  put(head, checksum(head));
  errno = 0;
  if (ftruncate(descriptor_, 0) != 0 || !write_all(descriptor_, 0, head)) fail("write");
  end_ = head.size();
}

// Empty: the file ends before its rows.
std::string RowLog::read_description(std::uint64_t size) const {
  std::string head(std::min<std::uint64_t>(size, mark.size() + word), '\0');
  errno = 0;
  if (!read_all(descriptor_, 0, head.data(), head.size())) fail("read");
  if (!mark.starts_with(head.substr(0, mark.size()))) {
    throw Error(fmt::format(
        "'{}' is no log of the rows of a study; remove it, or write the results elsewhere", path_.string()));
  }
  if (head.size() < mark.size() + word) return "";
  std::string_view length_bytes = std::string_view(head).substr(mark.size());
  const auto length = take<std::uint64_t>(length_bytes);
  if (length > largest_record || head.size() + length + word > size) return "";
  std::string text(length, '\0');
  if (!read_all(descriptor_, head.size(), text.data(), text.size())) fail("read");
  return text;
}

void RowLog::recover(const std::string& found, const StudyDescription& description) {
  const std::string other = difference(found, description);
  if (!other.empty()) {
    throw Error(
        fmt::format("'{}' has rows of another study (other: {}); remove it, or write the results elsewhere",
                    path_.string(), other));
  }
  end_ = mark.size() + word + found.size() + word;
  for (std::string record;;) {
    record.resize(2 * word);
    if (!read_all(descriptor_, end_, record.data(), record.size())) break;
    std::string_view bytes = record;
    const auto block = take<std::uint64_t>(bytes), length = take<std::uint64_t>(bytes);
    if (block >= places_.size() || length > largest_record) break;
    record.resize(2 * word + length + word);
    if (!read_all(descriptor_, end_, record.data(), record.size())) break;
    bytes = std::string_view(record).substr(record.size() - word);
    if (take<std::uint64_t>(bytes) != checksum(std::string_view(record).substr(0, record.size() - word)))
      break;
    if (places_[block] == 0) {
      ++count_;
      rows_ += rows_of(block);
    }
    places_[block] = end_;
    end_ += record.size();
  }
  errno = 0;
  if (ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) fail("write");
}

std::size_t RowLog::rows_of(std::uint64_t block) const {
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(Study::block_rows, all_rows_ - block * Study::block_rows));
}

void RowLog::append(const RowBlock& block) {
  std::string record;
  const std::uint64_t number = block.first / Study::block_rows;
  put(record, number);
  put(record, std::uint64_t{0});
  put_rows(record, block);
  const std::uint64_t length = record.size() - 2 * word;
  std::memcpy(record.data() + word, &length, word);
  put(record, checksum(record));
  errno = 0;
  if (!write_all(descriptor_, end_, record)) {
    const int reason = errno;
    const bool cut = ftruncate(descriptor_, static_cast<off_t>(end_)) == 0;  // else it is when it is opened
    errno = cut || reason != 0 ? reason : errno;
    fail("write");
  }
  if (places_[number] == 0) {
    ++count_;
    rows_ += block.count;
  }
  places_[number] = end_;
  end_ += record.size();
}

RowBlock RowLog::read(std::uint64_t number, bool with_motions) const {
  std::string record(2 * word, '\0');
  errno = 0;
  if (!read_all(descriptor_, places_[number], record.data(), record.size())) fail("read");
  std::string_view bytes = std::string_view(record).substr(word);
  const std::size_t motions = rows_of(number) * width_.motion * sizeof(double);  // at the end
  record.resize(take<std::uint64_t>(bytes) - (with_motions ? 0 : motions));
  if (!read_all(descriptor_, places_[number] + 2 * word, record.data(), record.size())) fail("read");
  return take_rows(record, number * Study::block_rows, rows_of(number), width_);
}

void RowLog::flush() {
  errno = 0;
  if (fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail("write");
}

void RowLog::remove() { unlink(path_.c_str()); }

void RowLog::fail(const char* action) const {
  const std::string reason = errno != 0 ? std::strerror(errno) : "it ends too early";
  throw OutputError(fmt::format("cannot {} {}: {}", action, path_.string(), reason));
}

}  // namespace dalembert::study

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include <sys/uio.h>
#include <unistd.h>

#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/stream.hpp>

namespace dalembert {
namespace {

constexpr std::size_t most_waiting = 200'000;  // each call of the system takes some microseconds

constexpr std::size_t most_pieces = 16;

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, FileAccess access)
    : place_(std::move(path)),
      streams_(place_.is_stream() && access == FileAccess::sequential),
      file_(streams_ ? place_.open_stream() : place_.create()) {}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) close(file_);
}

void AtomicFile::write(std::string_view text) {
  if (waiting_.size() + text.size() > most_waiting) flush();
  if (text.size() > most_waiting) {
    append(text);
  } else {
    waiting_ += text;
  }
}

void AtomicFile::write(std::span<const std::string_view> pieces) {
  flush();
  while (!pieces.empty()) {
    const std::size_t count = std::min(pieces.size(), most_pieces);
    append(pieces.first(count));
    pieces = pieces.subspan(count);
  }
}

void AtomicFile::flush() {
  append(waiting_);
  waiting_.clear();
}

void AtomicFile::append(std::string_view text) { append(std::span(&text, 1)); }

void AtomicFile::append(std::span<const std::string_view> pieces) {
  if (streams_) {
    for (const std::string_view piece : pieces) {
      if (!write_to_stream(file_, piece)) place_.fail("write");
    }
    return;
  }
  std::array<iovec, most_pieces> rest{};
  std::transform(pieces.begin(), pieces.end(), rest.begin(), [](std::string_view piece) {
    return iovec{const_cast<char*>(piece.data()), piece.size()};  // read only
  });
  for (std::size_t i = 0; i < pieces.size();) {
    const ssize_t result = writev(file_, rest.data() + i, static_cast<int>(pieces.size() - i));
    if (result < 0 && errno != EINTR) place_.fail("write");
    std::size_t written = result < 0 ? 0 : static_cast<std::size_t>(result);
    written_ += written;
    for (; i < pieces.size() && written >= rest[i].iov_len; ++i) written -= rest[i].iov_len;
    if (written == 0) continue;
    rest[i].iov_base = static_cast<char*>(rest[i].iov_base) + written;
    rest[i].iov_len -= written;
  }
}

void AtomicFile::replace(std::uint64_t offset, std::string_view text) {
  if (offset >= written_) {
    text.copy(waiting_.data() + (offset - written_), text.size());
    return;
  }
  flush();
  const ssize_t size = pwrite(file_, text.data(), text.size(), static_cast<off_t>(offset));
  if (size != static_cast<ssize_t>(text.size())) place_.fail("write");
}

void AtomicFile::commit() {
  flush();
  if (close(std::exchange(file_, -1)) != 0) place_.fail("write");
  if (!streams_) place_.commit();
}

}  // namespace dalembert

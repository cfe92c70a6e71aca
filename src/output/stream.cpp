#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <string_view>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dalembert/base/stop.hpp>
#include <dalembert/output/stream.hpp>

namespace dalembert {
namespace {

// Until there is room; false when the program shall end and there is none for half a second.
bool wait_for_room(int file) {
  constexpr int interval = 100;  // milliseconds
  constexpr int patience = 5;    // intervals after the wish to stop
  for (int waited = 0; waited < patience;) {
    pollfd ready{file, POLLOUT, 0};
    const int count = poll(&ready, 1, interval);
    if (count > 0) return true;
    if (count < 0 && errno != EINTR) return false;
    if (stop_requested()) ++waited;
  }
  errno = EAGAIN;
  return false;
}

}  // namespace

bool write_to_stream(int file, std::string_view text) {
  struct stat status {};
  const bool plain = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  while (!text.empty()) {
    // a pipe with room takes PIPE_BUF bytes without waiting
    const std::size_t size = plain ? text.size() : std::min<std::size_t>(text.size(), PIPE_BUF);
    if (!plain && !wait_for_room(file)) return false;
    const ssize_t written = write(file, text.data(), size);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

}  // namespace dalembert

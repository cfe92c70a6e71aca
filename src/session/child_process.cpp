#include "child_process.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dalembert/output/atomic_file.hpp>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace dalembert::session {

ChildResult run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  const auto fail = [&] {
    throw OutputError(fmt::format("cannot run {}: {}", program.string(), std::strerror(errno)));
  };
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) fail();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  errno = posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  if (errno != 0) {
    close(pipe_ends[0]);
    fail();
  }
  ChildResult result;
  std::vector<char> block(1 << 16);
  for (;;) {
    const ssize_t count = read(pipe_ends[0], block.data(), block.size());
    if (count > 0) result.output.append(block.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) break;
  }
  close(pipe_ends[0]);
  while (waitpid(child, &result.status, 0) < 0 && errno == EINTR) {
  }
  return result;
}

}  // namespace dalembert::session

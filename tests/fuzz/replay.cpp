// Runs the kept inputs of a fuzzer, each in a process of its own within the limits that the fuzzer has:
// 1 s of processor time, 1 GB of memory. Names every input that fails.
//   replay_NAME corpus-folder
#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// NOLINTNEXTLINE(readability-redundant-declaration): it has no header
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr rlim_t seconds_at_most = 1;
constexpr long kilobytes_at_most = 1L << 20;

using Bytes = std::vector<std::uint8_t>;

[[noreturn]] void run_here(const Bytes& input) {
  const rlimit time{.rlim_cur = seconds_at_most, .rlim_max = seconds_at_most + 1};
  setrlimit(RLIMIT_CPU, &time);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  std::_Exit(0);
}

// What went wrong; empty when nothing did.
std::string failure(const Bytes& input) {
  const pid_t child = fork();
  if (child < 0) return "cannot start a process";
  if (child == 0) run_here(input);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return "over 1 s";
  if (WIFSIGNALED(status)) return strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return "ended with status " + std::to_string(WEXITSTATUS(status));
  if (usage.ru_maxrss > kilobytes_at_most) return "over 1 GB";
  return "";
}

bool passes(const Bytes& input, const std::string& name) {
  const std::string reason = failure(input);
  if (!reason.empty()) std::fprintf(stderr, "replay: %s: %s\n", name.c_str(), reason.c_str());
  return reason.empty();
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s corpus-folder\n", argv[0]);
    return 1;
  }
  bool all_pass = passes({}, "the empty input");
  const auto files = files_of(argv[1]);
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const Bytes input{std::istreambuf_iterator<char>(stream), {}};
    all_pass = passes(input, file.string()) && all_pass;
  }
  std::fprintf(stderr, "replayed %zu kept inputs and the empty one\n", files.size());
  return all_pass ? 0 : 1;
}

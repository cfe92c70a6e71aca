#include "unfinished_files.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include <dalembert/output/atomic_file.hpp>

namespace dalembert {
namespace {

// A signal handler reads the names, so they stand in fixed places. A run writes some files at once; one
// beyond these places is not removed by a signal, but by the next run.
struct Slot {
  enum State : int { free, filling, named };
  std::atomic<int> state = free;
  std::array<char, PATH_MAX> name{};
};
constexpr std::size_t most_files = 32;
std::array<Slot, most_files> slots;

std::uint32_t hash_of(std::string_view text) {  // FNV-1a
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

// Host, machine and the space of process numbers, which a container has of its own.
std::string owner() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::string machine;
  std::ifstream("/etc/machine-id") >> machine;
  std::error_code unknown;
  const std::filesystem::path processes = std::filesystem::read_symlink("/proc/self/ns/pid", unknown);
  return fmt::format("{:08x}", hash_of(fmt::format("{}\n{}\n{}", host.data(), machine, processes.string())));
}

// NAME.OWNER-PID.tmp, and no process PID lives.
bool is_leftover(std::string_view name, std::string_view begin) {
  constexpr std::string_view end = ".tmp";
  const std::size_t at = name.rfind(begin);
  if (at == std::string_view::npos || !name.ends_with(end)) return false;
  const std::string_view digits =
      name.substr(at + begin.size(), name.size() - at - begin.size() - end.size());
  pid_t process = 0;
  const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), process);
  if (error != std::errc() || last != digits.data() + digits.size() || process <= 0) return false;
  return kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace

std::string unfinished_suffix() {
  static const std::string here = owner();
  return fmt::format(".{}-{}.tmp", here, getpid());
}

void remove_leftovers(const std::filesystem::path& folder) {
  constexpr int most_entries = 10'000;  // some milliseconds
  std::string begin = unfinished_suffix();
  begin.resize(begin.rfind('-') + 1);
  std::error_code ignored;
  std::filesystem::directory_iterator entry(folder, ignored);
  for (int i = 0; i < most_entries && entry != std::filesystem::directory_iterator(); ++i) {
    if (is_leftover(entry->path().filename().string(), begin) && entry->is_regular_file(ignored))
      std::filesystem::remove(entry->path(), ignored);
    entry.increment(ignored);
    if (ignored) return;
  }
}

UnfinishedFile::UnfinishedFile(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::string name = std::filesystem::absolute(path, unknown).string();
  if (unknown || name.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = Slot::free;
    if (!slots[i].state.compare_exchange_strong(expected, Slot::filling)) continue;
    name.copy(slots[i].name.data(), name.size());
    slots[i].name[name.size()] = '\0';
    slots[i].state = Slot::named;
    slot_ = i;
    return;
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_) slots[*slot_].state = Slot::free;
}

void remove_unfinished_files() noexcept {
  for (const Slot& slot : slots) {
    if (slot.state == Slot::named) unlink(slot.name.data());
  }
  for (const Slot& slot : slots) {  // folders, which are empty now
    if (slot.state == Slot::named) rmdir(slot.name.data());
  }
}

}  // namespace dalembert

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dalembert/base/find_program.hpp>
#include <dalembert/codegen/compiled_library.hpp>

#include "code_cache.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace dalembert {
namespace {

namespace fs = std::filesystem;

// -ffp-contract=fast: products and sums fuse as in the interpreter; nothing else changes what is computed.
constexpr std::array flags{"-x",    "c",      "-std=gnu11", "-O2", "-march=native", "-ffp-contract=fast",
                           "-fPIC", "-shared"};

// The text of a file; empty where it cannot be read.
std::string text_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What -march=native depends on.
std::string read_machine() {
  std::ifstream file("/proc/cpuinfo");
  std::string line, found;
  while (std::getline(file, line)) {
    if (line.rfind("model name", 0) == 0) found += line;
    if (line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0) return found + line;
  }
  return found;
}

const std::string& machine() {
  static const std::string read = read_machine();
  return read;
}

// Words of CC: a program and its first arguments, as in "ccache gcc".
std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> find_compiler() {
  const char* const given = std::getenv("CC");
  for (const char* const candidate : {given, "cc", "gcc", "clang"}) {
    if (candidate == nullptr) continue;
    std::vector<std::string> words = words_of(candidate);
    if (words.empty()) continue;
    words[0] = find_program(words[0]).string();
    if (!words[0].empty()) return words;
  }
  return {};
}

// A compiler that was replaced has another time or size.
std::string identity_of(const std::string& program) {
  std::error_code error;
  const fs::path path = fs::canonical(program, error);
  const auto time = fs::last_write_time(path, error).time_since_epoch().count();
  return fmt::format("{} {} {}", path.string(), time, fs::file_size(path, error));
}

}  // namespace

CompiledLibrary::~CompiledLibrary() { dlclose(handle_); }

void* CompiledLibrary::find(const char* name) const { return dlsym(handle_, name); }

CCompiler::CCompiler() : compiler_(find_compiler()) {
  if (compiler_.empty()) {
    reason_ = "there is no C compiler (CC, cc, gcc, clang)";
    return;
  }
  identity_ = identity_of(compiler_[0]);
  for (const std::string& word : compiler_) identity_ += ' ' + word;
  for (const char* const flag : flags) identity_ += ' ' + std::string(flag);
  identity_ += '\n' + machine() + '\n';
}

std::shared_ptr<const CompiledLibrary> CCompiler::load(const fs::path& path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return std::shared_ptr<const CompiledLibrary>(new CompiledLibrary(handle));
  reason_ = dlerror();
  return nullptr;
}

std::shared_ptr<const CompiledLibrary> CCompiler::find(const std::string& text) {
  if (compiler_.empty()) return nullptr;
  const CodeCache cache(identity_ + text);
  return cache.has_entry() ? load(cache.library()) : nullptr;
}

std::shared_ptr<const CompiledLibrary> CCompiler::compile(const std::string& text,
                                                          const std::function<bool()>& stopped) {
  if (compiler_.empty()) return nullptr;
  const CodeCache cache(identity_ + text);
  if (cache.has_entry()) {
    if (auto library = load(cache.library())) return library;
  }
  const TemporaryFolder folder(cache.folder());
  if (folder.path().empty()) {
    reason_ = "there is no folder to compile in";
    return nullptr;
  }
  const fs::path source = folder.path() / "expansion.c";
  const fs::path library = folder.path() / "expansion.so";
  std::ofstream(source, std::ios::binary) << text;
  if (!run(source, library, stopped)) return nullptr;
  auto loaded = load(library);
  if (loaded) cache.keep(library);
  return loaded;
}

// The compiler is waited for in short turns, since it may hang.
bool CCompiler::run(const fs::path& source, const fs::path& library, const std::function<bool()>& stopped) {
  using namespace std::chrono;
  constexpr auto longest = minutes(5);
  std::vector<std::string> words = compiler_;
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-o", library.string(), source.string()});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (source.parent_path() / "messages").c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // so that all of it can be ended
  pid_t child = 0;
  const int error = posix_spawn(&child, words[0].c_str(), &actions, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    reason_ = fmt::format("cannot run {}", words[0]);
    return false;
  }
  const auto begin = steady_clock::now();
  int status = 0;
  for (auto pause = milliseconds(1); waitpid(child, &status, WNOHANG) == 0;) {
    if ((stopped && stopped()) || steady_clock::now() - begin > longest) {
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      reason_ = "the compiler was stopped";
      return false;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, milliseconds(20));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  reason_ = fmt::format("{} failed: {}", words[0], text_of_file(source.parent_path() / "messages"));
  return false;
}

}  // namespace dalembert

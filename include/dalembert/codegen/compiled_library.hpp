// C compiled by the system's compiler and loaded, with a cache of what was compiled before.
//
// No shell is between: the compiler is found by its name in PATH and gets its arguments as they are. The
// cache belongs to the user alone; what is found there counts only if the text beside it is the same.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dalembert {

class CompiledLibrary {
 public:
  ~CompiledLibrary();
  CompiledLibrary(const CompiledLibrary&) = delete;
  CompiledLibrary& operator=(const CompiledLibrary&) = delete;

  /// Null: there is none of that name.
  void* find(const char* name) const;

 private:
  friend class CCompiler;
  explicit CompiledLibrary(void* handle) : handle_(handle) {}
  void* handle_;
};

class CCompiler {
 public:
  /// Looks at CC, then for cc, gcc, clang. Without a compiler everything returns null, and reason() says why.
  CCompiler();

  /// From the cache; null where it is not there.
  std::shared_ptr<const CompiledLibrary> find(const std::string& text);
  /// Compiles, unless the cache has it; null where that fails. `stopped` is asked now and then; when it is
  /// true the compiler is ended.
  std::shared_ptr<const CompiledLibrary> compile(const std::string& text,
                                                 const std::function<bool()>& stopped = {});
  /// What went wrong the last time.
  const std::string& reason() const { return reason_; }

 private:
  std::shared_ptr<const CompiledLibrary> load(const std::filesystem::path& path);
  bool run(const std::filesystem::path& source, const std::filesystem::path& library,
           const std::function<bool()>& stopped);

  std::vector<std::string> compiler_;  // its path and first arguments; empty: there is none
  std::string identity_;               // of compiler, flags and machine
  std::string reason_;
};

}  // namespace dalembert

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/codegen/expansion_code.hpp>

namespace dalembert {
namespace {

using Code = std::shared_ptr<const ExpansionCode>;

// What this process has loaded last: runs that follow each other do not search for it again, as long as the
// environment names the same compiler and cache.
class LoadedCode {
 public:
  Code find(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    const std::string origin = origin_of(text);
    const auto found = std::ranges::find(entries_, origin, &Entry::origin);
    if (found == entries_.end()) return nullptr;
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().code;
  }
  void keep(const std::string& text, const Code& code) {
    constexpr std::size_t most = 16;
    if (!code) return;
    const std::scoped_lock lock(mutex_);
    entries_.insert(entries_.begin(), {origin_of(text), code});
    entries_.resize(std::min(entries_.size(), most));
  }

 private:
  struct Entry {
    std::string origin;
    Code code;
  };
  static std::string origin_of(const std::string& text) {
    std::string origin;
    for (const char* const name : {"CC", "PATH", "XDG_CACHE_HOME", "HOME"}) {
      const char* const value = std::getenv(name);
      origin += (value == nullptr ? "" : value) + std::string("\n");
    }
    return origin + text;
  }

  std::mutex mutex_;
  std::vector<Entry> entries_;  // the last one used first
};

LoadedCode& loaded_code() {
  static LoadedCode loaded;
  return loaded;
}

Code code_in(std::shared_ptr<const CompiledLibrary> library, const ExpansionSource& source) {
  if (!library) return nullptr;
  auto code = std::make_shared<ExpansionCode>();
  code->source = source;
  code->position = reinterpret_cast<ExpansionCode::Values>(library->find(position_function));
  code->velocity = reinterpret_cast<ExpansionCode::Values>(library->find(velocity_function));
  code->start = reinterpret_cast<ExpansionCode::Start>(library->find(start_function));
  code->rest = reinterpret_cast<ExpansionCode::Rest>(library->find(rest_function));
  code->matrix = reinterpret_cast<ExpansionCode::Matrix>(library->find(matrix_function));
  code->product = reinterpret_cast<ExpansionCode::Product>(library->find(product_function));
  code->residual = reinterpret_cast<ExpansionCode::Residual>(library->find(residual_function));
  const bool is_whole = code->start != nullptr && code->rest != nullptr && code->matrix != nullptr &&
                        code->product != nullptr && code->residual != nullptr;
  code->library = std::move(library);
  return is_whole ? code : nullptr;
}

}  // namespace

std::shared_ptr<const ExpansionCode> find_expansion_code(const ExpansionSource& source) {
  if (source.text.empty()) return nullptr;
  if (Code code = loaded_code().find(source.text)) return code;
  Code code = code_in(CCompiler().find(source.text), source);
  loaded_code().keep(source.text, code);
  return code;
}

std::shared_ptr<const ExpansionCode> compile_expansion_code(const ExpansionSource& source,
                                                            std::string& reason,
                                                            const std::function<bool()>& stopped) {
  if (source.text.empty()) {
    reason = source.reason;
    return nullptr;
  }
  CCompiler compiler;
  auto code = code_in(compiler.compile(source.text, stopped), source);
  reason = compiler.reason();
  loaded_code().keep(source.text, code);
  return code;
}

}  // namespace dalembert

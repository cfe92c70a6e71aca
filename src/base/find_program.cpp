#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include <unistd.h>

#include <dalembert/base/find_program.hpp>

namespace dalembert {

std::filesystem::path find_program(std::string_view name) {
  if (name.find('/') != std::string_view::npos) {
    const std::filesystem::path path(name);
    return access(path.c_str(), X_OK) == 0 ? path : std::filesystem::path();
  }
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, end)) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

}  // namespace dalembert

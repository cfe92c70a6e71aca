#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/draft/reporter.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>

#include "model_file.hpp"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

// Names and files of the models in `folders`, without looking into them.
std::map<std::string, fs::path> model_files(const std::vector<fs::path>& folders) {
  std::map<std::string, fs::path> files;
  for (const fs::path& folder : folders) {
    std::error_code unreadable;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable)) {
      if (entry.path().extension() == ".toml") files.emplace(entry.path().stem().string(), entry.path());
    }
  }
  return files;
}

std::string title_of(const fs::path& file) {
  try {
    return title_of_model_file(read_text(file));
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders;
  if (const char* variable = std::getenv("DALEMBERT_MODELS")) {
    std::istringstream list(variable);
    for (std::string folder; std::getline(list, folder, ':');) {
      if (!folder.empty()) folders.emplace_back(folder);
    }
  }
  folders.emplace_back(DALEMBERT_SOURCE_MODELS);
  Dl_info library{};  // which this code is a part of: a Python package holds its models beside it
  if (dladdr(reinterpret_cast<const void*>(&model_folders), &library) != 0 && library.dli_fname != nullptr)
    folders.push_back(fs::path(library.dli_fname).parent_path() / "models");
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (!unknown) folders.push_back(program.parent_path().parent_path() / "share/dalembert/models");
  folders.emplace_back(DALEMBERT_INSTALLED_MODELS);
  return folders;
}

std::vector<ShippedModel> shipped_models() {
  std::vector<ShippedModel> models;
  for (const auto& [name, path] : model_files(model_folders()))
    models.push_back({name, title_of(path), path});
  return models;
}

fs::path find_model(const std::string& name_or_path) {
  std::error_code unreadable;
  if (fs::is_regular_file(name_or_path, unreadable)) return name_or_path;
  const std::map<std::string, fs::path> files = model_files(model_folders());
  const auto shipped = files.find(name_or_path);
  if (shipped != files.end()) return shipped->second;
  // A directory, a pipe or a missing file: reading it says what is wrong.
  const fs::path path(name_or_path);
  if (fs::exists(path, unreadable) || path.has_parent_path() || path.extension() == ".toml") return path;
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const auto& [name, path] : files) names.push_back(name);
  throw Error(fmt::format("there is no file and no shipped model {}{}", in_quotes(name_or_path),
                          suggestion(name_or_path, names)));
}

}  // namespace dalembert

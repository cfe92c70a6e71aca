// The models that come with Dalembert.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dalembert {

struct ShippedModel {
  std::string name;   ///< the file's name without .toml
  std::string title;  ///< empty when the file cannot be read
  std::filesystem::path path;
};

/// The folders that are searched, first to last: DALEMBERT_MODELS (several separated by ':'), the source
/// tree, models beside the library or program that this is linked into, share/dalembert/models beside the
/// running program, that of the install prefix.
std::vector<std::filesystem::path> model_folders();

/// All models of those folders, sorted by name; of equal names the first found.
std::vector<ShippedModel> shipped_models();

/// An existing path as it is, else the shipped model of that name; throws Error with the nearest name.
std::filesystem::path find_model(const std::string& name_or_path);

}  // namespace dalembert

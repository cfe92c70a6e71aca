// The model file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/model/model.hpp>

namespace dalembert {

/// `name=expression` from --set: replaces the value of a parameter, or a start value (x=..., x'=...).
struct Override {
  std::string name;
  std::string value;
};

/// The two sides of "name=value"; throws Error when there is no name, no '=' or no value.
Override parse_override(std::string_view text);

/// A model file's bytes; throws Error with the system's reason, or when it is too large.
std::string read_text(const std::filesystem::path& file);

/// Reads and checks a model file; throws Error with file, line and column.
Model read_model(const std::filesystem::path& file, const std::vector<Override>& overrides = {});

/// The same for text that is already in memory; `name` stands for the file in messages. `columns` are further
/// outputs, definitions or expressions, called by their texts.
Model read_model_text(std::string_view text, const std::string& name = "model",
                      const std::vector<Override>& overrides = {},
                      const std::vector<std::string>& columns = {});

}  // namespace dalembert

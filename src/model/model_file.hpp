// The text of a model file to a draft.
#pragma once

#include <filesystem>
#include <string>

#include <dalembert/model/draft.hpp>

namespace dalembert {

/// A model file's bytes; throws Error with the system's reason, or when it is too large.
std::string read_text(const std::filesystem::path& file);

/// Throws Error for what is no TOML, for unknown keys and for values of the wrong type.
ModelDraft parse_model_file(std::string text, std::string file);

/// The title alone; empty when there is none or the text is no TOML.
std::string title_of_model_file(const std::string& text);

}  // namespace dalembert

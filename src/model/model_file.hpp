// The text of a model file to a draft.
#pragma once

#include <string>

#include <dalembert/model/draft.hpp>

namespace dalembert {

/// Throws Error for what is no TOML, for unknown keys and for values of the wrong type.
ModelDraft parse_model_file(std::string text, std::string file);

/// The title alone; empty when there is none or the text is no TOML.
std::string title_of_model_file(const std::string& text);

}  // namespace dalembert

#pragma once

#include <dalembert/model/draft.hpp>

#include "toml_tree.hpp"

namespace dalembert {

/// [view] of a model file.
void read_view(ModelDraft& draft, const TomlNode& node);

}  // namespace dalembert

// --set name=value.
#pragma once

#include <vector>

#include <dalembert/model/draft.hpp>
#include <dalembert/model/read.hpp>

namespace dalembert {

/// Replaces values of the draft and assembles its bodies; an unknown name is an Error that speaks of --set.
void apply_overrides(ModelDraft& draft, const std::vector<Override>& overrides);

}  // namespace dalembert

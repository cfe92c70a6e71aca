// From a draft to a model, or to the text of a model file.
#pragma once

#include <string>

#include <dalembert/draft/draft.hpp>
#include <dalembert/model/model.hpp>

namespace dalembert {

/// Checks everything and makes the model; throws Error with the place of the first mistake.
Model make_model(const ModelDraft& draft);

/// The model file that says the same, bodies and joints written out as coordinates and constraints.
std::string to_model_file(const ModelDraft& draft);

}  // namespace dalembert

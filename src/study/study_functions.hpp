// The functions of the motion that a study collects, and the model that knows them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <dalembert/session/loaded_model.hpp>

namespace dalembert::study {

/// With what varies among the parameters, and functions among the outputs. Throws Error.
session::LoadedModel load_for_study(session::ModelSource source, const std::vector<std::string>& varied,
                                    const std::vector<std::string>& functions);

struct StudyFunctions {
  std::shared_ptr<const Graph> graph;
  std::vector<Expr> expressions;
};
/// Of a model that was loaded with these: expressions, outputs, kinetic, potential, energy, force(x).
StudyFunctions find_functions(const session::LoadedModel& loaded, const std::vector<std::string>& functions);

}  // namespace dalembert::study

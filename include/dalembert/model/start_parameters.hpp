// Start values as parameters, so that runs may have other ones without another model.
#pragma once

#include <span>
#include <string>

#include <dalembert/model/model.hpp>

namespace dalembert {

/// The same model in which start values, x or x', are parameters of these names with the values given so far:
/// what setting one with --set does, for any number of values. Throws Error for a name that is no coordinate.
Model with_start_parameters(const Model& model, std::span<const std::string> names);

}  // namespace dalembert

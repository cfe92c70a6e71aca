// What --collect motion keeps, and when.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/session/loaded_model.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/study/collected.hpp>

namespace dalembert::study {

/// Takes what is kept along motions out of `collected`; throws Error where it is asked for twice.
std::vector<Collected> take_sampled(std::vector<Collected>& collected, const session::ModelSource& source);

/// Output times of runs with these options, where so many functions are kept; throws Error for too many.
std::vector<double> motion_times(const ModelData& model, std::span<const GivenOption> given,
                                 std::size_t functions);

}  // namespace dalembert::study

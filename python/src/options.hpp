// Options of runs from Python's keywords.
#pragma once

#include <vector>

#include <nanobind/nanobind.h>

#include <dalembert/solve/solve.hpp>

namespace dalembert::python {

/// Throws TypeError for a value of another type, Error for a key that is none.
std::vector<GivenOption> given_options(const nanobind::dict& values);

}  // namespace dalembert::python

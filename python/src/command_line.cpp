// The command line program within Python's process, which ends with it.
#include "command_line.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"

namespace nb = nanobind;

namespace dalembert::python {
namespace {

int command_line(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int status = app::run_command_line(static_cast<int>(words.size()), arguments.data());
  std::fflush(nullptr);
  return status;
}

}  // namespace

void bind_command_line(nb::module_& module) {
  module.def("_command_line", command_line, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace dalembert::python

// The module dalembert._dalembert: calls of the layer session. What users see is Python, in python/dalembert.
#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "failure.hpp"

NB_MODULE(_dalembert, module) {
  using namespace dalembert::python;
  module.attr("__version__") = DALEMBERT_VERSION;
  translate_errors();
  bind_model(module);
  bind_options(module);
  bind_run(module);
  bind_reports(module);
  bind_matrices(module);
  bind_command_line(module);
  bind_study(module);
}

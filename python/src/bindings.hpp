#pragma once

#include <nanobind/nanobind.h>

namespace dalembert::python {

void bind_model(nanobind::module_& module);
void bind_options(nanobind::module_& module);
void bind_run(nanobind::module_& module);
void bind_reports(nanobind::module_& module);
void bind_matrices(nanobind::module_& module);
void bind_command_line(nanobind::module_& module);
void bind_study(nanobind::module_& module);

}  // namespace dalembert::python

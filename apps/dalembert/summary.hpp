// What a person, or a program, reads at the end of a run.
#pragma once

#include <string>

#include <dalembert/model/model.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert::app {

std::string summary_text(const RunReport& report, const ModelData& model, const std::string& file);
std::string summary_json(const RunReport& report, const ModelData& model);

}  // namespace dalembert::app

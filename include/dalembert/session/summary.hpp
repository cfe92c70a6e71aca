// What a person reads at the end of a run.
#pragma once

#include <string>
#include <vector>

#include <dalembert/model/model.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert::session {

std::string summary_text(const RunReport& report, const ModelData& model,
                         const std::vector<std::string>& files, bool colour);

}  // namespace dalembert::session

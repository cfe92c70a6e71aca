// The check of a kinematic model.
#pragma once

#include <string>

#include <dalembert/session/check.hpp>

namespace dalembert::session {

CheckReport check_kinematic(const LoadedModel& model);
std::string kinematic_text(const CheckReport& report);
std::string kinematic_json(const CheckReport& report);

}  // namespace dalembert::session

// What `dalembert check` finds out about a mechanical model.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert::app {

struct CheckReport {
  explicit CheckReport(const Model& model) : system(model) {}

  System system;
  Start start;
  Structure structure;
  std::vector<std::string> not_unique;  ///< reactions, or multipliers where there are none
  std::vector<std::string> warnings;
  std::string failure;  ///< why there are no accelerations; empty when there are
};

/// Throws Error when no consistent start exists.
CheckReport make_check_report(const Model& model);

std::string to_text(const CheckReport& report);
nlohmann::ordered_json to_json(const CheckReport& report);

/// The sign in which multipliers are reported.
inline constexpr const char* multiplier_convention = "M a = f - C^T lambda";

}  // namespace dalembert::app

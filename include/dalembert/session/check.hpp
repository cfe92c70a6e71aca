// What there is to know of a model before it moves: start, degrees of freedom, index, redundancy.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/session/loaded_model.hpp>
#include <dalembert/system/kinematic_structure.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>

namespace dalembert::session {

struct CheckReport {
  explicit CheckReport(LoadedModel loaded) : model(std::move(loaded)) {}

  LoadedModel model;
  Start start;                                  ///< of equations of motion
  Structure structure;                          ///< likewise
  std::optional<KinematicStructure> kinematic;  ///< of kinematic models instead
  std::vector<std::string> not_unique;          ///< reactions, or multipliers where there are none
  std::vector<std::string> warnings;
  std::string failure;  ///< why no run can begin, as there are no accelerations; empty where one can
  SourceLocation failure_where;

  /// Of kinematic models the directions that constraints leave free.
  std::size_t degrees_of_freedom() const {
    return kinematic ? kinematic->q.size() - kinematic->rank : structure.degrees_of_freedom;
  }
};

/// Throws Error when no consistent start exists, or the model names a method that is not there.
CheckReport check(const LoadedModel& model);

std::string to_text(const CheckReport& report);
std::string to_json(const CheckReport& report);

/// The sign in which multipliers are reported.
inline constexpr const char* multiplier_convention = "M a = f - C^T lambda";

}  // namespace dalembert::session

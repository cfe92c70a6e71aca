// The variables of a functional mock-up unit, and the texts of its files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <dalembert/session/codegen.hpp>
#include <dalembert/session/fmu.hpp>
#include <dalembert/system/start.hpp>

namespace dalembert::session {

/// Its value reference is its place in the list.
struct FmuVariable {
  std::string name, description, unit;
  std::string causality, variability, initial = {};
  std::optional<double> start = {};
  std::optional<std::size_t> derivative_of = {};  ///< a state
};

struct FmuParts {
  const LoadedModel& model;
  const FmuOptions& options;
  const CLibrary& library;
  const Start& start;
  std::string token;  ///< by which simulators know that description and binary belong together
  std::vector<FmuVariable> variables = {};
};

/// time, parameters, q, v, dq/dt, a, λ, −Cᵀ λ, outputs, energies: in the order of the generated code.
std::vector<FmuVariable> list_variables(const FmuParts& parts);

std::string describe(const FmuParts& parts);
std::string describe_build(const FmuParts& parts);

/// The C of an instance, and the functions of the interface around it.
std::string write_interface(const FmuParts& parts);

extern const char* const instance_text;
extern const char* const fmi3_text;
extern const char* const fmi3_rest_text;
extern const char* const fmi2_text;
extern const char* const fmu_state_text;  // with @{fmi}, @{FMUstate}, @{Deserialize}, @{byte}

}  // namespace dalembert::session

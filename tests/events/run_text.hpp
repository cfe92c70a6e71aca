// Runs a model text with events by some method.
#pragma once

#include <string>
#include <vector>

#include <dalembert/model/read.hpp>
#include <dalembert/solve/solve.hpp>

#include "laws/simulate.hpp"

namespace dalembert::testing {

struct EventCase {
  std::string method = "adomian";
  double step = 0;
  double tolerance = 0;
};

inline Simulation run_text(const std::string& text, const EventCase& one = {}) {
  const System system(read_model_text(text));
  SolveOptions options = options_of(system.model());
  options.method = one.method;
  options.step = one.step;
  options.tolerance = one.tolerance;
  return simulate(system, options);
}

inline std::vector<double> times_of(const RunReport& report, const std::string& name,
                                    const std::string& kind = "") {
  std::vector<double> times;
  for (const EventRecord& event : report.events)
    if (event.name == name && (kind.empty() || event.kind == kind)) times.push_back(event.t);
  return times;
}

/// Series and an explicit method to their rounding, an implicit one to its tolerance.
struct MethodCase {
  EventCase method;
  double error;
};
inline std::vector<MethodCase> three_methods(double error_of_bdf) {
  return {{{"adomian"}, 1e-13}, {{"dop853", 0, 1e-12}, 1e-9}, {{"bdf", 0, 1e-9}, error_of_bdf}};
}

/// Every method that takes models with inertia, with steps that suit a few seconds.
inline std::vector<EventCase> all_methods_on_seconds() {
  std::vector<EventCase> cases;
  for (const Method& method : methods())
    cases.push_back({std::string(method.name), method.tolerance == 0 ? 1e-3 : 0, 0});
  return cases;
}

}  // namespace dalembert::testing

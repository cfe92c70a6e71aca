// Admissible gains and steps of a kinematic model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dalembert/session/loaded_model.hpp>
#include <dalembert/settings/option.hpp>
#include <dalembert/solve/stability.hpp>

namespace dalembert::session {

struct StabilityOptions {
  std::vector<std::string> box;     ///< "x=-1:1" of each coordinate; none: what a run visits and a tenth more
  double a = 0.99;                  ///< contraction per step
  double epsilon = 0.1;             ///< largest deviation |f|
  std::optional<double> step = {};  ///< none: the model's, or 0.002
};

struct StabilityReport {
  /// Where f' = K f is stable for a method, exactly.
  struct MethodLimit {
    std::string_view method;
    double limit;         ///< of step |k|
    double longest_step;  ///< for the model's K; 0: errors grow, infinite: K is zero
  };

  LoadedModel model;
  StabilityQuestion question;
  StabilityEstimate estimate;
  bool starts_inside = true;  ///< the box
  std::vector<MethodLimit> limits;
  std::optional<Interval> gains_over;  ///< times over which K was looked at; none: it is the same everywhere
};

/// Throws Error for models with equations of motion or without constraints, and for options that make no
/// sense.
StabilityReport stability(const LoadedModel& model, const StabilityOptions& options = {},
                          Spelling spelling = Spelling::key);

std::string to_text(const StabilityReport& report);
std::string to_json(const StabilityReport& report);

}  // namespace dalembert::session

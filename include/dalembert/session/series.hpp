// One Adomian expansion of a model at its start.
#pragma once

#include <string>
#include <vector>

#include <dalembert/session/loaded_model.hpp>
#include <dalembert/settings/option.hpp>
#include <dalembert/solve/series_solution.hpp>

namespace dalembert::session {

struct SeriesOptions {
  int order = 8;       ///< highest power of t
  int digits = 0;      ///< 0: doubles
  bool exact = false;  ///< in rationals, where all values stay rational
};

struct SeriesReport {
  std::string heading;  ///< of the model
  SeriesTable table;    ///< without coefficients that are not finite
  std::vector<std::string> warnings;
  bool is_singular = false;  ///< there were such
};

/// Throws Error for options that make no sense, and where expand_exactly or expand_numerically do.
SeriesReport series(const LoadedModel& model, const SeriesOptions& options = {},
                    Spelling spelling = Spelling::key);

std::string to_text(const SeriesReport& report);
std::string to_latex(const SeriesReport& report);
std::string to_json(const SeriesReport& report);

}  // namespace dalembert::session

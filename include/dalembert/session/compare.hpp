// Methods side by side on a model: data, and the same as text, CSV, JSON, picture and page.
#pragma once

#include <span>
#include <string>

#include <dalembert/output/page.hpp>
#include <dalembert/session/loaded_model.hpp>
#include <dalembert/solve/compare.hpp>

namespace dalembert::session {

struct ComparisonReport {
  LoadedModel model;
  CompareOptions options;
  MethodsCompared compared;
  std::string reference;  ///< what errors are measured against
};

/// What a model and a call say of the runs; throws Error for an option that none of the methods would look
/// at.
CompareOptions compare_options(const LoadedModel& model, std::span<const GivenOption> given,
                               const std::vector<std::string>& methods = {},
                               Spelling spelling = Spelling::key);
/// Throws Error where the reference cannot be computed.
ComparisonReport compare(const LoadedModel& model, const CompareOptions& options);
/// The same of what CompareOptions::computed was given.
ComparisonReport report_of(const LoadedModel& model, const CompareOptions& options, MethodsCompared compared);

/// A table in columns; what a method refused or where it stopped is said below, and above whether the
/// reference is right. Kinematic systems have no multipliers, velocity equations and energy: "-".
std::string to_text(const ComparisonReport& report);
std::string to_csv(const ComparisonReport& report);
std::string to_json(const ComparisonReport& report);
Comparison to_page_comparison(const ComparisonReport& report);
/// With work-precision and drift diagrams; throws OutputError where the file cannot be written.
void write_page(const std::string& file, const ComparisonReport& report);

}  // namespace dalembert::session

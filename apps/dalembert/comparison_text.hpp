// A comparison of methods as text, CSV, JSON, and for the report page.
#pragma once

#include <span>
#include <string>

#include <dalembert/output/page.hpp>
#include <dalembert/solve/compare.hpp>

namespace dalembert::app {

/// A table in columns; what a method refused or where it stopped is said below.
/// Kinematic systems have no multipliers, velocity equations and energy: "-".
/// Whether it was interrupted.
bool is_partial(std::span<const ComparedRun> runs);

std::string comparison_table(std::span<const ComparedRun> runs, bool is_kinematic);
std::string comparison_csv(std::span<const ComparedRun> runs);
std::string comparison_json(std::span<const ComparedRun> runs, const std::string& title,
                            const std::string& reference);
Comparison to_page_comparison(std::span<const ComparedRun> runs, const std::string& reference);

}  // namespace dalembert::app

// A comparison of methods as text, CSV, JSON, and for the report page.
#pragma once

#include <string>

#include <dalembert/output/page.hpp>
#include <dalembert/solve/compare.hpp>

namespace dalembert::app {

/// A table in columns; what a method refused or where it stopped is said below, and above whether the
/// reference is right. Kinematic systems have no multipliers, velocity equations and energy: "-".
std::string comparison_table(const MethodsCompared& compared, bool is_kinematic);
std::string comparison_csv(const MethodsCompared& compared);
std::string comparison_json(const MethodsCompared& compared, const std::string& title,
                            const std::string& reference);
Comparison to_page_comparison(const MethodsCompared& compared, const std::string& reference);

}  // namespace dalembert::app

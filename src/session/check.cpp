#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/session/check.hpp>
#include <dalembert/solve/settled_start.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/uniqueness.hpp>

#include "check_kinematic.hpp"
#include "grouped_names.hpp"

namespace dalembert::session {
namespace {

// of the rows' sizes: multipliers then lose some six digits. Chosen, not measured.
constexpr double nearly_dependent = 1e-6;
constexpr std::size_t most_described = 6;  // redundant constraints, each with what it depends on

std::string quoted_constraints(const System& system, const std::vector<std::size_t>& which) {
  std::vector<std::string> names;
  for (const std::size_t j : which) names.push_back("`" + system.constraint_name(j) + "`");
  return join(names, ", ");
}

std::string quoted_coordinates(const System& system, const std::vector<std::size_t>& which) {
  std::vector<std::string> names;
  for (const std::size_t i : which) names.push_back("`" + system.coordinate_name(i) + "`");
  return join(names, ", ");
}

std::string describe(const System& system, const DependentConstraint& row) {
  const std::string name = "`" + system.constraint_name(row.constraint) + "`";
  if (row.others.empty()) return name + " restricts no velocity (its row of C vanishes)";
  return name + " depends on " + quoted_constraints(system, row.others);
}

void warn_of_constraints(const CheckReport& report, std::vector<std::string>& warnings) {
  const System& system = report.model.system();
  const Structure& structure = report.structure;
  const std::string of_redundant =
      ": redundant; the motion is unique, of the multipliers those of least norm are given";
  if (structure.redundant.size() > most_described) {
    std::vector<std::string> names;
    for (const DependentConstraint& row : structure.redundant)
      names.push_back(system.constraint_name(row.constraint));
    warnings.push_back(fmt::format("{} constraints depend on others (--json lists on which), {}{}",
                                   names.size(), group_names(names, "`"), of_redundant));
  } else {
    for (const DependentConstraint& row : structure.redundant)
      warnings.push_back(describe(system, row) + of_redundant);
  }
  for (const DependentConstraint& row : structure.singular) {
    warnings.push_back(
        describe(system, row) +
        " here, but not nearby: the start is a singular configuration, where the mechanism may "
        "branch or lock; start elsewhere");
  }
  if (structure.smallest_pivot < nearly_dependent) {
    warnings.push_back(
        fmt::format("the constraints are nearly dependent at the start ({:.1e}, 1 is best): "
                    "close to a singular configuration",
                    structure.smallest_pivot));
  }
}

// The components of joint reactions, joint by joint: those that are not unique, and that the others are.
void warn_of_reactions(const CheckReport& report, std::vector<std::string>& warnings) {
  if (report.not_unique.empty()) return;
  warnings.push_back(
      group_names(report.not_unique, "`") +
      " are not unique: those of least norm of the multipliers are given; all others are unique");
}

std::vector<std::string> collect_warnings(const CheckReport& report) {
  const System& system = report.model.system();
  const Structure& structure = report.structure;
  std::vector<std::string> warnings = system.model().warnings;
  warn_of_constraints(report, warnings);
  warn_of_reactions(report, warnings);
  if (!structure.inertia.missing.empty()) {
    warnings.push_back("no inertia in motions of " + quoted_coordinates(system, structure.inertia.missing) +
                       " that the constraints allow");
  }
  if (!structure.inertia.negative.empty()) {
    warnings.push_back("negative kinetic energy in motions of " +
                       quoted_coordinates(system, structure.inertia.negative) +
                       " that the constraints allow: check the masses");
  }
  if (structure.degrees_of_freedom == 0) {
    warnings.emplace_back("no degree of freedom is left: the constraints alone determine the motion");
  }
  for (const std::string& call : system.non_analytic()) {
    warnings.push_back("'" + call +
                       "' has a kink or a jump: series methods are right up to it, not across it");
  }
  return warnings;
}

}  // namespace

CheckReport check(const LoadedModel& model) {
  options_of(*model.model());  // names a method that is not there
  if (model.is_kinematic()) return check_kinematic(model);
  const System& system = model.system();
  CheckReport report(model);
  report.start = find_consistent_state(system);
  report.structure = analyse_structure(system, report.start);
  try {
    solve_accelerations(system, report.start);
    settle_start(system, report.start);
  } catch (const Error& error) {
    report.failure = error.message();
    report.failure_where = error.where();
  }
  if (report.failure.empty())
    report.not_unique = names_of(system, find_not_unique(system, report.start, report.structure));
  report.warnings = collect_warnings(report);
  return report;
}

}  // namespace dalembert::session

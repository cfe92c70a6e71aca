#include "dependency.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

constexpr double many_bounds = 1e3;         // of round-off
constexpr double coefficient_error = 1e-7;  // of a dependency near the limit of independence

}  // namespace

DependentConstraint to_constraint(const RowDependency& dependency) {
  DependentConstraint result{static_cast<std::size_t>(dependency.row), {}, dependency.coefficients};
  for (const Eigen::Index other : dependency.others) result.others.push_back(static_cast<std::size_t>(other));
  return result;
}

std::vector<Contradiction> find_contradictions(const RowRank& rank, const Eigen::VectorXd& right,
                                               const Eigen::VectorXd& bounds) {
  std::vector<Contradiction> found;
  for (const RowDependency& dependency : rank.dependent) {
    double allowed = many_bounds * bounds[dependency.row];
    for (std::size_t k = 0; k < dependency.others.size(); ++k) {
      const double coefficient = std::abs(dependency.coefficients[k]);
      const Eigen::Index other = dependency.others[k];
      allowed += coefficient * (many_bounds * bounds[other] + coefficient_error * std::abs(right[other]));
    }
    const double mismatch = rank.mismatch(dependency, right);
    if (!(std::abs(mismatch) <= allowed)) found.push_back({to_constraint(dependency), mismatch});
  }
  return found;
}

std::string describe(const System& system, const Contradiction& contradiction) {
  const std::string& name = system.constraint_name(contradiction.rows.constraint);
  if (contradiction.rows.others.empty()) {
    return fmt::format("`{}` cannot be met: no coordinate changes it here (its row of C is zero)", name);
  }
  std::vector<std::string> others;
  for (const std::size_t other : contradiction.rows.others) {
    others.push_back("`" + system.constraint_name(other) + "`");
  }
  return fmt::format("`{}` contradicts {}", name, join(others, ", "));
}

}  // namespace dalembert

#include "start_error.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>

#include "constraint_rank.hpp"
#include "dependency.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr std::size_t most_named = 4;

const Constraint& constraint_at(const System& system, std::size_t j) {
  return j < system.holonomic() ? system.model().holonomic[j]
                                : system.model().nonholonomic[j - system.holonomic()];
}

SourceLocation place_of(const System& system, std::size_t j) {
  SourceLocation where = constraint_at(system, j).where;
  if (where.file.empty()) where.file = system.model().file;
  return where;
}

std::string quoted(const std::string& name) { return "`" + name + "`"; }

std::vector<std::string> coordinate_names(const System& system, const std::vector<std::size_t>& which) {
  std::vector<std::string> names;
  for (const std::size_t i : which) names.push_back(quoted(system.coordinate_name(i)));
  return names;
}

// Rows whose residual is more than round-off, the worst first.
std::vector<Index> worst_rows(const VectorXd& residual, const VectorXd& bounds) {
  std::vector<Index> rows;
  for (Index i = 0; i < residual.size(); ++i) {
    if (!(std::abs(residual[i]) <= 1e3 * bounds[i])) rows.push_back(i);
  }
  std::sort(rows.begin(), rows.end(),
            [&](Index a, Index b) { return std::abs(residual[a]) > std::abs(residual[b]); });
  return rows;
}

std::string list_residuals(const System& system, const std::vector<Index>& rows, const VectorXd& residual) {
  std::vector<std::string> items;
  for (const Index row : rows) {
    if (items.size() == most_named) {
      items.push_back(fmt::format("and {} more", rows.size() - most_named));
      break;
    }
    items.push_back(fmt::format(
        "{} is off by {:.3g}", quoted(system.constraint_name(static_cast<std::size_t>(row))), residual[row]));
  }
  return join(items, ", ");
}

struct Level {
  const char* name;   // positions or velocities
  const char* prime;  // behind the name of a coordinate
};

std::string advice(const System& system, const Level& level) {
  std::vector<std::string> fixed;
  for (const Coordinate& coordinate : system.model().coordinates) {
    if (coordinate.fixed) fixed.push_back(quoted(coordinate.name + level.prime));
  }
  if (!fixed.empty()) {
    return fmt::format("; change {}, or let {} move by removing 'fixed = true'", join(fixed, ", "),
                       fixed.size() == 1 ? "it" : "them");
  }
  return fmt::format("; give start {} that fit together, or check the constraints", level.name);
}

[[noreturn]] void throw_inconsistent(const Residuals& residuals, const Level& level, const VectorXd& residual,
                                     const VectorXd& bounds) {
  const System& system = residuals.system();
  const std::vector<Index> rows = worst_rows(residual, bounds);
  const RowRank rank = find_constraint_rank(residuals.at.C.topRows(residual.size()), residuals.at.M);
  std::string message = fmt::format("the start cannot be made consistent at the level of {}: {}", level.name,
                                    list_residuals(system, rows, residual));
  for (const Contradiction& contradiction : find_contradictions(rank, residual, bounds)) {
    message += "; " + describe(system, contradiction);
  }
  const std::size_t first = rows.empty() ? 0 : static_cast<std::size_t>(rows.front());
  throw Error(message + advice(system, level), place_of(system, first));
}

[[noreturn]] void throw_no_value(const std::string& what, const SourceLocation& where = {}) {
  throw Error(what + " has no finite value at the start; check the start values and parameters", where);
}

}  // namespace

void refuse_values_that_do_not_exist(const Residuals& residuals, const VectorXd& q) {
  const System& system = residuals.system();
  for (std::size_t i = 0; i < system.n(); ++i) {
    if (!std::isfinite(q[static_cast<Index>(i)])) {
      throw_no_value("the position of " + quoted(system.coordinate_name(i)), {system.model().file, 0, 0});
    }
  }
  for (std::size_t j = 0; j < system.holonomic(); ++j) {
    if (!std::isfinite(residuals.at.g[static_cast<Index>(j)])) {
      throw_no_value("the constraint " + quoted(system.constraint_name(j)), place_of(system, j));
    }
  }
}

void refuse_forces_that_do_not_exist(const Residuals& residuals) {
  const System& system = residuals.system();
  const StateEvaluation& at = residuals.at;
  for (std::size_t i = 0; i < system.n(); ++i) {
    const auto row = static_cast<Index>(i);
    const SourceLocation file{system.model().file, 0, 0};
    if (!at.M.row(row).allFinite())
      throw_no_value("the inertia of " + quoted(system.coordinate_name(i)), file);
    if (!std::isfinite(at.f[row])) throw_no_value("the force on " + quoted(system.coordinate_name(i)), file);
  }
  for (std::size_t j = 0; j < system.m(); ++j) {
    const auto row = static_cast<Index>(j);
    if (!at.C.row(row).allFinite() || !std::isfinite(at.gamma[row])) {
      throw_no_value("a derivative of the constraint " + quoted(system.constraint_name(j)),
                     place_of(system, j));
    }
  }
}

void throw_inconsistent_positions(Residuals& residuals, const VectorXd& q) {
  residuals.eval(q, VectorXd::Zero(q.size()));
  throw_inconsistent(residuals, {"positions", ""}, residuals.at.g, residuals.position_bounds(q));
}

void throw_inconsistent_velocities(Residuals& residuals, const VectorXd& q, const VectorXd& v) {
  residuals.eval(q, v);
  throw_inconsistent(residuals, {"velocities", "'"}, residuals.at.C * v + residuals.at.c,
                     residuals.velocity_bounds(q, v));
}

void throw_contradicting_accelerations(const System& system,
                                       const std::vector<Contradiction>& contradictions) {
  std::vector<std::string> items;
  for (const Contradiction& contradiction : contradictions) {
    items.push_back(fmt::format("{} by {:.3g}", describe(system, contradiction), contradiction.mismatch));
  }
  throw Error(
      fmt::format("no accelerations exist at the start: {}; the constraints depend on each other here: "
                  "start from another configuration, or remove one of them",
                  join(items, ", ")),
      place_of(system, contradictions.front().rows.constraint));
}

void throw_unbalanced_velocities(const System& system, bool fixed) {
  const std::vector<std::string> names = coordinate_names(system, system.determined_velocities().coordinates);
  const bool one = names.size() == 1;
  throw Error(
      fmt::format("{} {} no inertia, so the forces determine {} at the start, {}", join(names, ", "),
                  one ? "has" : "have", one ? "its velocity" : "their velocities",
                  fixed
                      ? "and 'fixed = true' forbids that: remove it"
                      : "but none was found for which they vanish: give mass or damping, or a velocity near "
                        "the right one"),
      {system.model().file, 0, 0});
}

void throw_missing_inertia(const System& system, const Inertia& inertia) {
  const std::vector<std::string> names = coordinate_names(system, inertia.missing);
  if (names.empty()) {
    throw Error("the mass matrix is nearly singular on the motions that the constraints allow",
                {system.model().file, 0, 0});
  }
  throw Error(
      fmt::format("the mass matrix is singular on the motions that the constraints allow: {} {} no inertia; "
                  "give mass to {}, or a constraint that determines {}",
                  join(names, ", "), names.size() == 1 ? "has" : "have", names.size() == 1 ? "it" : "them",
                  names.size() == 1 ? "it" : "them"),
      {system.model().file, 0, 0});
}

}  // namespace dalembert

// How the system moves: energies, matrices, forces, or kinematics.
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "checker.hpp"
#include "identity.hpp"

namespace dalembert {
namespace {

std::string entries(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

void Checker::check_energy() {
  if (data_.kind != ModelKind::energy) return;
  const bool bodies = !draft_.kinetic_of_bodies.empty();
  if (!draft_.kinetic && !bodies)
    report_.at(*draft_.energy_where, "the kinetic energy is missing: kinetic = \"...\"");
  const auto energy = [this](const std::optional<Text>& own, const std::string& of_bodies,
                             const Scope& scope) {
    Expr total = data_.graph->number(0);
    if (own)
      total = names_.expression(*own, scope, std::string(scope.where.substr(scope.where.find(' ') + 1)));
    if (!of_bodies.empty()) total = total + names_.expression(of_bodies, scope, "energy of the bodies");
    return total;
  };
  data_.kinetic = energy(draft_.kinetic, draft_.kinetic_of_bodies, scope::kinetic);
  if (!names_.contains_velocity(data_.kinetic)) {
    report_.at_text(
        *draft_.kinetic, "kinetic energy", 0,
        fmt::format("the kinetic energy contains no velocity; the velocity of '{0}' is written {0}'",
                    names_.coordinates().front()));
  }
  data_.potential = energy(draft_.potential, draft_.potential_of_bodies, scope::potential);
  data_.dissipation = energy(draft_.dissipation, draft_.dissipation_of_bodies, scope::dissipation);
  if (draft_.dissipation && !data_.dissipation.is_zero() && !names_.contains_velocity(data_.dissipation)) {
    report_.at_text(*draft_.dissipation, "dissipation function", 0,
                    "the dissipation function contains no velocity");
  }
}

void Checker::check_equations() {
  if (data_.kind != ModelKind::matrices) return;
  const std::size_t n = draft_.coordinates.size();
  if (!draft_.mass) report_.at(*draft_.equations_where, "the mass matrix is missing: mass = [[\"...\"]]");
  if (!draft_.force) report_.at(*draft_.equations_where, "the force vector is missing: force = [\"...\"]");
  data_.mass = matrix(*draft_.mass, n, n, scope::mass, "mass");
  check_symmetry(*draft_.mass);
  if (draft_.force->entries.size() != n) {
    report_.at(draft_.force->where,
               fmt::format("force has {} instead of {}",
                           entries(draft_.force->entries.size(), "entry", "entries"), n));
  }
  data_.force = row(*draft_.force, scope::force, "force");
}

void Checker::check_symmetry(const TextMatrix& mass) const {
  Identity identity(data_);
  for (std::size_t i = 0; i < data_.mass.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (identity.holds(data_.mass[i][j], data_.mass[j][i])) continue;
      report_.at_text(
          mass.rows[i].entries[j], "mass", 0,
          fmt::format("the mass matrix is not symmetric: this entry ({}, {}) differs from ({}, {})", i + 1,
                      j + 1, j + 1, i + 1));
    }
  }
}

void Checker::check_forces() {
  data_.generalized_force.assign(draft_.coordinates.size(), data_.graph->number(0));
  const std::vector<std::string>& coordinates = names_.coordinates();
  for (const auto& [name, text] : draft_.forces) {
    if (data_.kind == ModelKind::kinematic) report_.at_name(name, "a kinematic model has no forces");
    const auto it = std::find(coordinates.begin(), coordinates.end(), name.text);
    if (it == coordinates.end()) {
      report_.at_name(name, fmt::format("a force acts on a coordinate, and {} is none{}",
                                        in_quotes(name.text), suggestion(name.text, coordinates)));
    }
    Expr& total = data_.generalized_force[static_cast<std::size_t>(it - coordinates.begin())];
    total = total + names_.expression(text, scope::force, "force on " + in_quotes(name.text));
  }
}

std::vector<Expr> Checker::row(const TextRow& texts, const Scope& scope, const std::string& label) {
  std::vector<Expr> result;
  for (const Text& text : texts.entries) result.push_back(names_.expression(text, scope, label));
  return result;
}

std::vector<std::vector<Expr>> Checker::matrix(const TextMatrix& texts, std::size_t rows, std::size_t columns,
                                               const Scope& scope, const std::string& label) {
  if (texts.rows.size() != rows) {
    report_.at(texts.where, fmt::format("{} has {} instead of {}", label,
                                        entries(texts.rows.size(), "row", "rows"), rows));
  }
  std::vector<std::vector<Expr>> result;
  for (const TextRow& texts_row : texts.rows) {
    if (texts_row.entries.size() != columns) {
      report_.at(texts_row.where,
                 fmt::format("row {} of {} has {} instead of {}", result.size() + 1, label,
                             entries(texts_row.entries.size(), "entry", "entries"), columns));
    }
    result.push_back(row(texts_row, scope, label));
  }
  return result;
}

// q' = c [f_q C] + f_q⁺ (K f − f_t): C has n−1−m rows, so that the product has n−1 factors.
void Checker::check_kinematics() {
  if (data_.kind != ModelKind::kinematic) return;
  const std::size_t n = draft_.coordinates.size();
  const std::size_t m = draft_.holonomic.size();
  if (m + 1 > n) {
    report_.at(*draft_.kinematics_where, fmt::format("a kinematic model of {} can have {} at most, not {}",
                                                     entries(n, "coordinate", "coordinates"),
                                                     entries(n - 1, "constraint", "constraints"), m));
  }
  Graph& graph = *data_.graph;
  data_.kinematic_c =
      draft_.kinematic_c ? names_.expression(*draft_.kinematic_c, scope::kinematics, "c") : graph.number(1);
  if (draft_.kinematic_C) {
    data_.kinematic_C = matrix(*draft_.kinematic_C, n - 1 - m, n, scope::kinematics, "C");
  } else if (n - 1 - m > 0) {
    report_.at(*draft_.kinematics_where,
               fmt::format("C is missing; it has {} of {} (coordinates - 1 - constraints)",
                           entries(n - 1 - m, "row", "rows"), entries(n, "entry", "entries")));
  }
  data_.kinematic_K.assign(m, std::vector<Expr>(m, graph.number(0)));
  if (draft_.kinematic_K) data_.kinematic_K = matrix(*draft_.kinematic_K, m, m, scope::kinematics, "K");
}

}  // namespace dalembert

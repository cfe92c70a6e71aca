#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/system/structure.hpp>

#include "constraint_rank.hpp"
#include "dependency.hpp"
#include "eigen_vector.hpp"
#include "inertia.hpp"
#include "large_state.hpp"
#include "metric.hpp"
#include "position_search.hpp"
#include "residuals.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// What C is like at configurations around the start that are consistent too.
struct Neighbourhood {
  RowRank rank;        // the highest that was found
  VectorXd row_sizes;  // the largest norm of each row
};

Neighbourhood look_around(Residuals& residuals, const VectorXd& q) {
  // A rank that is lower at the start than at every one of three points nearby is a singular configuration;
  // a hundredth of the sizes keeps the points on the same branch. Chosen, not measured.
  constexpr int samples = 3;
  constexpr double distance = 0.01;
  Movable all;
  for (Index i = 0; i < q.size(); ++i) all.coordinates.push_back(i);
  all.weight = VectorXd::Ones(q.size());

  PositionSearch search(residuals);
  Neighbourhood around;
  around.row_sizes = VectorXd::Zero(residuals.at.C.rows());
  bool some_consistent = false;
  for (int i = 0; i < samples; ++i) {
    const FoundPositions found = search.run_near(q, all, distance);
    if (some_consistent && !found.consistent) continue;  // off the manifold only where nothing else is
    residuals.eval(found.q, VectorXd::Zero(q.size()));
    if (!residuals.at.C.allFinite()) continue;
    const RowRank rank =
        find_constraint_rank(residuals.at.C, residuals.at.M, {}, policy::dependent_rows_around);
    if (rank.rank > around.rank.rank || (found.consistent && !some_consistent)) around.rank = rank;
    around.row_sizes = around.row_sizes.cwiseMax(residuals.at.C.rowwise().norm());
    some_consistent = some_consistent || found.consistent;
    if (some_consistent && around.rank.dependent.empty()) break;  // nothing is left to find
  }
  return around;
}

// Dependent here and nearby: redundant. Dependent only here: singular.
void sort_dependencies(const RowRank& here, const RowRank& around, Structure& structure) {
  for (const RowDependency& dependency : here.dependent) {
    const bool also_around =
        around.rank <= here.rank ||
        std::any_of(around.dependent.begin(), around.dependent.end(),
                    [&](const RowDependency& other) { return other.row == dependency.row; });
    (also_around ? structure.redundant : structure.singular).push_back(to_constraint(dependency));
  }
}

// The coordinates that are left when the rows are solved for a well-conditioned set of the others, compared
// in units of their inertia. Guesses are rather solved for, fixed ones rather not.
std::vector<std::size_t> find_free(const System& system, const MatrixXd& M, const MatrixXd& rows,
                                   bool Coordinate::*is_guess) {
  VectorXd preference = make_metric(M, rows).diagonal().cwiseSqrt().cwiseInverse();
  for (std::size_t i = 0; i < system.n(); ++i) {
    const Coordinate& coordinate = system.model().coordinates[i];
    if (coordinate.*is_guess) preference[static_cast<Index>(i)] *= 10;
    if (coordinate.fixed) preference[static_cast<Index>(i)] /= 10;
  }
  std::vector<bool> free(system.n(), true);
  for (const Index j : choose_pivot_columns(rows, preference)) free[static_cast<std::size_t>(j)] = false;
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i]) result.push_back(i);
  }
  return result;
}

// Of the coordinates that have inertia; others whose velocities the forces determine need none.
Inertia analyse_heavy(const System& system, const MatrixXd& M, const MatrixXd& rows) {
  std::vector<Index> heavy;
  const auto& determined = system.determined_velocities().coordinates;
  for (std::size_t i = 0; i < system.n(); ++i) {
    if (!std::binary_search(determined.begin(), determined.end(), i)) heavy.push_back(static_cast<Index>(i));
  }
  Inertia inertia = analyse_inertia(M(heavy, heavy), rows(Eigen::all, heavy));
  for (std::vector<std::size_t>* coordinates : {&inertia.missing, &inertia.negative})
    for (std::size_t& i : *coordinates) i = static_cast<std::size_t>(heavy[i]);
  return inertia;
}

// Motions without inertia are determined when the forces on them depend on their velocities: Nᵀ (∂f/∂v) N
// is regular.
bool forces_determine(const Residuals& residuals, const MatrixXd& motions, const VectorXd& q,
                      const VectorXd& v) {
  const Equations e = residuals.system().equations().continued();
  const auto values = residuals.values_at(q, v);
  const SymbolIndex velocities(e.v);
  MatrixXd slope = MatrixXd::Zero(q.size(), q.size());
  for (std::size_t i = 0; i < e.n(); ++i) {
    for (const auto& [j, entry] : gradient(e.f[i], velocities)) {
      slope(static_cast<Index>(i), j) = evaluate<double>(entry, values);
    }
  }
  return find_row_rank(motions.transpose() * slope * motions).rank == motions.cols();
}

std::optional<int> find_index(const Residuals& residuals, const Structure& structure, const VectorXd& q,
                              const VectorXd& v) {
  const System& system = residuals.system();
  if (!structure.contradictions.empty()) return std::nullopt;
  if (structure.inertia.missing.empty())
    return system.holonomic() > 0 ? 3 : system.m() > 0 ? 2 : system.determined_velocities().empty() ? 0 : 1;
  if (system.m() > 0) return std::nullopt;
  const MatrixXd motions = find_motions_without_inertia(residuals.at.M, residuals.at.C);
  if (!forces_determine(residuals, motions, q, v)) return std::nullopt;
  return 1;
}

}  // namespace

Structure analyse_structure(const System& system, const Start& start) {
  if (is_large(system)) {
    if (auto structure = analyse_large_structure(system, start)) return *structure;
  }
  Residuals residuals(system, start.t);
  const VectorXd q = to_eigen(start.q);
  const VectorXd v = to_eigen(start.v);
  const Neighbourhood around = look_around(residuals, q);
  residuals.eval(q, v);
  const StateEvaluation& at = residuals.at;
  const auto holonomic = static_cast<Index>(system.holonomic());

  Structure structure;
  const RowRank rank = find_constraint_rank(at.C, at.M, around.row_sizes);
  const RowRank position_rank =
      find_constraint_rank(at.C.topRows(holonomic), at.M, around.row_sizes.head(holonomic));
  const MatrixXd rows = take_rows(at.C, rank.independent);
  structure.rank = static_cast<std::size_t>(rank.rank);
  structure.position_rank = static_cast<std::size_t>(position_rank.rank);
  structure.smallest_pivot = rank.smallest_pivot;
  sort_dependencies(rank, around.rank, structure);
  if (!rank.dependent.empty())
    structure.contradictions = find_contradictions(rank, at.gamma, residuals.acceleration_bounds(q, v));
  structure.inertia = analyse_heavy(system, at.M, rows);
  structure.row_sizes = to_vector(around.row_sizes);
  structure.degrees_of_freedom = system.n() - structure.rank;
  structure.configuration_freedom = system.n() - structure.position_rank;
  structure.free_positions =
      find_free(system, at.M, take_rows(at.C, position_rank.independent), &Coordinate::guess);
  structure.free_velocities = find_free(system, at.M, rows, &Coordinate::guess_velocity);
  structure.index = find_index(residuals, structure, q, v);
  return structure;
}

std::optional<Inertia> find_usual_inertia(const System& system, const Start& start,
                                          std::span<const double> row_sizes) {
  if (is_large(system) || row_sizes.size() != system.m()) return std::nullopt;
  Residuals residuals(system, start.t);
  residuals.eval(to_eigen(start.q), to_eigen(start.v));
  const StateEvaluation& at = residuals.at;
  if (!at.C.allFinite() || !at.M.allFinite()) return std::nullopt;
  const VectorXd sizes = to_eigen({row_sizes.begin(), row_sizes.end()}).cwiseMax(at.C.rowwise().norm());
  const RowRank rank = find_row_rank(at.C, sizes);
  if (!rank.dependent.empty() || !(rank.smallest_pivot > policy::clearly_independent_rows))
    return std::nullopt;
  Inertia inertia = analyse_heavy(system, at.M, at.C);
  if (!inertia.missing.empty()) return std::nullopt;
  return inertia;
}

}  // namespace dalembert

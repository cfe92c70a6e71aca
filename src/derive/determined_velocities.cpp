#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <dalembert/derive/determined_velocities.hpp>
#include <dalembert/expr/differentiate.hpp>

namespace dalembert {
namespace {

bool jumps(const Equations& e, const Expr& force) {
  const std::vector<Expr> roots{force};
  const std::vector<NodeId> nodes = reachable(roots);
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    const Expr node = e.graph().at(id);
    return node.kind() == Kind::function && node.function() == Function::sign;
  });
}

// Neither inertia nor constraints know them.
std::vector<bool> find_massless(const Equations& e) {
  std::vector<bool> massless(e.n(), true);
  for (const auto& [row, column, value] : e.M.entries) massless[row] = massless[column] = false;
  for (const ExprMatrix* rows : {&e.C, &e.D})
    for (const auto& entry : rows->entries) massless[entry.column] = false;
  for (std::size_t i = 0; i < e.n(); ++i) massless[i] = massless[i] && !jumps(e, e.f[i]);
  return massless;
}

using Slopes = std::vector<std::pair<std::uint32_t, Expr>>;  // ∂f_i/∂v

// Only while the force depends on some velocity that is to be determined.
void drop_undetermined(const std::vector<Slopes>& slopes, std::vector<bool>& massless) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < massless.size(); ++i) {
      const bool determined =
          massless[i] && std::any_of(slopes[i].begin(), slopes[i].end(),
                                     [&](const auto& slope) { return massless[slope.first]; });
      changed = changed || determined != massless[i];
      massless[i] = determined;
    }
  }
}

}  // namespace

DeterminedVelocities determine_velocities(Equations& e) {
  DeterminedVelocities result;
  std::vector<bool> massless = find_massless(e);
  if (std::none_of(massless.begin(), massless.end(), [](bool is) { return is; })) return result;
  const SymbolIndex velocities(e.v);
  std::vector<Slopes> slopes(e.n());
  for (std::size_t i = 0; i < e.n(); ++i)
    if (massless[i]) slopes[i] = gradient(e.f[i], velocities);
  drop_undetermined(slopes, massless);

  Directional dt;  // with accelerations left out
  for (std::size_t i = 0; i < e.n(); ++i) dt.set_tangent(e.q[i], e.v[i]);
  dt.set_tangent(e.t, e.graph().number(1));
  for (std::size_t i = 0; i < e.n(); ++i) {
    if (!massless[i]) continue;
    result.coordinates.push_back(i);
    result.forces.push_back(e.f[i]);
    for (const auto& [j, slope] : slopes[i])
      e.M.entries.push_back({static_cast<std::uint32_t>(i), j, -slope});
    e.f[i] = dt(e.f[i]);
  }
  std::sort(e.M.entries.begin(), e.M.entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  return result;
}

}  // namespace dalembert

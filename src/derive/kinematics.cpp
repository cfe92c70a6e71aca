#include <cstddef>
#include <cstdint>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/derive/kinematics.hpp>
#include <dalembert/expr/differentiate.hpp>

#include "inputs_in_time.hpp"
#include "jacobian.hpp"
#include "move_to.hpp"

namespace dalembert {
namespace {

ExprMatrix without_zeros(const std::vector<std::vector<Expr>>& rows, std::size_t columns) {
  ExprMatrix matrix{rows.size(), columns, {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (rows[i][j].is_zero()) continue;
      matrix.entries.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), rows[i][j]});
    }
  }
  return matrix;
}

}  // namespace

void insert_inputs(KinematicEquations& e, std::vector<Expr>& outputs) {
  insert_curves(*e.model, e.graph(), e.f, e.f_q, e.f_t, e.c, e.C, e.K, outputs);
}

KinematicEquations KinematicEquations::continued() const {
  KinematicEquations e = *this;
  e.own = std::make_shared<Graph>(own);
  move_to(*e.own, e.t, e.q, e.f, e.f_q, e.f_t, e.c, e.C, e.K);
  return e;
}

KinematicEquations derive_kinematics(const Model& model) {
  if (model->kind != ModelKind::kinematic) {
    throw Error("the model has equations of motion; only kinematic models follow from constraints alone");
  }
  KinematicEquations e(model);
  e.t = model->time;
  for (const Coordinate& coordinate : model->coordinates) e.q.push_back(coordinate.q);
  for (const Constraint& constraint : model->holonomic) e.f.push_back(constraint.residual);
  e.c = model->kinematic_c;
  e.C = without_zeros(model->kinematic_C, e.q.size());
  e.K = without_zeros(model->kinematic_K, e.f.size());
  move_to(*e.own, e.t, e.q, e.f, e.c, e.C, e.K);
  e.f_q = derive_jacobian(e.f, SymbolIndex(e.q), e.q.size());
  Directional partial_t = partial_time_derivative(*model, *e.own, e.t);
  for (const Expr& f : e.f) e.f_t.push_back(partial_t(f));
  e.own->freeze();
  return e;
}

}  // namespace dalembert

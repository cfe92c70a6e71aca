#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/system/kinematic_structure.hpp>
#include <dalembert/system/rounding.hpp>

#include "dependency.hpp"

namespace dalembert {
namespace {

using Values = std::unordered_map<NodeId, double>;

Eigen::MatrixXd evaluate_matrix(const ExprMatrix& matrix, const Values& values) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(matrix.rows),
                                                 static_cast<Eigen::Index>(matrix.columns));
  for (const auto& entry : matrix.entries) {
    result(entry.row, entry.column) = evaluate<double>(entry.value, values);
  }
  return result;
}

// t, q, the parameters, the inputs and their derivatives.
Values start_values(const KinematicEquations& e, KinematicStructure& structure) {
  Values values;
  for (const Parameter& parameter : e.model->parameters) {
    values.emplace(parameter.symbol.id(), evaluate<double>(parameter.value, values));
  }
  structure.t = e.model->solve.start();
  values[e.t.id()] = structure.t;
  for (const Input& input : e.model->inputs) {
    for (std::size_t k = 0; k < input.derivatives.size(); ++k)
      values.emplace(input.derivatives[k].id(), input.curve.eval(structure.t, static_cast<int>(k)));
  }
  for (const Coordinate& coordinate : e.model->coordinates) {
    structure.q.push_back(evaluate<double>(coordinate.position, values));
    values[coordinate.q.id()] = structure.q.back();
  }
  return values;
}

}  // namespace

KinematicStructure analyse_kinematics(const KinematicEquations& e) {
  KinematicStructure structure;
  const Values values = start_values(e, structure);
  for (const RoundedValue& residual : evaluate_with_error(e.f, values)) {
    structure.f.push_back(residual.value);
    structure.round_off.push_back(residual.error);
  }
  const Eigen::MatrixXd f_q = evaluate_matrix(e.f_q, values);
  for (std::size_t i = 0; i < e.f.size(); ++i) {
    if (std::isfinite(structure.f[i]) && f_q.row(static_cast<Eigen::Index>(i)).allFinite()) continue;
    const Constraint& constraint = e.model->holonomic[i];
    throw Error(fmt::format("the constraint `{}` has no finite value at the start", constraint.name),
                constraint.where);
  }
  const RowRank rank = find_row_rank(f_q);
  structure.rank = static_cast<std::size_t>(rank.rank);
  for (const RowDependency& row : rank.dependent) structure.dependent.push_back(to_constraint(row));
  Eigen::MatrixXd all(f_q.rows() + static_cast<Eigen::Index>(e.C.rows), f_q.cols());
  all << f_q, evaluate_matrix(e.C, values);
  structure.full_rank = static_cast<std::size_t>(find_row_rank(all).rank);
  return structure;
}

}  // namespace dalembert

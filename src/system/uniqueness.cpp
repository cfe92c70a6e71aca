#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <Eigen/Dense>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/system/state_evaluation.hpp>
#include <dalembert/system/uniqueness.hpp>

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double round_off = 1e-9;  // of a sum beside its terms

// A basis of the λ with Cᵀ λ = 0 in its columns, one for each redundant constraint.
MatrixXd find_null_vectors(const System& system, const Start& start, const Structure& structure) {
  StateEvaluation at(system);
  at.eval(start.t, start.q, start.v);
  const RowRank rank = find_row_rank(at.C);
  MatrixXd null = MatrixXd::Zero(at.C.rows(), static_cast<Index>(rank.dependent.size()));
  Index columns = 0;
  for (const RowDependency& dependency : rank.dependent) {
    const bool redundant = std::any_of(structure.redundant.begin(), structure.redundant.end(),
                                       [&](const DependentConstraint& row) {
                                         return row.constraint == static_cast<std::size_t>(dependency.row);
                                       });
    if (!redundant) continue;
    null(dependency.row, columns) = -1;
    for (std::size_t k = 0; k < dependency.others.size(); ++k) {
      null(dependency.others[k], columns) = dependency.coefficients[k];
    }
    ++columns;
  }
  return null.leftCols(columns);
}

std::unordered_map<NodeId, double> values_at(const System& system, const Start& start) {
  std::unordered_map<NodeId, double> values = system.parameter_values<double>();
  const Equations& e = system.equations();
  values[e.t.id()] = start.t;
  for (std::size_t i = 0; i < e.n(); ++i) {
    values[e.q[i].id()] = start.q[i];
    values[e.v[i].id()] = start.v[i];
    values[e.a[i].id()] = start.a[i];
  }
  for (std::size_t j = 0; j < e.m(); ++j) values[e.lambda[j].id()] = start.lambda[j];
  return values;
}

}  // namespace

NotUnique find_not_unique(const System& system, const Start& start, const Structure& structure) {
  NotUnique result;
  if (structure.redundant.empty()) return result;
  const Equations& e = system.equations();
  const MatrixXd null = find_null_vectors(system, start, structure);
  for (std::size_t j = 0; j < e.m(); ++j) {
    if (null.row(static_cast<Index>(j)).cwiseAbs().maxCoeff() > round_off) result.multipliers.push_back(j);
  }
  const auto values = values_at(system, start);
  const SymbolIndex multipliers(e.lambda);
  for (std::size_t k = 0; k < e.outputs.size(); ++k) {
    Eigen::RowVectorXd change = Eigen::RowVectorXd::Zero(null.cols());
    Eigen::RowVectorXd size = change;
    for (const auto& [j, slope] : gradient(e.outputs[k].expression, multipliers)) {
      const Eigen::RowVectorXd part = evaluate<double>(slope, values) * null.row(j);
      change += part;
      size += part.cwiseAbs();
    }
    if ((change.cwiseAbs() - round_off * size).maxCoeff() > round_off) result.outputs.push_back(k);
  }
  return result;
}

std::vector<std::string> names_of(const System& system, const NotUnique& not_unique) {
  std::vector<std::string> names;
  for (const std::size_t k : not_unique.outputs) names.push_back(system.equations().outputs[k].name);
  if (!names.empty()) return names;
  for (const std::size_t j : not_unique.multipliers) {
    names.push_back("lambda(" + system.constraint_name(j) + ")");
  }
  return names;
}

}  // namespace dalembert

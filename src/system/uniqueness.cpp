#include <unordered_map>

#include <Eigen/Dense>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/system/uniqueness.hpp>

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double round_off = 1e-9;  // of a sum beside its terms

// A basis of the λ with Cᵀ λ = 0 in its columns, one for each redundant constraint.
MatrixXd find_null_vectors(const System& system, const Structure& structure) {
  MatrixXd null =
      MatrixXd::Zero(static_cast<Index>(system.m()), static_cast<Index>(structure.redundant.size()));
  Index column = 0;
  for (const DependentConstraint& row : structure.redundant) {
    null(static_cast<Index>(row.constraint), column) = -1;
    for (std::size_t k = 0; k < row.others.size(); ++k)
      null(static_cast<Index>(row.others[k]), column) = row.coefficients[k];
    ++column;
  }
  return null;
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
  const Equations e = system.equations().continued();
  const MatrixXd null = find_null_vectors(system, structure);
  for (std::size_t j = 0; j < e.m(); ++j) {
    if (null.row(static_cast<Index>(j)).any()) result.multipliers.push_back(j);
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

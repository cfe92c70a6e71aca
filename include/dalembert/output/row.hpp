// From samples to rows of numbers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <dalembert/derive/equations.hpp>
#include <dalembert/expr/scalar.hpp>
#include <dalembert/model/model.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/tape/program.hpp>
#include <dalembert/trajectory/sample.hpp>

namespace dalembert {

/// −Cᵀ λ, the generalized constraint force of each coordinate.
struct ConstraintForces {
  std::shared_ptr<const Graph> graph;  ///< it continues that of the equations
  std::vector<Expr> expressions;
};
ConstraintForces constraint_forces(const Equations& equations);

/// What rows of some columns are made of. What a sample does not hold, constraint forces and the view's
/// points, has a program of its own. One serves many runs, whatever the values of the parameters.
struct RowProgram {
  /// Compiles; `forces` may be empty when no column asks for them.
  RowProgram(const Model& model, std::vector<Column> columns, const ConstraintForces& forces);

  // Neighbouring columns that are neighbours in a sample as well.
  struct Run {
    ColumnGroup group;
    std::size_t first, count;
  };

  Model model;
  std::vector<Column> columns;
  std::vector<Run> runs;
  Program program;  ///< of t, q, v, a, λ, the model's inputs, parameters
};

/// The model's values of parameters, by their symbols.
template <class S>
std::unordered_map<NodeId, S> parameter_values(const ModelData& model);

/// Fills rows with the columns' values.
template <class S>
class RowFiller {
 public:
  RowFiller(std::shared_ptr<const RowProgram> program, const std::unordered_map<NodeId, S>& parameters);
  /// With a program of its own and the model's parameters.
  RowFiller(const Model& model, std::vector<Column> columns, const ConstraintForces& forces);
  RowFiller(const RowFiller&) = delete;
  RowFiller& operator=(const RowFiller&) = delete;
  ~RowFiller();

  const std::vector<Column>& columns() const { return program_->columns; }
  /// Valid until the next call.
  std::span<const S> fill(const Sample<S>& sample);

 private:
  class Expressions;

  std::shared_ptr<const RowProgram> program_;
  std::vector<S> row_;
  std::unique_ptr<Expressions> expressions_;
};

extern template class RowFiller<double>;
extern template class RowFiller<Real>;

}  // namespace dalembert

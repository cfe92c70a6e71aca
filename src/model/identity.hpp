// Decides numerically what light simplification leaves open: whether two expressions are equal for all
// motions.
#pragma once

#include <unordered_map>
#include <vector>

#include <dalembert/expr/graph.hpp>
#include <dalembert/expr/scalar.hpp>
#include <dalembert/model/model.hpp>

namespace dalembert {

class Identity {
 public:
  /// Needs the parameters and coordinates of a model, which must outlive this.
  explicit Identity(const ModelData& model) : model_(model) {}

  /// Whether a and b are one node, or agree to 30 digits at random points around the start. Expressions that
  /// have no value at any of them are not taken for equal.
  bool holds(Expr a, Expr b);

 private:
  using Point = std::unordered_map<NodeId, Real>;
  void make_points();

  const ModelData& model_;
  std::vector<Point> points_;
};

/// A(q,t) v + b(q,t) with A and b free of velocities, or an empty Expr when `residual` is not linear in them.
Expr linear_in_velocities(Expr residual, const ModelData& model);

}  // namespace dalembert

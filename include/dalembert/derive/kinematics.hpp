// The parts of a kinematic model, as expressions on a graph that continues the model's and is frozen too.
//
//   f(q,t) = 0,   q' = c [f_q C] + f_q⁺ (K f − f_t)        (15) in [beshaw]
//
// [f_q C] is the vector product of the m rows of f_q and the n−1−m rows of C: orthogonal to all of them.
#pragma once

#include <utility>
#include <vector>

#include <dalembert/derive/equations.hpp>
#include <dalembert/expr/graph.hpp>
#include <dalembert/model/model.hpp>

namespace dalembert {

struct KinematicEquations {
  explicit KinematicEquations(Model described)
      : model(std::move(described)), own(std::make_shared<Graph>(model->graph)) {}

  Model model;
  std::shared_ptr<Graph> own;  ///< the graph of the expressions here
  Expr t;
  std::vector<Expr> q;    ///< symbols, n
  std::vector<Expr> f;    ///< constraints, m
  ExprMatrix f_q;         ///< ∂f/∂q, m × n
  std::vector<Expr> f_t;  ///< ∂f/∂t
  Expr c;                 ///< speed along the free direction
  ExprMatrix C;           ///< n−1−m rows
  ExprMatrix K;           ///< m × m

  Graph& graph() const { return *own; }
  /// The same on a graph that continues this one, which must be frozen, and takes more expressions.
  KinematicEquations continued() const;
};

/// Polynomials in place of the inputs, in outputs, too, which are on the same graph; it takes more
/// expressions.
void insert_inputs(KinematicEquations& equations, std::vector<Expr>& outputs);

/// Throws Error for a model that is not kinematic.
KinematicEquations derive_kinematics(const Model& model);

}  // namespace dalembert

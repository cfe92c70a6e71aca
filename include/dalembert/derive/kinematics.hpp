// The parts of a kinematic model, as expressions on the model's graph.
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
  explicit KinematicEquations(Model described) : model(std::move(described)) {}

  Model model;
  Expr t;
  std::vector<Expr> q;    ///< symbols, n
  std::vector<Expr> f;    ///< constraints, m
  ExprMatrix f_q;         ///< ∂f/∂q, m × n
  std::vector<Expr> f_t;  ///< ∂f/∂t
  Expr c;                 ///< speed along the free direction
  ExprMatrix C;           ///< n−1−m rows
  ExprMatrix K;           ///< m × m
};

/// Throws Error for a model that is not kinematic.
KinematicEquations derive_kinematics(const Model& model);

}  // namespace dalembert

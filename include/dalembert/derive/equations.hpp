// The equations of motion of a model, as expressions on a graph that continues the model's. It is frozen too,
// so that any number of threads may read them; who needs further expressions of them takes continued().
//
//   M(q,v,t) a = f(q,v,t) − D(q,v,t)ᵀ λ      D = C, less ∂Q/∂λ where forces depend on multipliers
//                                            C = [G; A],  c = [∂g/∂t; b]
//                − B(q,v,t)ᵀ N               where forces depend on sizes N = |(λ_i, λ_j)| of multipliers
//   g(q,t) = 0                               G = ∂g/∂q            holonomic
//   A(q,t) v + b(q,t) = 0                                         nonholonomic
//   C v + c = 0                              velocity level
//   C a = γ(q,v,t)                           acceleration level, γ = −(d/dt C) v − d/dt c with a = 0
//
// From energies: π = ∂K/∂v, M = ∂π/∂v, f = Q at λ = 0 − ∂V/∂q − ∂R/∂v + ∂K/∂q − (∂π/∂q) v − ∂π/∂t.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <dalembert/expr/graph.hpp>
#include <dalembert/model/model.hpp>

namespace dalembert {

/// The non-zero entries of a matrix of expressions, by rows, columns increasing within a row.
struct ExprMatrix {
  struct Entry {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    Expr value;
  };
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Entry> entries;

  /// The entry, zero (a number of `graph`) where none is stored.
  Expr at(std::size_t row, std::size_t column, Graph& graph) const;
};

struct Equations {
  explicit Equations(Model described)
      : model(std::move(described)), own(std::make_shared<Graph>(model->graph)) {}

  Model model;
  std::shared_ptr<Graph> own;  ///< the graph of the expressions here

  Expr t;
  std::vector<Expr> q;       ///< symbols, n
  std::vector<Expr> v;       ///< symbols, n
  std::vector<Expr> a;       ///< symbols, n
  std::vector<Expr> lambda;  ///< symbols, m: first the holonomic, then the nonholonomic ones

  ExprMatrix M;         ///< n × n
  std::vector<Expr> f;  ///< n, without multipliers
  std::vector<Expr> g;  ///< holonomic constraints
  ExprMatrix G;         ///< ∂g/∂q
  ExprMatrix A;         ///< nonholonomic rows
  std::vector<Expr> b;
  ExprMatrix C;  ///< [G; A], m × n
  ExprMatrix D;  ///< the forces of the multipliers, −Dᵀ λ: C − (∂Q/∂λ)ᵀ
  ExprMatrix B;  ///< −∂Q/∂N: a row for each of sizes
  std::vector<std::vector<std::uint32_t>> sizes;  ///< the multipliers of each N
  bool is_symmetric = true;                       ///< D is C and B is empty: no force depends on multipliers
  std::vector<Expr> c;                            ///< [∂g/∂t; b]
  std::vector<Expr> gamma;
  Expr K, V, R;         ///< energies and Rayleigh's function; K is vᵀ M v / 2 for models given by matrices
  std::vector<Expr> Q;  ///< non-conservative generalized forces, with their multipliers
  std::vector<NamedExpr> outputs;
  /// Of events and contacts, with zero for the multipliers of what is not among the constraints.
  struct EventFunctions {
    std::vector<Expr> when, values;  ///< of Event::when and Event::set
  };
  std::vector<EventFunctions> events;
  std::vector<Expr> gaps;
  std::vector<Expr> held_arguments;  ///< of ModelData::held_signs
  /// Of ModelData::frictions.
  struct FrictionFunctions {
    std::vector<Expr> margins;  ///< positive while it sticks: sticking·|λ| ∓ Λ; in space (sticking·λ)² − |Λ|²
    std::vector<Expr> slips;
    Expr speed;  ///< the slip; in space its length
  };
  std::vector<FrictionFunctions> frictions;

  std::size_t n() const { return q.size(); }
  std::size_t m() const { return lambda.size(); }
  Graph& graph() const { return *own; }
  /// N = sqrt(λ_i² + λ_j² + ...) of sizes[p]
  Expr size(std::size_t p) const;

  /// The same on a graph that continues this one, which must be frozen, and takes more expressions.
  Equations continued() const;
};

/// Replaces inputs by their polynomials in t, whose coefficients are symbols. The graph must take more
/// expressions: see continued().
void insert_inputs(Equations& equations);

/// Throws Error for a kinematic model: it has no equations of motion.
Equations derive_equations(const Model& model);

}  // namespace dalembert

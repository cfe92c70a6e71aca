#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/system/implicit_programs.hpp>

#include "program_outputs.hpp"

namespace dalembert {
namespace {

// D and what the sizes N add to it: ∂N/∂λ_i = λ_i/N.
ExprMatrix force_rows(const Equations& e) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> rows;
  for (const auto& [row, column, value] : e.D.entries) rows.emplace(std::pair(row, column), value);
  for (const auto& [p, column, value] : e.B.entries) {
    for (const std::uint32_t row : e.sizes[p]) {
      const Expr slope = value * e.lambda[row] / e.size(p);
      const auto [known, is_new] = rows.try_emplace({row, column}, slope);
      if (!is_new) known->second = known->second + slope;
    }
  }
  ExprMatrix D{e.D.rows, e.D.columns, {}};
  for (const auto& [place, value] : rows) D.entries.push_back({place.first, place.second, value});
  return D;
}

// M a + Dᵀ λ + Bᵀ N − f
std::vector<Expr> motion_residual(const Equations& e) {
  std::vector<std::vector<Term>> rows(e.n());
  for (std::size_t i = 0; i < e.n(); ++i) rows[i].push_back({-1, e.f[i]});
  for (const auto& [row, column, value] : e.M.entries) rows[row].push_back({1, value * e.a[column]});
  for (const auto& [row, column, value] : e.D.entries) rows[column].push_back({1, value * e.lambda[row]});
  for (const auto& [p, column, value] : e.B.entries) rows[column].push_back({1, value * e.size(p)});
  std::vector<Expr> residual;
  for (const auto& terms : rows) residual.push_back(e.graph().sum(terms));
  return residual;
}

std::vector<Expr> constraint_residual(const Equations& e, ConstraintLevel level) {
  const bool acceleration = level == ConstraintLevel::acceleration;
  std::vector<std::vector<Term>> rows(e.m());
  for (std::size_t j = 0; j < e.m(); ++j) {
    rows[j].push_back({acceleration ? -1 : 1, acceleration ? e.gamma[j] : e.c[j]});
  }
  for (const auto& [row, column, value] : e.C.entries) {
    rows[row].push_back({1, value * (acceleration ? e.a : e.v)[column]});
  }
  std::vector<Expr> residual;
  for (std::size_t j = 0; j < e.m(); ++j) {
    const bool position = level == ConstraintLevel::position && j < e.g.size();
    residual.push_back(position ? e.g[j] : e.graph().sum(rows[j]));
  }
  return residual;
}

ExprMatrix derive_jacobian(const std::vector<Expr>& rows, const std::vector<Expr>& symbols) {
  const SymbolIndex index(symbols);
  ExprMatrix matrix{rows.size(), symbols.size(), {}};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const auto& [column, value] : gradient(rows[row], index)) {
      matrix.entries.push_back({static_cast<std::uint32_t>(row), column, value});
    }
  }
  return matrix;
}

ResidualProgram compile_residual(const Equations& e, ConstraintLevel level) {
  Outputs outputs;
  outputs.add(motion_residual(e));
  outputs.add(constraint_residual(e, level));
  ResidualProgram p;
  p.program = outputs.compile(e, Inputs::all);
  p.r = outputs.take(p.program, e.n());
  p.s = outputs.take(p.program, e.m());
  return p;
}

JacobianProgram compile_jacobian(const Equations& e, ConstraintLevel level) {
  const std::vector<Expr> r = motion_residual(e);
  const std::vector<Expr> s = constraint_residual(e, level);
  const ExprMatrix r_q = derive_jacobian(r, e.q);
  const ExprMatrix r_v = derive_jacobian(r, e.v);
  const ExprMatrix s_q = derive_jacobian(s, e.q);
  const ExprMatrix s_v = derive_jacobian(s, e.v);
  const ExprMatrix D = force_rows(e);
  Outputs outputs;
  for (const ExprMatrix* matrix : {&e.M, &r_q, &r_v, &e.C, &D, &s_q, &s_v}) outputs.add(*matrix);
  JacobianProgram p;
  p.program = outputs.compile(e, Inputs::all);
  p.M = outputs.take(p.program, e.M);
  p.r_q = outputs.take(p.program, r_q);
  p.r_v = outputs.take(p.program, r_v);
  p.C = outputs.take(p.program, e.C);
  p.D = outputs.take(p.program, D);
  p.s_q = outputs.take(p.program, s_q);
  p.s_v = outputs.take(p.program, s_v);
  return p;
}

struct Momentum {
  std::vector<Expr> momentum, force;
};

Momentum momentum_of_energies(const Equations& e) {
  Graph& graph = e.graph();
  Momentum result{std::vector<Expr>(e.n(), graph.number(0)), e.Q};
  for (const auto& [i, value] : gradient(e.K, SymbolIndex(e.v))) result.momentum[i] = value;
  for (const auto& [i, value] : gradient(e.K, SymbolIndex(e.q))) result.force[i] = result.force[i] + value;
  for (const auto& [i, value] : gradient(e.V, SymbolIndex(e.q))) result.force[i] = result.force[i] - value;
  for (const auto& [i, value] : gradient(e.R, SymbolIndex(e.v))) result.force[i] = result.force[i] - value;
  return result;
}

Momentum momentum_of_matrices(const Equations& e) {
  Graph& graph = e.graph();
  Directional dt;
  dt.set_tangent(e.t, graph.number(1));
  for (std::size_t i = 0; i < e.n(); ++i) dt.set_tangent(e.q[i], e.v[i]);
  for (const Expr& v : e.v) dt.set_tangent(v, graph.number(0));
  Momentum result{std::vector<Expr>(e.n(), graph.number(0)), e.f};
  for (const auto& [row, column, value] : e.M.entries) {
    result.momentum[row] = result.momentum[row] + value * e.v[column];
    result.force[row] = result.force[row] + dt(value) * e.v[column];
  }
  return result;
}

MomentumProgram compile_momentum(const Equations& e) {
  const Momentum p = e.model->kind == ModelKind::energy ? momentum_of_energies(e) : momentum_of_matrices(e);
  const ExprMatrix momentum_q = derive_jacobian(p.momentum, e.q);
  const ExprMatrix force_q = derive_jacobian(p.force, e.q);
  const ExprMatrix force_v = derive_jacobian(p.force, e.v);
  Outputs outputs;
  for (const auto* rows : {&p.momentum, &p.force, &e.g, &e.c}) outputs.add(*rows);
  for (const ExprMatrix* matrix : {&e.M, &momentum_q, &force_q, &force_v, &e.C}) outputs.add(*matrix);
  MomentumProgram result;
  result.program = outputs.compile(e, Inputs::velocity);
  result.momentum = outputs.take(result.program, e.n());
  result.force = outputs.take(result.program, e.n());
  result.g = outputs.take(result.program, e.g.size());
  result.c = outputs.take(result.program, e.m());
  result.M = outputs.take(result.program, e.M);
  result.momentum_q = outputs.take(result.program, momentum_q);
  result.force_q = outputs.take(result.program, force_q);
  result.force_v = outputs.take(result.program, force_v);
  result.C = outputs.take(result.program, e.C);
  return result;
}

}  // namespace

const ResidualProgram& ImplicitPrograms::residual(const System& system, ConstraintLevel level) {
  const std::scoped_lock lock(mutex_);
  auto& program = residual_[static_cast<std::size_t>(level)];
  if (!program) program = compile_residual(system.equations().continued(), level);
  return *program;
}

const JacobianProgram& ImplicitPrograms::jacobian(const System& system, ConstraintLevel level) {
  const std::scoped_lock lock(mutex_);
  auto& program = jacobian_[static_cast<std::size_t>(level)];
  if (!program) program = compile_jacobian(system.equations().continued(), level);
  return *program;
}

const MomentumProgram& ImplicitPrograms::momentum(const System& system) {
  const std::scoped_lock lock(mutex_);
  if (!momentum_) momentum_ = compile_momentum(system.equations().continued());
  return *momentum_;
}

bool mass_depends_on_velocity(const Equations& e) {
  const SymbolIndex velocities(e.v);
  for (const auto& entry : e.M.entries) {
    for (const Expr& symbol : symbols_in(entry.value)) {
      if (velocities.find(symbol.id()) != nullptr) return true;
    }
  }
  return false;
}

}  // namespace dalembert

#include <algorithm>
#include <cstddef>
#include <limits>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/system/kinematic_system.hpp>

namespace dalembert {
namespace {

using Eigen::Index;

std::vector<ProgramInput> inputs_of(const KinematicEquations& e, bool velocities) {
  std::vector<ProgramInput> inputs{{e.t, Stage::position}};
  for (const Expr& q : e.q) inputs.push_back({q, Stage::position});
  if (velocities) {
    for (const Coordinate& coordinate : e.model->coordinates)
      inputs.push_back({coordinate.v, Stage::velocity});
  }
  for (const Parameter& parameter : e.model->parameters) {
    inputs.push_back({parameter.symbol, Stage::constant});
  }
  for (const Input& input : e.model->inputs) {
    inputs.push_back({input.origin, Stage::constant});
    for (const Expr& coefficient : input.coefficients) inputs.push_back({coefficient, Stage::constant});
  }
  return inputs;
}

KinematicSystem::StateProgram compile_state(const KinematicEquations& e) {
  std::vector<Expr> expressions;
  for (const auto* list : {&e.f, &e.f_t}) expressions.insert(expressions.end(), list->begin(), list->end());
  expressions.push_back(e.c);
  for (const ExprMatrix* matrix : {&e.f_q, &e.C, &e.K}) {
    for (const auto& entry : matrix->entries) expressions.push_back(entry.value);
  }
  KinematicSystem::StateProgram p;
  p.program = compile(expressions, inputs_of(e, false));
  auto next = p.program.outputs.begin();
  for (auto* list : {&p.f, &p.f_t}) {
    list->assign(next, next + static_cast<std::ptrdiff_t>(e.f.size()));
    next += static_cast<std::ptrdiff_t>(e.f.size());
  }
  p.c = *next++;
  const auto take = [&](const ExprMatrix& matrix, std::vector<MatrixEntry>& entries) {
    for (const auto& entry : matrix.entries) entries.push_back({entry.row, entry.column, *next++});
  };
  take(e.f_q, p.f_q);
  take(e.C, p.C);
  take(e.K, p.K);
  return p;
}

// On the graph of the equations.
std::vector<Expr> outputs_of(const KinematicEquations& e) {
  std::vector<Expr> expressions;
  for (const NamedExpr& output : e.model->outputs)
    expressions.push_back(e.graph().at(output.expression.id()));
  return expressions;
}

}  // namespace

KinematicSystem::KinematicSystem(const Model& model) : equations_(derive_kinematics(model).continued()) {
  std::vector<Expr> outputs = outputs_of(equations_);
  insert_inputs(equations_, outputs);
  state_ = compile_state(equations_);
  outputs_ = compile(outputs, inputs_of(equations_, true));
  equations_.own->freeze();
}

std::unordered_map<NodeId, double> KinematicSystem::parameter_values(double t, bool before) const {
  std::unordered_map<NodeId, double> values;
  for (const Parameter& parameter : model().parameters) {
    values.emplace(parameter.symbol.id(), evaluate<double>(parameter.value, values));
  }
  for (const Input& input : model().inputs) {
    const PiecewiseCubic::Piece& piece = input.curve[input.curve.find(t, before)];
    values.emplace(input.origin.id(), piece.origin);
    for (std::size_t k = 0; k < piece.c.size(); ++k) values.emplace(input.coefficients[k].id(), piece.c[k]);
  }
  return values;
}

std::vector<double> KinematicSystem::given_positions() const {
  const auto values = parameter_values(0);
  std::vector<double> q;
  for (const Coordinate& coordinate : model().coordinates) {
    q.push_back(evaluate<double>(coordinate.position, values));
  }
  return q;
}

double KinematicSystem::next_knot(double t, bool before) const {
  double next = before ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  for (const Input& input : model().inputs) {
    const double knot = input.curve.next_knot(t, before);
    next = before ? std::max(next, knot) : std::min(next, knot);
  }
  return next;
}

KinematicEvaluation::KinematicEvaluation(const KinematicSystem& system, double t, bool before)
    : system_(&system),
      series_(system.state().program,
              evaluate_constants<double>(system.state().program, system.parameter_values(t, before)), 0) {
  const auto n = static_cast<Index>(system.n());
  const auto m = static_cast<Index>(system.m());
  f.setZero(m);
  f_t.setZero(m);
  f_q.setZero(m, n);
  K.setZero(m, m);
  C.setZero(n - 1 - m, n);
  rows_.setZero(n - 1, n);
}

void KinematicEvaluation::follow_inputs(double t, bool before) {
  const Program& program = system_->state().program;
  series_.set_constants(evaluate_constants<double>(program, system_->parameter_values(t, before)));
}

void KinematicEvaluation::eval(double t, std::span<const double> q) {
  const KinematicSystem::StateProgram& p = system_->state();
  series_.set(p.program.inputs[0], 0, t);
  for (std::size_t i = 0; i < q.size(); ++i) series_.set(p.program.inputs[1 + i], 0, q[i]);
  series_.run(Stage::position, 0);
  for (std::size_t j = 0; j < p.f.size(); ++j) {
    f[static_cast<Index>(j)] = series_.output(p.f[j], 0);
    f_t[static_cast<Index>(j)] = series_.output(p.f_t[j], 0);
  }
  c = series_.output(p.c, 0);
  for (const MatrixEntry& entry : p.f_q) f_q(entry.row, entry.column) = series_.output(entry.value, 0);
  for (const MatrixEntry& entry : p.C) C(entry.row, entry.column) = series_.output(entry.value, 0);
  for (const MatrixEntry& entry : p.K) K(entry.row, entry.column) = series_.output(entry.value, 0);
}

bool KinematicEvaluation::factor() {
  if (f_q.rows() == 0) return true;
  if (!f_q.allFinite()) return false;
  pseudo_inverse_.factor(f_q, policy::dependent_rows);
  return pseudo_inverse_.rank() == f_q.rows();
}

bool KinematicEvaluation::eval_velocity(bool with_K, std::span<double> velocity) {
  if (!factor()) return false;
  rows_ << f_q, C;
  Eigen::Map<Eigen::VectorXd> result(velocity.data(), static_cast<Index>(velocity.size()));
  result = c * vector_product(rows_);
  if (f_q.rows() > 0) {
    const Eigen::VectorXd wanted = with_K ? Eigen::VectorXd(K * f - f_t) : Eigen::VectorXd(-f_t);
    result += pseudo_inverse_.solve(wanted);
  }
  return result.allFinite();
}

bool KinematicEvaluation::eval_correction(std::span<double> change) {
  Eigen::Map<Eigen::VectorXd> result(change.data(), static_cast<Index>(change.size()));
  if (!factor()) return false;
  result.setZero();
  if (f_q.rows() > 0) result = -pseudo_inverse_.solve(f);
  return result.allFinite();
}

}  // namespace dalembert

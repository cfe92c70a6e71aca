#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/output/row.hpp>
#include <dalembert/tape/program.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

ConstraintForces constraint_forces(const Equations& equations) {
  const Equations e = equations.continued();
  std::vector<std::vector<Term>> terms(e.n());
  for (const auto& [row, column, value] : e.C.entries) terms[column].push_back({-1, value * e.lambda[row]});
  std::vector<Expr> forces;
  for (const std::vector<Term>& sum : terms) forces.push_back(e.graph().sum(sum));
  e.own->freeze();
  return {e.own, forces};
}

namespace {

std::vector<ProgramInput> inputs_of(const ModelData& model, Graph& graph) {
  std::vector<ProgramInput> inputs{{graph.at(model.time.id()), Stage::position}};
  for (const Coordinate& coordinate : model.coordinates) inputs.push_back({coordinate.q, Stage::position});
  for (const Coordinate& coordinate : model.coordinates) inputs.push_back({coordinate.v, Stage::velocity});
  if (model.kind != ModelKind::kinematic) {
    for (const Coordinate& coordinate : model.coordinates)
      inputs.push_back({coordinate.a, Stage::acceleration});
    for (const auto* constraints : {&model.holonomic, &model.nonholonomic}) {
      for (const Constraint& constraint : *constraints)
        inputs.push_back({constraint.lambda, Stage::acceleration});
    }
  }
  for (const Input& input : model.inputs) {
    for (const Expr& derivative : input.derivatives) inputs.push_back({derivative, Stage::position});
  }
  for (const Parameter& parameter : model.parameters) inputs.push_back({parameter.symbol, Stage::constant});
  return inputs;
}

}  // namespace

RowProgram::RowProgram(const Model& described, std::vector<Column> wanted, const ConstraintForces& forces)
    : model(described), columns(std::move(wanted)) {
  const std::vector<NamedExpr> view = view_expressions(*model);
  std::vector<Expr> expressions;
  for (const Column& column : columns) {
    if (column.group == ColumnGroup::force) expressions.push_back(forces.expressions.at(column.index));
    if (column.group == ColumnGroup::view) expressions.push_back(view.at(column.index).expression);
    const bool follows = !runs.empty() && runs.back().group == column.group &&
                         runs.back().first + runs.back().count == column.index;
    if (!follows) runs.push_back({column.group, column.index, 0});
    ++runs.back().count;
  }
  if (expressions.empty()) return;
  const auto graph = std::make_shared<Graph>(forces.graph ? forces.graph : model->graph);
  program = compile(expressions, inputs_of(*model, *graph));
  program.graph = graph;
}

template <class S>
std::unordered_map<NodeId, S> parameter_values(const ModelData& model) {
  std::unordered_map<NodeId, S> values;
  for (const Parameter& parameter : model.parameters)
    values.emplace(parameter.symbol.id(), evaluate<S>(parameter.value, values));
  return values;
}

// Values of the program at samples.
template <class S>
class RowFiller<S>::Expressions {
 public:
  Expressions(const RowProgram& row, const std::unordered_map<NodeId, S>& parameters)
      : inputs_(row.model->inputs),
        program_(&row.program),
        values_(row.program, evaluate_constants<S>(row.program, parameters), 0) {}

  void eval(const Sample<S>& sample) {
    std::size_t input = 0;
    const auto set = [&](const S& value) { values_.set(program_->inputs[input++], 0, value); };
    set(sample.t);
    for (const auto& part : {sample.q, sample.v, sample.a, sample.lambda}) {
      for (const S& value : part) set(value);
    }
    for (const Input& one : inputs_) {
      const auto t = static_cast<double>(sample.t);
      for (std::size_t k = 0; k < one.derivatives.size(); ++k) set(S(one.curve.eval(t, static_cast<int>(k))));
    }
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) values_.run(stage, 0);
  }
  S get(std::size_t i) const { return values_.output(program_->outputs[i], 0); }

 private:
  const std::vector<Input>& inputs_;
  const Program* program_;
  Series<S> values_;
};

template <class S>
RowFiller<S>::RowFiller(std::shared_ptr<const RowProgram> program,
                        const std::unordered_map<NodeId, S>& parameters)
    : program_(std::move(program)), row_(program_->columns.size(), S(0)) {
  if (!program_->program.outputs.empty()) expressions_ = std::make_unique<Expressions>(*program_, parameters);
}

template <class S>
RowFiller<S>::RowFiller(const Model& model, std::vector<Column> columns, const ConstraintForces& forces)
    : RowFiller(std::make_shared<const RowProgram>(model, std::move(columns), forces),
                parameter_values<S>(*model)) {}

template <class S>
RowFiller<S>::~RowFiller() = default;

template <class S>
std::span<const S> RowFiller<S>::fill(const Sample<S>& sample) {
  using enum ColumnGroup;
  if (expressions_) expressions_->eval(sample);
  // in the order of ColumnGroup; t, energies and expressions are not spans of a sample
  const std::array<S, 4> energies{sample.kinetic, sample.potential, sample.energy, sample.work};
  const std::span<const S> none;
  const std::array<std::span<const S>, 10> parts{std::span<const S>(&sample.t, 1),
                                                 sample.q,
                                                 sample.v,
                                                 sample.a,
                                                 sample.lambda,
                                                 none,
                                                 sample.outputs,
                                                 energies,
                                                 sample.position_residual,
                                                 sample.velocity_residual};
  std::size_t expression = 0;
  S* place = row_.data();
  for (const auto [group, first, count] : program_->runs) {
    if (group == force || group == view) {
      for (std::size_t i = 0; i < count; ++i) *place++ = expressions_->get(expression++);
    } else {
      const std::span<const S> part = parts[static_cast<std::size_t>(group)].subspan(first, count);
      for (const S& value : part) *place++ = value;
    }
  }
  return row_;
}

template class RowFiller<double>;
template class RowFiller<Real>;

template std::unordered_map<NodeId, double> parameter_values(const ModelData&);
template std::unordered_map<NodeId, Real> parameter_values(const ModelData&);

}  // namespace dalembert

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

std::vector<Expr> constraint_forces(const Equations& e) {
  std::vector<std::vector<Term>> terms(e.n());
  for (const auto& [row, column, value] : e.C.entries) terms[column].push_back({-1, value * e.lambda[row]});
  std::vector<Expr> forces;
  for (const std::vector<Term>& sum : terms) forces.push_back(e.graph().sum(sum));
  return forces;
}

// Expressions of t, q, v, a, λ, evaluated at samples.
template <class S>
class RowFiller<S>::Expressions {
 public:
  Expressions(const ModelData& model, const std::vector<Expr>& expressions)
      : program_(compile(expressions, inputs_of(model))),
        values_(program_, evaluate_constants<S>(program_, parameters_of(model)), 0) {}

  void eval(const Sample<S>& sample) {
    std::size_t input = 0;
    const auto set = [&](const S& value) { values_.set(program_.inputs[input++], 0, value); };
    set(sample.t);
    for (const auto& part : {sample.q, sample.v, sample.a, sample.lambda}) {
      for (const S& value : part) set(value);
    }
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) values_.run(stage, 0);
  }
  S get(std::size_t i) const { return values_.output(program_.outputs[i], 0); }

 private:
  static std::vector<ProgramInput> inputs_of(const ModelData& model) {
    std::vector<ProgramInput> inputs{{model.time, Stage::position}};
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
    for (const Parameter& parameter : model.parameters) inputs.push_back({parameter.symbol, Stage::constant});
    return inputs;
  }
  static std::unordered_map<NodeId, S> parameters_of(const ModelData& model) {
    std::unordered_map<NodeId, S> values;
    for (const Parameter& parameter : model.parameters)
      values.emplace(parameter.symbol.id(), evaluate<S>(parameter.value, values));
    return values;
  }

  static constexpr int lanes = std::is_same_v<S, double> ? native_lanes : 1;
  Program program_;
  Series<S, lanes> values_;
};

template <class S>
RowFiller<S>::RowFiller(const Model& model, std::vector<Column> columns, const std::vector<Expr>& forces)
    : columns_(std::move(columns)), row_(columns_.size(), S(0)) {
  const std::vector<NamedExpr> view = view_expressions(*model);
  std::vector<Expr> wanted;
  for (const Column& column : columns_) {
    if (column.group == ColumnGroup::force) wanted.push_back(forces.at(column.index));
    if (column.group == ColumnGroup::view) wanted.push_back(view.at(column.index).expression);
    const bool follows = !runs_.empty() && runs_.back().group == column.group &&
                         runs_.back().first + runs_.back().count == column.index;
    if (!follows) runs_.push_back({column.group, column.index, 0});
    ++runs_.back().count;
  }
  if (!wanted.empty()) expressions_ = std::make_unique<Expressions>(*model, wanted);
}

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
  for (const auto [group, first, count] : runs_) {
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

}  // namespace dalembert

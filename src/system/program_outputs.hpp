// How sets of expressions become programs with named outputs.
#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/derive/equations.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

enum class Inputs { position, velocity, all };

// t, q, v, a, λ in this order as far as wanted, then the parameters.
inline std::vector<ProgramInput> inputs_of(const Equations& e, Inputs wanted) {
  std::vector<ProgramInput> inputs{{e.t, Stage::position}};
  for (const Expr& q : e.q) inputs.push_back({q, Stage::position});
  if (wanted != Inputs::position) {
    for (const Expr& v : e.v) inputs.push_back({v, Stage::velocity});
  }
  if (wanted == Inputs::all) {
    for (const Expr& a : e.a) inputs.push_back({a, Stage::acceleration});
    for (const Expr& lambda : e.lambda) inputs.push_back({lambda, Stage::acceleration});
  }
  for (const Parameter& parameter : e.model->parameters)
    inputs.push_back({parameter.symbol, Stage::constant});
  for (const HeldSign& sign : e.model->held_signs) inputs.push_back({sign.symbol, Stage::constant});
  return inputs;
}

// Collects expressions for one compilation and hands their outputs out again in the same order.
class Outputs {
 public:
  void add(const std::vector<Expr>& expressions) {
    expressions_.insert(expressions_.end(), expressions.begin(), expressions.end());
  }
  void add(const ExprMatrix& matrix) {
    for (const auto& entry : matrix.entries) expressions_.push_back(entry.value);
  }
  Program compile(const Equations& e, Inputs wanted) const {
    Program program = dalembert::compile(expressions_, inputs_of(e, wanted));
    program.graph = e.own;
    return program;
  }
  std::vector<Scaled> take(const Program& program, std::size_t count) {
    const auto first = program.outputs.begin() + static_cast<std::ptrdiff_t>(taken_);
    taken_ += count;
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<MatrixEntry> take(const Program& program, const ExprMatrix& matrix) {
    std::vector<MatrixEntry> entries;
    for (const auto& entry : matrix.entries) {
      entries.push_back({entry.row, entry.column, program.outputs[taken_++]});
    }
    return entries;
  }

 private:
  std::vector<Expr> expressions_;
  std::size_t taken_ = 0;
};

}  // namespace dalembert

// The stage of each sub-expression: the latest stage of the inputs that it depends on.
#pragma once

#include <span>
#include <unordered_map>

#include <dalembert/tape/program.hpp>

namespace dalembert {

class Stages {
 public:
  explicit Stages(std::span<const ProgramInput> inputs);

  /// Marks all that `roots` are made of; a symbol that is no input is an Error.
  void visit(std::span<const Expr> roots);
  Stage of(Expr e);
  bool is_constant(Expr e) { return of(e) == Stage::constant; }

 private:
  std::unordered_map<NodeId, Stage> stages_;
};

}  // namespace dalembert

// A program under construction: never the same instruction twice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/tape/program.hpp>

namespace dalembert {

/// coefficient · register while compiling: constant factors cost no instruction until they must. Without a
/// register it is the coefficient alone.
struct Multiple {
  Expr coefficient;
  Register x = no_register;
  bool is_constant() const { return x == no_register; }
};

class Emitter {
 public:
  using Terms = std::vector<std::pair<Expr, Register>>;

  explicit Emitter(Graph& graph);

  Stage stage(Register x) const { return program_.register_stages[x]; }
  ConstantId constant(Expr e);
  Register input(const ProgramInput& input);

  /// An expression that a register holds.
  Expr meaning(Register x) const { return program_.meaning[x]; }

  /// Adds an instruction, given its operation, operands and exponent, or finds the same one.
  Register emit(Instruction instruction, Expr meaning, Expr second_meaning = {});
  static Register second_result(Register result) { return result + 1; }

  /// bias + Σ coefficient · register, in a register.
  Register linear(Expr meaning, Expr bias, Terms terms);
  /// The same as a multiple of a combination that exists, or in a register of its own.
  Multiple multiple_of_linear(Expr meaning, Expr bias, Terms terms);
  /// A register that holds the value itself, its coefficient multiplied in.
  Register in_register(Expr meaning, const Multiple& v);

  void output(const Multiple& v) { program_.outputs.push_back({constant(v.coefficient), v.x}); }
  Program finish();

 private:
  using LinearKey = std::vector<std::uint64_t>;
  using InstructionKey = std::tuple<Op, Register, Register, Register, ConstantId>;
  struct Known {
    Rational scale;
    Register x;
  };

  Register new_register(Stage stage, Expr meaning);
  void sort_into_levels();
  void list_parameters();

  Graph& graph_;
  Program program_;
  std::unordered_map<NodeId, ConstantId> constant_ids_;
  std::map<InstructionKey, Register> emitted_;
  std::map<LinearKey, Register> emitted_linear_;
  std::map<LinearKey, Known> up_to_scale_;
};

}  // namespace dalembert

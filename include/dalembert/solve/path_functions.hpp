// Functions of the motion that are followed along the steps of runs: compiled once, for all runs of a model
// and all threads.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dalembert/expr/flat_expressions.hpp>
#include <dalembert/expr/graph.hpp>
#include <dalembert/model/model.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/program.hpp>
#include <dalembert/tape/series_plan.hpp>

namespace dalembert {

struct PathFunctions {
  /// Expressions of t, q, v, a, parameters, coefficients of inputs (input_curves()) and the multipliers of
  /// constraints and contacts; those of what does not act are zero. `graph` is frozen and continues the
  /// model's; null: the model's.
  PathFunctions(const Model& described, std::shared_ptr<const Graph> graph, std::span<const Expr> functions);
  PathFunctions(const PathFunctions&) = delete;
  PathFunctions& operator=(const PathFunctions&) = delete;

  std::size_t size() const { return program.outputs.size(); }
  std::size_t input_q() const { return 1; }
  std::size_t input_v() const { return 1 + coordinates; }
  std::size_t input_a() const { return 1 + 2 * coordinates; }
  std::size_t input_lambda() const { return 1 + 3 * coordinates; }
  /// Which of a system's multipliers an input is, by the names of constraints; none: it does not act.
  std::vector<std::size_t> rows_in(const System& system) const;
  static constexpr std::size_t no_row = static_cast<std::size_t>(-1);

  std::size_t coordinates;
  std::vector<std::string> multipliers;  ///< names of constraints and contacts, by input
  Program program;
  FlatExpressions constants;           ///< of `program`
  std::vector<bool> of_accelerations;  ///< by function
  /// x, or x − y, whose change of sign is a kink or a jump of a function.
  struct Argument {
    Register x, y = no_register;
    bool of_accelerations = false;
  };
  std::vector<std::vector<Argument>> arguments;               ///< by function
  std::shared_ptr<const SeriesPlan> series_plan, value_plan;  ///< of `program`
};

}  // namespace dalembert

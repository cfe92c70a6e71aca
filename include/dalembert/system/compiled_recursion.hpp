// The recursion of an Expansion by compiled code, in place of the interpreter.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/codegen/expansion_code.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

/// The text of the recursion of a system with these active constraints.
ExpansionSource expansion_source(const System& system, std::span<const std::size_t> active);

class CompiledRecursion {
 public:
  /// The code was made from expansion_source() of the same system and constraints. solve(host, k) solves with
  /// `right`, the right-hand side.
  CompiledRecursion(std::shared_ptr<const ExpansionCode> code, int max_order, double* right, void* host,
                    const double* (*solve)(void*, int));

  /// Works on the numbers of this series from now on.
  void set(Series<double>& series);
  /// The values of order 0 of the position or velocity stage.
  void evaluate(Series<double>& series, Stage stage);
  /// The accelerations and multipliers at the values of order 0. False: the interpreter must find them.
  bool start(Series<double>& series);
  /// The orders behind, after start() or what the interpreter does for it. All coefficients of q, v, a and λ
  /// come to `polynomials` too, [order][of all of them], through `order` − 1 of a.
  void rest(Series<double>& series, int order, double* polynomials);

  /// The matrix at the values of order 0, in columns of whole blocks of eight numbers.
  void fill_matrix(Series<double>& series, double* columns);
  /// sum += C x, and C v + c, of the active constraints at the values of order 0, after evaluate().
  void add_constraint_product(std::span<const double> x, std::span<double> sum) const;
  void eval_velocity_residual(std::span<double> residual) const;

  /// How orders are solved for from now on: by products with an inverse (LinearSolver::inverse_columns),
  /// those below `refined` with one step of refinement; without an inverse all by solve().
  void set_inverse(const double* inverse, int refined) {
    memory_.inverse = inverse;
    memory_.solved_by_host = inverse == nullptr ? std::numeric_limits<int>::max() : 0;
    memory_.refined = refined;
  }

 private:
  std::shared_ptr<const ExpansionCode> code_;
  std::vector<Lanes<8>> work_;  // for its alignment
  std::vector<double> reciprocals_;
  ExpansionMemory memory_;
};

}  // namespace dalembert

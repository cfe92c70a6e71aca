// The equations of motion as an implicit system F(t, y, y') = 0 for multistep methods.
//
//   index1   y = (q, v, λ)      q' = v          M v' = f − Dᵀ λ   C v' = γ         (6) in [zaatri2018]
//   index2   y = (q, v, λ)      q' = v          M v' = f − Dᵀ λ   C v + c = 0
//   ggl      y = (q, v, λ, μ)   q' = v − Gᵀ μ   M v' = f − Dᵀ λ   C v + c = 0   g = 0
//   [gearguptaleimkuhler1985]
//
// All are of the form V(t, y) y' = f(t, y) with a singular V; index1 has V = [I; M; C]. Only independent
// constraints count. Newton's matrix ∂F/∂y + α ∂F/∂y' is exact except for ∂(Gᵀ μ)/∂q, which vanishes with μ.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/solve/solve.hpp>
#include <dalembert/system/implicit_programs.hpp>
#include <dalembert/system/row_choice.hpp>
#include <dalembert/system/value_tape.hpp>

#include "multistep/newton_matrix.hpp"

namespace dalembert {

enum class IndexForm { index1, index2, ggl };

/// Empty: `otherwise`. Throws Error with the nearest name.
IndexForm find_index_form(std::string_view name, IndexForm otherwise = IndexForm::index1);

class MotionDae {
 public:
  MotionDae(const Problem& problem, IndexForm form);

  /// Chooses other rows of redundant constraints where those are much better at a state; λ in y becomes that
  /// of the new rows, and the matrix must be factored anew. True: it did.
  bool improve_rows(double t, std::span<double> y);

  IndexForm form() const { return form_; }
  std::size_t size() const { return 2 * n_ + active_.size() + mu_; }
  std::size_t n() const { return n_; }

  /// Consistent y and y' (of q and v; the others' are zero).
  void eval_start(std::span<double> y, std::span<double> dydt) const;

  void eval_residual(double t, std::span<const double> y, std::span<const double> dydt, std::span<double> F);

  /// Factors ∂F/∂y + α ∂F/∂y'; false when it is singular.
  bool factor(double t, std::span<const double> y, std::span<const double> dydt, double alpha);
  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<double> x) { matrix_.solve(x); }

  double alpha() const { return alpha_; }  ///< of the factored matrix
  /// How stiff the forces are for the step of the factored matrix: |∂r/∂q| + α |∂r/∂v| beside α² |M|, of the
  /// worst row.
  double stiffness() const { return stiffness_; }
  bool stiff() const { return stiffness_ > 1; }
  /// e becomes (∂F/∂y + α ∂F/∂y')⁻¹ α ∂F/∂y' e for the factored matrix, with all of (∂F/∂y + α ∂F/∂y') e in
  /// rows without y': e where nothing is stiff. Along stiff springs q has died out to what balances them and
  /// v is its derivative: an error there is damped.
  void filter(std::span<double> e);
  /// Whether that is worth its cost.
  bool filters() const { return stiffness_ > 0.1; }

 private:
  void set_inputs(ValueTape& tape, double t, std::span<const double> y, std::span<const double> dydt);
  void add_correction(std::span<const double> y, std::span<double> F);
  void place_rows();
  void add_contributions();
  double eval_stiffness();
  void filter_constraint_rows(std::span<const double> e);

  IndexForm form_;
  const Problem* problem_;
  std::size_t n_;
  RowChoice rows_;
  std::vector<std::size_t> active_;
  std::vector<std::size_t> active_row_;  // of each constraint, or active_.size()
  std::size_t mu_ = 0;                   // active holonomic constraints in ggl, which come first
  const ResidualProgram& residual_program_;
  const JacobianProgram& jacobian_program_;
  ValueTape residual_;
  ValueTape jacobian_;
  std::unique_ptr<ValueTape> dynamics_;   // g and G, for ggl
  std::vector<double> lambda_;            // of all constraints
  std::vector<std::size_t> diagonal_;     // places of α
  std::vector<std::size_t> minus_one_;    // places of −1
  std::vector<Contribution> plain_;       // added as they are
  std::vector<Contribution> with_alpha_;  // added times α
  NewtonMatrix matrix_;
  double alpha_ = 0;  // of the factored matrix
  double stiffness_ = 0;
  std::vector<double> filtered_, row_forces_, row_inertia_;
};

}  // namespace dalembert

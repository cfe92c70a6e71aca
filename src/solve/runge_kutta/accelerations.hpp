// Accelerations and multipliers at a state, from the index-1 form
//
//   [ M  Cᵀ ] [ a ]   [ f ]
//   [ C  0  ] [ λ ] = [ γ ]
//
// and projections onto the constraints with the same matrix; in doubles, without allocation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/system/kkt/tape_saddle_system.hpp>
#include <dalembert/system/multiplier_sizes.hpp>
#include <dalembert/system/row_choice.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert {

/// Baumgarte's gains, C a = γ − 2 α (C v + c) − β² g; or what a step holds, C a = γ − held, by constraint.
struct BaumgarteTerms {
  double alpha = 0;
  double beta = 0;
  std::span<const double> held = {};
};

class Accelerations {
 public:
  /// `active` lists independent constraints; λ of the others is zero.
  Accelerations(const System& system, std::span<const std::size_t> active);

  /// Chooses other rows of redundant constraints where those are much better at a state. True: it did.
  bool improve_rows(double t, std::span<const double> q, std::span<const double> v);
  /// The constraints that count, and how often others were chosen.
  const RowChoice& rows() const { return rows_; }
  std::size_t choices() const { return choices_; }

  /// Fills a and λ. False: the matrix is singular at this state.
  bool eval(double t, std::span<const double> q, std::span<const double> v, const BaumgarteTerms& terms = {});

  std::span<const double> a() const { return {solution_.data(), n_}; }
  std::span<const double> lambda() const { return lambda_; }  ///< of all m constraints

  /// Moves q and v onto g = 0 and C v + c = 0, as little as possible in the norm of M. False: it cannot.
  bool project(double t, std::span<double> q, std::span<double> v);

  /// Moves to a state and factors its matrix, for the two below. False: it is singular.
  bool place(double t, std::span<const double> q, std::span<const double> v);
  /// Solves [M Dᵀ; C 0] x = rhs in place.
  void solve(std::span<double> rhs) { matrix_.solve(rhs); }
  /// sum += C x, for the active constraints.
  void add_constraint_product(std::span<const double> x, std::span<double> sum) const;
  /// xᵀ M x beside Σ |M_ij x_i x_j|.
  double inertia_share(std::span<const double> x) const;

  /// Of the state of the last eval(): (|f| + |D|ᵀ |λ| + |M| |a|) by the inertia, of which an acceleration may
  /// be the small difference; 0 for coordinates without inertia.
  void eval_force_scale(std::span<double> scale);
  /// Forces by the inertia at the state of the last eval(); 0 for coordinates without inertia.
  void divide_by_inertia(std::span<double> forces);

  static const char* singular_reason() {
    return "the matrix [M Dᵀ; C 0] is singular here: constraints become dependent, or a motion that they "
           "allow has no inertia";
  }
  static const char* projection_reason() {
    return "the projection onto the constraints does not converge; a shorter step may help";
  }

 private:
  struct Source {  // coefficient · register
    double coefficient;
    Register x;
    double get(const ValueTape& tape) const { return coefficient * tape.get(x); }
  };
  Source source(const Scaled& value) const;
  const SaddlePattern& pattern() const { return matrix_.pattern(); }
  auto values() const {
    return [this](const Scaled& value) { return tape_.value(value); };
  }
  void place_rows();
  void put_position(double t, std::span<const double> q);
  void set_position(double t, std::span<const double> q);
  void set_velocity(std::span<const double> v);
  bool is_at(double t, std::span<const double> q) const;
  bool factor();
  void eval_constraint_residual(std::span<const double> v);
  bool add_sizes();
  void share_inertia();
  double correct(std::span<double> x);

  const System* system_;
  std::size_t n_;
  ValueTape tape_;
  double t_ = 0;
  std::vector<double> inertia_, shared_inertia_;
  std::vector<double> q_;                  // the present position
  std::vector<Source> f_, c_, g_, gamma_;  // of the active constraints; g of nonholonomic ones is zero
  bool matrix_depends_on_v_ = false;
  bool factored_ = false;  // at the present position
  TapeSaddleSystem matrix_;
  RowChoice rows_;
  std::size_t choices_ = 0;
  std::vector<double> solution_, residual_, lambda_;
  MultiplierSizes sizes_;
  std::vector<double> columns_;  // of the sizes
};

}  // namespace dalembert

// One Adomian expansion of a constrained system: the coefficients of q, v, a, λ at a point, by the recursion
// (31)–(38) of [benhammouda2022] written for coefficients, with one constant matrix:
//
//   [ M₀  D₀ᵀ ] [ a_k ]   [ f_k − Σ_{j=1..k} ( M_j a_{k−j} + D_jᵀ λ_{k−j} )       ]
//   [ C₀  0   ] [ λ_k ] = [ −(k+1) ( Σ_{j=1..k+1} C_j v_{k+1−j} + c_{k+1} )        ]
//
//   v_{k+1} = a_k/(k+1),   q_{k+2} = v_{k+1}/(k+2)
//
// D is C unless forces depend on multipliers; it may depend on velocities. Where they depend on sizes of
// multipliers, MultiplierSizes tells what follows.
//
// Instructions that depend on q and t alone run one order ahead of the others, because C_{k+1} and c_{k+1}
// need q only through order k + 1.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <dalembert/system/compiled_recursion.hpp>
#include <dalembert/system/expansion_program.hpp>
#include <dalembert/system/kkt/saddle_system.hpp>
#include <dalembert/system/lane_constants.hpp>
#include <dalembert/system/lanes_recursion.hpp>
#include <dalembert/system/multiplier_sizes.hpp>
#include <dalembert/system/sliding.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S>
class Expansion {
 public:
  /// Solves for each matrix, where nobody counts them: so many that solves decide, not factors.
  static constexpr int many = 1000;

  /// `active` lists the constraints that count, independent ones; λ of the others is zero. Room for a through
  /// `max_order` − 1, v through max_order, q through max_order + 1.
  /// `parameters`: a set for every lane; none: the model's own. A team shares the work of large systems; it
  /// must outlive the expansion. `solves`: right-hand sides for each matrix, about.
  Expansion(const System& system, std::span<const std::size_t> active, int max_order,
            std::span<const ParameterValues> parameters = {}, Team* team = nullptr, int solves = many);

  int max_order() const { return max_order_; }

  /// Other values of the parameters, as for the constructor, from the next set_position() on.
  void set_parameters(std::span<const ParameterValues> parameters);

  /// Other constraints, as many, count from the next factor() on.
  void choose_rows(std::span<const std::size_t> active);

  /// Holds every call that has branches to one (Series::hold_side), in the order of System::switches():
  /// −1, 0, 1. A sign may be `sliding`: its argument stays what it is, and its value is the unknown that
  /// keeps it there (Sliding).
  static constexpr int sliding = 2;
  void hold_sides(std::span<const int> sides);
  /// Coefficient k of the value of call i of System::switches(), below the order of the expansion.
  const S& branch_value(std::size_t i, int k) const {
    return series_.get(system_->switches().calls[i].call, k);
  }
  /// Whether the signs that slide do so: they enter the forces linearly, and the forces can hold them.
  bool can_slide() const { return !sliding_ || sliding_->is_possible(); }
  /// Sliding::drives_apart() of those that slide: they would, but nothing holds them there.
  bool drives_apart(double direction) const {
    if constexpr (LaneMath<S>::lanes > 1) {
      return false;
    } else {
      return !slides_.empty() && sliding_->drives_apart(direction);
    }
  }
  /// The series of the program's registers: ExpansionProgram.
  const Series<S>& series() const { return series_; }

  /// Series::set_largest().
  void set_largest(double largest) {
    series_.set_largest(largest);
    is_limited_ = std::isfinite(largest);
  }

  /// Sets the point and evaluates M, C, c (order 0, positions only when M does not depend on v).
  void set_position(const S& t, std::span<const S> q);
  void set_velocity(std::span<const S> v);
  /// Sets v alone; enough for eval_velocity_residual().
  void place_velocity(std::span<const S> v);
  /// Factors [M Dᵀ; C 0] at the point; false when it is singular to working precision.
  bool factor();
  /// Of the present factor, to be compared with those at other points.
  double smallest_pivot() const { return matrix_.smallest_pivot(); }
  bool is_sparse() const { return matrix_.is_sparse(); }

  /// ln of the relative error that is allowed. The first orders are solved for with iterative refinement, in
  /// doubles, where their last digits count.
  void set_tolerance(double log_tolerance) { log_tolerance_ = log_tolerance; }

  /// The next factor() does not depend on earlier ones.
  void forget_order() {
    matrix_.forget_order();
    has_factor_ = false;
  }

  /// g and C v + c of the active constraints at the point, for projection and for the residuals.
  void eval_position_residual(std::span<S> g) const;
  void eval_velocity_residual(std::span<S> residual) const;
  /// sum += C x, for the active constraints.
  void add_constraint_product(std::span<const S> x, std::span<S> sum) const;
  /// xᵀ M x beside Σ |M_ij x_i x_j| at the point: rounding errors for a motion without inertia. Of lanes, the
  /// least.
  double inertia_share(std::span<const S> x) const;
  /// ( |f| + |Dᵀ| |λ| + |M| |a| )_i / |M_ii| at the point, after expand_start(): accelerations are known to
  /// as many digits of this as f has. Zero where M_ii is.
  void eval_force_scale(std::span<S> scale);
  /// Σ_j C_ij² / |M_jj| of the active constraints at the point, over the coordinates with inertia.
  void eval_row_sizes(std::span<S> squares);
  /// x becomes its part in the kernel of C, orthogonal to the rest in the metric of M, by the present factor.
  void keep_tangent_part(std::span<S> x);
  /// λ from accelerations that are known, M a + Dᵀ λ = f, with the present factor: near a singular
  /// configuration the accelerations of a smooth motion are known better than C a = γ tells them.
  void solve_multipliers(std::span<const S> a);
  /// Solves [M Dᵀ; C 0] [x; y] = rhs in place with the present factor; rhs has n + active entries, or those
  /// of several right-hand sides.
  void solve(std::span<S> rhs);

  /// From the next expand_start() on compiled code does what the interpreter would, in doubles; made from
  /// expansion_source() with these constraints.
  void use_code(std::shared_ptr<const ExpansionCode> code);
  bool has_code() const { return compiled_ != nullptr; }
  bool has_lanes_code() const { return in_lanes_ != nullptr; }

  /// The same for the orders behind the first, in lanes; made from lanes_source() with these constraints.
  void use_code(std::shared_ptr<const LanesCode> code);

  /// The recursion, after factor(): coefficients through `order`.
  void expand(int order);
  /// The accelerations and multipliers alone: the recursion's first step, k = 0.
  void expand_start() {
    started_by_code_ = compiled_ && slides_.empty() && !sizes_ && !is_limited_;
    if constexpr (std::is_same_v<S, double>) {
      if (started_by_code_) {
        compiled_->set_inverse(matrix_.inverse_columns(), refines() ? refined_orders : 0);
        started_by_code_ = compiled_->start(series_);
      }
      if (started_by_code_) return;
    }
    expand_order(0);
  }
  /// The recursion from order 1 on, after expand_start(). `rows` becomes coefficients() of all orders through
  /// order + 1, one after the other, as far as they are known.
  void expand_rest(int order, std::span<S> rows) {
    if constexpr (LaneMath<S>::lanes > 1) {
      if (by_lanes_code(order)) return copy_coefficients(order, rows);
    }
    if constexpr (std::is_same_v<S, double>) {
      if (started_by_code_) {
        rows_of_code_ = rows.data();
        return compiled_->rest(series_, order, rows.data());
      }
    }
    for (int k = 1; k < order; ++k) expand_order(k);
    copy_coefficients(order, rows);
  }

  /// After expand_rest(order): the coefficients of all registers, of which compiled code keeps some, and of
  /// q, v, a and λ, which it puts into `rows` alone.
  void complete_registers(int order);

  /// Coefficient k of all coordinates, velocities, accelerations, multipliers (of all m constraints).
  std::span<const S> q(int k) const { return series_.inputs(system_->input_q(0), n_, k); }
  std::span<const S> v(int k) const { return series_.inputs(system_->input_v(0), n_, k); }
  std::span<const S> a(int k) const { return series_.inputs(system_->input_a(0), n_, k); }
  std::span<const S> lambda(int k) const { return series_.inputs(system_->input_lambda(0), m_, k); }

  /// Coefficient k of q, v, a, λ, one after the other.
  std::span<const S> coefficients(int k) const { return series_.inputs(system_->input_q(0), 3 * n_ + m_, k); }

  std::size_t active_count() const { return pattern().rows(); }
  std::size_t convolution_count() const { return series_.convolution_count(); }

 private:
  // The first orders, to which refines() applies: errors of a_0 go into all later ones, those of a_k are
  // divided by k + 1 and by powers of the step. Chosen, not measured.
  static constexpr int refined_orders = 3;
  const SaddlePattern& pattern() const { return matrix_.pattern(); }
  // Of M, C at the point.
  auto values() const {
    return [this](const Scaled& value) { return series_.output(value, 0); };
  }
  void place_rows();
  bool factor_again();
  void evaluate(Stage stage);
  void expand_order(int k);
  // Which row of C belongs to coordinate i where threads share both.
  std::size_t row_at(std::size_t i) const { return n_ == 0 ? pattern().rows() : pattern().rows() * i / n_; }
  // A second use must not take it out of the loop over the orders.
  [[gnu::always_inline]] inline void solve_order(int k);
  [[gnu::always_inline]] inline const S* solve_right_side(int k);
  void set_sliding_sign(std::size_t i, int k, const S& value);
  void find_sliding_columns();
  [[gnu::noinline]] void slide_at_start();
  [[gnu::noinline]] void slide(int k);
  [[gnu::noinline]] void add_sizes(int k);
  // With the loop that threads may share inside: a call per order costs as much as a small system's loop.
  [[gnu::flatten]] void sum_right_sides(int k);
  [[gnu::flatten]] void keep_solution(const S* solution, int k);
  void copy_coefficients(int order, std::span<S> rows) const;
  void take_back_coefficients(int order);
  bool by_lanes_code(int order);
  bool refines() const;
  const S* refined(const S* solution);
  void subtract_product(std::size_t i, const S& x, const S& y);

  const System* system_;
  Team* team_;
  int solves_;
  std::size_t n_;
  std::size_t m_;
  int max_order_;
  const ExpansionProgram* program_;
  Series<S> series_;  // M, f, C, c, g and the sums of the recursion
  SaddleSystem<S> matrix_;
  std::vector<S> reciprocals_;  // 1 / k
  std::vector<int> switch_directions_;
  std::vector<std::size_t> slides_;              // calls of System::switches() that lead others or themselves
  std::unique_ptr<Sliding<S>> sliding_;          // made when it is needed first
  std::unique_ptr<MultiplierSizes> sizes_;       // none: no force depends on them
  std::vector<S> size_columns_;                  // Z
  std::unique_ptr<CompiledRecursion> compiled_;  // none: the interpreter does it
  std::unique_ptr<LanesRecursion<S>> in_lanes_;  // the same
  bool started_by_code_ = false;                 // the present expansion
  const S* rows_of_code_ = nullptr;              // where compiled code has put its coefficients
  bool is_limited_ = false;                      // by set_largest()
  bool has_constant_matrix_ = false;             // until other parameters are set
  bool has_factor_ = false;                      // of that
  double log_tolerance_ = 0;
  std::vector<S> rows_;                          // of expand(): coefficients that nobody asked for
  std::vector<S> solution_, lost_;               // n + active: refined; what rhs_ lost when it was summed
  std::vector<S> inertia_;                       // M_ii
  std::vector<S> rhs_;                           // n + active
  std::vector<std::size_t> force_, constraint_;  // places of the sums of the recursion in a row
};

extern template class Expansion<double>;
extern template class Expansion<Real>;
extern template class Expansion<Rational>;
extern template class Expansion<Lanes<4>>;
extern template class Expansion<Lanes<8>>;

}  // namespace dalembert

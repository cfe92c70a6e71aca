// One step of the multistage Adomian method: expand, choose order and step, evaluate, project, check.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/base/team.hpp>
#include <dalembert/solve/size_math.hpp>
#include <dalembert/solve/step_polynomials.hpp>
#include <dalembert/system/expansion.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

struct StepSettings {
  double log_tolerance;  ///< ln of the relative error allowed per step
  double duration = 0;   ///< of the run; 0: not known
  int fixed_order = 0;   ///< 0: chosen by cost
  bool project = true;
  bool may_be_compiled = false;  ///< room for the orders that pay with compiled code
  int threads = 1;  ///< that share the work of a step in doubles, if it is enough; the results are the same
};

/// How many threads to use for a system: as many as `wanted` (0: as this machine has), 1 where the system is
/// so small that they do not pay.
int threads_for(const System& system, int wanted);

template <class S>
class EnclosureGuard;

template <class S>
class AdomianStep {
 public:
  /// `parameters` as for Expansion.
  AdomianStep(const System& system, std::span<const std::size_t> active, const StepSettings& settings,
              std::span<const ParameterValues> parameters = {});
  ~AdomianStep();

  /// Other values of the parameters, as for Expansion, from the next state that is set.
  void set_parameters(std::span<const ParameterValues> parameters);

  /// As in Expansion.
  void use_code(std::shared_ptr<const ExpansionCode> code) {
    expansion_.use_code(std::move(code));
    find_costs();
  }

  void use_code(std::shared_ptr<const LanesCode> code) {
    expansion_.use_code(std::move(code));
    find_costs();
  }

  /// Forgets what earlier steps taught about order, step and rounding: the next run begins like the first.
  void restart();

  /// Moves to a state and, by Newton's iteration, onto the constraints. False: the matrix is singular there.
  bool set_state(const S& t, std::span<const S> q, std::span<const S> v, int newton_steps = 8);

  /// Moves to a state that misses the constraints by no more than the error allowed, and onto them.
  bool set_close_state(const S& t, std::span<const S> q, std::span<const S> v);

  /// Moves to a state of a smooth motion whose accelerations are known, near a singular configuration: as it
  /// is, with the multipliers that belong to it. False: the matrix is singular there.
  bool set_smooth_state(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> a);

  /// Holds calls to branches (Expansion::hold_sides). At the present state they count from
  /// evaluate_again() on; false: the matrix is singular there.
  void hold_sides(std::span<const int> sides) { expansion_.hold_sides(sides); }
  bool evaluate_again();
  /// As in Expansion.
  const S& branch_value(std::size_t i, int k) const { return expansion_.branch_value(i, k); }
  bool can_slide() const { return expansion_.can_slide(); }
  bool drives_apart(double direction) const { return expansion_.drives_apart(direction); }
  const Series<S>& series() const { return expansion_.series(); }

  /// Other constraints, as many, count from here on. False: the matrix is singular at the present state.
  bool choose_rows(std::span<const std::size_t> active) {
    expansion_.choose_rows(active);
    find_costs();
    return evaluate_again();
  }

  /// That share the work.
  int threads() const { return team_ ? team_->size() : 1; }
  /// Coefficients through this order have room.
  int max_order() const { return expansion_.max_order(); }

  /// Of a start at rest at zero: the sizes of accelerations to come. Errors are not measured beside less than
  /// rounding errors of these make of q and v in a step.
  void expect(std::span<const double> accelerations) {
    expected_.assign(accelerations.begin(), accelerations.end());
  }

  /// Where constraints of friction let parts rest, sizes are those that the run has had: of what is left the
  /// rounding errors of earlier motion are not worth their own accuracy.
  void count_rest(bool rests) { counts_rest_ = rests; }

  /// Expands at the present state. Afterwards polynomials() and proposed_step() are there.
  void expand();
  const StepPolynomials<S>& polynomials() const { return polynomials_; }
  /// The step that the tolerance allows, in absolute value; infinite where the motion is a polynomial, NaN
  /// where the coefficients are not finite.
  double proposed_step() const { return proposed_step_; }

  /// The share of a step of length h over which the series show all that forces and constraints do, within
  /// the tolerance, given as ln; 1: the whole step. After expand().
  double proven_share(const S& h, double log_tolerance);
  /// The same for what happens at certain times, whatever the motion; where its series do not reach.
  double proven_time_share(const S& h, double log_tolerance);
  double proven_share(const S& h) { return proven_share(h, settings_.log_tolerance); }

  /// Steps beyond this were seen to fail: rounding errors grow with the step too, faster than the last terms
  /// tell.
  void set_step_limit(double limit) { step_limit_ = limit; }
  double step_limit() const { return step_limit_; }

  /// ln of term k of the series at h, relative to the components' sizes, over the tolerance.
  double log_term(int k, double h) const { return log_norm(k) + k * std::log(h) - settings_.log_tolerance; }

  /// Keeps the terms of the series as far as they fall at h, and `more`: those behind are rounding errors
  /// that grow. False: there are no more, or they have grown too much.
  bool keep_falling_terms(const S& h, int more);
  void keep_all_terms() { order_ = expanded_order_; }
  /// Whether the check counts only errors along motions that the constraints allow. The others go when the
  /// step lands, and near a singular configuration they are large.
  void check_tangent_only(bool tangent) { checks_tangent_ = tangent; }

  /// not_finite: the forces have no finite value at the end of the step.
  enum class Check { good, inaccurate, singular, not_finite };
  /// Goes to t0 + h along the polynomials, projects, and compares the accelerations there with the
  /// polynomials'.
  Check advance(const S& h);
  /// The estimated error of the last advance relative to the tolerance.
  double defect() const { return defect_; }
  /// The same as a relative error.
  double relative_defect() const { return defect_ * std::exp(settings_.log_tolerance); }
  /// How far the last advance moved its end onto the constraints: the largest change of q and of v, relative
  /// to the largest of them.
  double landing_correction() const { return SizeMath<S>::number(correction_); }
  /// Of the matrix at the present state, to be compared with other states.
  double smallest_pivot() const { return expansion_.smallest_pivot(); }
  bool is_sparse() const { return expansion_.is_sparse(); }
  /// Solves with the matrix at the present state, in place.
  void solve(std::span<S> rhs) { expansion_.solve(rhs); }
  /// sum += C x at the present state.
  void add_constraint_product(std::span<const S> x, std::span<S> sum) const {
    expansion_.add_constraint_product(x, sum);
  }
  /// As in Expansion.
  double inertia_share(std::span<const S> x) const { return expansion_.inertia_share(x); }
  /// Declares the last comparison's differences to be rounding errors: such differences pass for some steps.
  void accept_as_noise();

  const S& t() const { return t_.value[0]; }
  std::span<const S> q() const { return q_.value; }
  std::span<const S> v() const { return v_.value; }
  std::span<const S> a() const { return expansion_.a(0); }
  std::span<const S> lambda() const { return expansion_.lambda(0); }
  std::span<const S> position_residual() const { return g_; }
  std::span<const S> velocity_residual() const { return gv_; }
  int order() const { return order_; }

 private:
  using Size = typename SizeMath<S>::Size;

  // A state as an unevaluated sum of what is stored and what storing it lost (compensated summation).
  struct Compensated {
    std::vector<S> value, lost;
    void add(std::size_t i, const S& gain) {
      const S addend = gain + lost[i];
      const S sum = value[i] + addend;
      lost[i] = addend - (sum - value[i]);
      value[i] = sum;
    }
  };

  bool place(const S& t, std::span<const S> q, std::span<const S> v);
  bool evaluate();
  bool land(int newton_steps, bool factor_again);
  bool land_position(int newton_steps, bool factor_again, double& shift);
  void land_velocity(int newton_steps, double shift);
  double share_of_q(const std::vector<S>& x) const;
  double project_position();
  double project_velocity();
  void note_correction(const std::vector<Size>& sizes);
  void follow_polynomials(const S& h);
  Check compare_accelerations();
  void measure_defect();
  void add_next_term(const S& h);
  void expand_terms();
  void expand_without_large_values();
  void count_expected_sizes();
  void count_sizes_so_far();
  void choose_step();
  int lowest_order() const;
  int cheapest_order() const;
  void choose_next_order(double log_a, double log_rho);
  void measure_components();
  Size norm(int k) const;
  double log_norm(int k) const { return SizeMath<S>::log(norm(k)); }
  void find_costs();
  double cost(int order) const;
  double cost_of_code(int order) const;
  double cost_of_lanes_code(int order) const;

  const System* system_;
  StepSettings settings_;
  int highest_order_;
  std::unique_ptr<Team> team_;
  Expansion<S> expansion_;
  std::unique_ptr<EnclosureGuard<S>> guard_;  // made when first asked for
  std::size_t n_;
  double convolutions_;            // of an order
  std::vector<double> log_costs_;  // of a step, by order
  int top_order_;                  // that is chosen
  Compensated t_;
  S lost_t_;  // at the point of expansion
  Compensated q_, v_;
  std::vector<S> lost_q_, lost_v_;  // at the point of expansion
  std::vector<S> g_, gv_, rhs_, work_;
  std::vector<S> gain_;   // of q, v, a and λ over the step
  std::vector<S> shift_;  // of q since it was evaluated
  std::vector<S> lambda_change_;
  bool has_shift_ = false;
  std::vector<Size> size_q_, size_v_;      // of the components over the step, against which errors count
  std::vector<Size> weight_q_, weight_v_;  // one over these, when the step was chosen
  std::vector<Size> most_q_, most_v_;      // the largest of these in this run
  bool counts_rest_ = false;
  std::vector<double> expected_;          // accelerations; empty: none
  std::vector<Size> difference_, noise_;  // of the accelerations
  StepPolynomials<S> polynomials_;
  int order_;
  int next_order_;
  double proposed_step_ = 0;
  double last_step_ = 0;
  double step_limit_ = std::numeric_limits<double>::infinity();
  double defect_ = 0;
  // SizeMath::largest() of relative changes
  double correction_ = 0;
  // The recursion divides by the factored matrix at every order, but sums with the one at q. Where the two
  // differ by δ, the next step ends off the constraints by A δ, with A above 1 for steps of a radian and
  // more: a circle of √(x² + y²) then loses a digit every other step.
  double largest_shift_ = 0;
  double nothing_ = 0;  // two relative corrections whose product leaves nothing
  double tolerance_ = 0;
  int expanded_order_ = 0;
  bool checks_tangent_ = false;
};

}  // namespace dalembert

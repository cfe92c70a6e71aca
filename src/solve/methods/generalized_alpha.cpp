#include "methods/generalized_alpha.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/system/implicit_programs.hpp>
#include <dalembert/system/row_choice.hpp>
#include <dalembert/system/value_tape.hpp>

#include "multistep/newton_matrix.hpp"
#include "run/constant_stepper.hpp"
#include "runge_kutta/accelerations.hpp"

namespace dalembert {
namespace {

// The method of Chung & Hulbert in the form of [arnoldbruels2007], with w the acceleration of the algorithm:
//
//   M v' = f − Dᵀ λ,  g = 0,  A v + b = 0                                     at t_{n+1}
//   q_{n+1} = q_n + h v_n + h² ( (½ − β) w_n + β w_{n+1} )
//   v_{n+1} = v_n + h ( (1 − γ) w_n + γ w_{n+1} )
//   (1 − α_m) w_{n+1} + α_m w_n = (1 − α_f) v'_{n+1} + α_f v'_n
struct Coefficients {
  double alpha_m, alpha_f, beta, gamma;

  explicit Coefficients(double rho)
      : alpha_m((2 * rho - 1) / (rho + 1)),
        alpha_f(rho / (rho + 1)),
        beta((1 + alpha_f - alpha_m) * (1 + alpha_f - alpha_m) / 4),  // (γ + ½)²/4
        gamma(0.5 + alpha_f - alpha_m) {}
};

// of the fastest motions a fifth is lost in each step, of the slow ones hardly any [chunghulbert1993];
// chosen, not measured
constexpr double default_rho = 0.8;

class GeneralizedAlphaStepper : public ConstantStepper {
 public:
  GeneralizedAlphaStepper(const Problem& problem, const SolveOptions& options)
      : ConstantStepper(problem, options),
        problem_(problem),
        coefficients_(options.rho.value_or(default_rho)),
        n_(problem.system.n()),
        m_(problem.active.size()),
        rows_(problem.system, problem.active),
        residual_program_(problem.system.implicit_programs().residual(problem.system, level)),
        jacobian_program_(problem.system.implicit_programs().jacobian(problem.system, level)),
        residual_(problem.system, residual_program_.program),
        jacobian_(problem.system, jacobian_program_.program),
        matrix_(n_ + m_),
        w_(n_),
        new_w_(n_),
        a_(problem.start.a),
        old_a_(n_),
        lambda_(problem.start.lambda),
        old_lambda_(problem.start.lambda),
        correction_(n_ + m_),
        moved_(2 * n_),
        start_shift_(n_) {
    name_places();
  }

  // Own accelerations and multipliers, of second order; linear between the ends of a step.
  bool eval_accelerations(double t, std::span<double> a, std::span<double> lambda) override {
    const double s = t_ == old_t_ ? 1 : (t - old_t_) / (t_ - old_t_);
    for (std::size_t i = 0; i < n_; ++i) a[i] = old_a_[i] + s * (a_[i] - old_a_[i]);
    for (std::size_t j = 0; j < lambda.size(); ++j)
      lambda[j] = old_lambda_[j] + s * (lambda_[j] - old_lambda_[j]);
    return true;
  }

 private:
  static constexpr ConstraintLevel level = ConstraintLevel::position;

  void name_places() {
    const JacobianProgram& p = jacobian_program_;
    std::vector<std::size_t> row_of(problem_.system.m(), m_);
    for (std::size_t row = 0; row < m_; ++row) row_of[rows_.active()[row]] = row;
    matrix_ = NewtonMatrix(n_ + m_);
    for (std::vector<Contribution>* contributions : {&by_q_, &by_v_, &by_a_}) contributions->clear();
    for (const MatrixEntry& e : p.M) by_a_.push_back({matrix_.at(e.row, e.column), e.value});
    for (const MatrixEntry& e : p.r_v) by_v_.push_back({matrix_.at(e.row, e.column), e.value});
    for (const MatrixEntry& e : p.r_q) by_q_.push_back({matrix_.at(e.row, e.column), e.value});
    for (const MatrixEntry& e : p.s_v)
      if (row_of[e.row] < m_) by_v_.push_back({matrix_.at(n_ + row_of[e.row], e.column), e.value});
    for (const MatrixEntry& e : p.s_q)
      if (row_of[e.row] < m_) by_q_.push_back({matrix_.at(n_ + row_of[e.row], e.column), e.value});
    for (const MatrixEntry& e : p.D)
      if (row_of[e.row] < m_) by_a_.push_back({matrix_.at(e.column, n_ + row_of[e.row]), e.value});
    matrix_.close();
  }

  void improve_rows() override {
    if (!rows_.improve_along(t_, q_, v_)) return;
    rows_.convert(lambda_);
    name_places();
  }

  // w_0 approximates v' at t_0 + (α_m − α_f) h, and v_0 is off the constraints as all later v_n are: with
  // both, multipliers have second order from the start.
  bool prepare() override {
    Accelerations accelerations(problem_.system, problem_.active);
    std::vector<double> jerk(n_);
    if (!eval_jerk(accelerations, jerk)) return fail_singular();
    const double delta = (coefficients_.alpha_m - coefficients_.alpha_f) * h_;
    for (std::size_t i = 0; i < n_; ++i) w_[i] = a_[i] + delta * jerk[i];
    old_a_ = a_;
    return find_start_shift(accelerations, jerk);
  }

  // v'' from a difference of accelerations along the motion.
  bool eval_jerk(Accelerations& accelerations, std::span<double> jerk) const {
    std::vector<double> q(n_), v(n_), ahead(n_), behind(n_);
    const double s = 0.01 * h_;
    for (std::vector<double>* side : {&ahead, &behind}) {
      const double shift = side == &ahead ? s : -s;
      for (std::size_t i = 0; i < n_; ++i) {
        q[i] = q_[i] + shift * (v_[i] + shift * a_[i] / 2);
        v[i] = v_[i] + shift * a_[i];
      }
      if (!accelerations.eval(t_ + shift, q, v)) return false;
      std::copy(accelerations.a().begin(), accelerations.a().end(), side->begin());
    }
    for (std::size_t i = 0; i < n_; ++i) jerk[i] = (ahead[i] - behind[i]) / (2 * s);
    return true;
  }

  // The formula for q is off by κ h³ v'' in a step, κ = (1 − 6 β − 3 (α_m − α_f))/6. Since g = 0 holds at
  // both ends, v carries what crosses the constraints: C (v_n − v(t_n)) = κ h² C v''.
  bool find_start_shift(Accelerations& accelerations, std::span<const double> jerk) {
    const auto& [alpha_m, alpha_f, beta, gamma] = coefficients_;
    const double kappa = (1 - 6 * beta - 3 * (alpha_m - alpha_f)) / 6;
    std::vector<double> shift(n_ + m_, 0.0);
    if (!accelerations.place(t_, q_, v_)) return fail_singular();
    const std::span<double> rows = std::span(shift).subspan(n_);
    accelerations.add_constraint_product(jerk, rows);
    for (std::size_t row = 0; row < m_; ++row) {
      const bool is_holonomic = problem_.active[row] < problem_.system.holonomic();
      rows[row] *= is_holonomic ? kappa * h_ * h_ : 0;  // the others hold for v itself
    }
    accelerations.solve(shift);
    std::copy_n(shift.begin(), n_, start_shift_.begin());
    return true;
  }

  bool advance(double t) override {
    for (std::size_t i = 0; i < n_; ++i) old_v_[i] += std::exchange(start_shift_[i], 0.0);
    std::copy(a_.begin(), a_.end(), old_a_.begin());
    std::copy(lambda_.begin(), lambda_.end(), old_lambda_.begin());
    Convergence convergence;
    for (auto state = Convergence::State::going; state != Convergence::State::done;) {
      set_state();
      if (!solve(t)) return restore(fail_singular());
      ++counters.iterations;
      state = convergence.after(apply());
      if (state == Convergence::State::failed) return restore(fail_to_converge());
    }
    set_state();
    w_.swap(new_w_);
    return true;
  }

  bool restore(bool result) {
    std::copy(old_a_.begin(), old_a_.end(), a_.begin());
    std::copy(old_lambda_.begin(), old_lambda_.end(), lambda_.begin());
    return result;
  }

  // q_{n+1} and v_{n+1} from v'_{n+1}.
  void set_state() {
    const auto& [alpha_m, alpha_f, beta, gamma] = coefficients_;
    for (std::size_t i = 0; i < n_; ++i) {
      new_w_[i] = ((1 - alpha_f) * a_[i] + alpha_f * old_a_[i] - alpha_m * w_[i]) / (1 - alpha_m);
      q_[i] = old_q_[i] + h_ * old_v_[i] + h_ * h_ * ((0.5 - beta) * w_[i] + beta * new_w_[i]);
      v_[i] = old_v_[i] + h_ * ((1 - gamma) * w_[i] + gamma * new_w_[i]);
    }
  }

  // dq/dv' and dv/dv' at the end of the step
  double q_per_a() const {
    return h_ * h_ * coefficients_.beta * (1 - coefficients_.alpha_f) / (1 - coefficients_.alpha_m);
  }
  double v_per_a() const {
    return h_ * coefficients_.gamma * (1 - coefficients_.alpha_f) / (1 - coefficients_.alpha_m);
  }

  void set_inputs(ValueTape& tape, double t) {
    const System& system = problem_.system;
    tape.set(System::input_t(), t);
    tape.set(system.input_q(0), q_);
    tape.set(system.input_v(0), v_);
    tape.set(system.input_a(0), a_);
    tape.set(system.input_lambda(0), lambda_);
    tape.run();
  }

  bool solve(double t) {
    set_inputs(residual_, t);
    set_inputs(jacobian_, t);
    ++counters.evaluations;
    for (std::size_t i = 0; i < n_; ++i) correction_[i] = residual_.value(residual_program_.r[i]);
    for (std::size_t row = 0; row < m_; ++row)
      correction_[n_ + row] = residual_.value(residual_program_.s[rows_.active()[row]]);
    matrix_.clear();
    add(matrix_, by_a_, jacobian_);
    add(matrix_, by_v_, jacobian_, v_per_a());
    add(matrix_, by_q_, jacobian_, q_per_a());
    ++counters.factorizations;
    if (!matrix_.factor()) return false;
    matrix_.solve(correction_);
    return true;
  }

  // The relative size of the correction.
  double apply() {
    for (std::size_t i = 0; i < n_; ++i) {
      a_[i] -= correction_[i];
      moved_[i] = q_per_a() * correction_[i];
      moved_[n_ + i] = v_per_a() * correction_[i];
    }
    for (std::size_t row = 0; row < m_; ++row) lambda_[rows_.active()[row]] -= correction_[n_ + row];
    return scale_.norm(moved_);
  }

  const Problem& problem_;
  Coefficients coefficients_;
  std::size_t n_, m_;
  RowChoice rows_;
  const ResidualProgram& residual_program_;
  const JacobianProgram& jacobian_program_;
  ValueTape residual_, jacobian_;
  NewtonMatrix matrix_;
  std::vector<Contribution> by_q_, by_v_, by_a_;  // added times dq/dv', dv/dv', 1
  std::vector<double> w_, new_w_, a_, old_a_, lambda_, old_lambda_, correction_, moved_;
  std::vector<double> start_shift_;  // of v, taken by the first step
};

}  // namespace

RunReport run_generalized_alpha(const Problem& problem, const SolveOptions& options,
                                const SampleSink<double>& sink) {
  GeneralizedAlphaStepper stepper(problem, options);
  return run_steps(problem, options, sink, stepper);
}

std::string refuse_generalized_alpha(const Problem&, const SolveOptions& options) {
  const double rho = options.rho.value_or(default_rho);
  if (rho >= 0 && rho <= 1) return "";
  return fmt::format("needs a spectral radius rho between 0 (most damping) and 1 (none), not {}", rho);
}

}  // namespace dalembert

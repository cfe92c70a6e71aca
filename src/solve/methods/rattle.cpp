#include "methods/rattle.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/system/implicit_programs.hpp>
#include <dalembert/system/kkt/saddle_system.hpp>
#include <dalembert/system/kkt/tape_saddle_system.hpp>
#include <dalembert/system/value_tape.hpp>

#include "methods/explicit.hpp"
#include "multistep/newton_matrix.hpp"
#include "run/constant_stepper.hpp"
#include "runge_kutta/accelerations.hpp"

namespace dalembert {
namespace {

// RATTLE for masses that depend on q [leimkuhlerreich2004]. With momenta π(q, v) = ∂K/∂v, dπ/dt = F − Gᵀ λ,
// and the velocities V₀, V₁ that belong to the momentum in the middle of the step at its two ends:
//
//   π(q₀, V₀) = π(q₀, v₀) + h/2 ( F(q₀, V₀) − G₀ᵀ λ₀ )
//   π(q₁, V₁) = π(q₀, V₀)
//   q₁ = q₀ + h/2 ( V₀ + V₁ ),   g(q₁) = 0
//   π(q₁, v₁) = π(q₁, V₁) + h/2 ( F(q₁, V₁) − G₁ᵀ λ₁ ),   G₁ v₁ + c₁ = 0
//
// The first three lines are solved for V₀, V₁, λ₀ by Newton's method, the last for v₁, λ₁: π is linear in v.
class RattleStepper : public ConstantStepper {
 public:
  RattleStepper(const Problem& problem, const SolveOptions& options)
      : ConstantStepper(problem, options),
        problem_(problem),
        program_(problem.system.implicit_programs().momentum(problem.system)),
        n_(problem.system.n()),
        m_(problem.active.size()),
        begin_(problem.system, program_.program),
        end_(problem.system, program_.program),
        matrix_(0),
        velocity_matrix_({problem.system, program_, problem.active}, end_),
        projection_(problem.system, problem.active),
        momentum_(n_),
        V0_(n_),
        V1_(n_),
        lambda_(m_, 0.0),
        correction_(2 * n_ + m_),
        moved_(2 * n_) {
    name_places();
  }

  void eval(double t, std::span<double> q, std::span<double> v) override {
    ConstantStepper::eval(t, q, v);
    if (m_ > 0) projection_.project(t, q, v);
  }

 private:
  const std::vector<std::size_t>& active() const { return projection_.rows().active(); }
  const SaddlePattern& pattern() const { return velocity_matrix_.pattern(); }

  void name_places() {
    const MomentumProgram& p = program_;
    matrix_ = NewtonMatrix(2 * n_ + m_);
    velocity_matrix_ = TapeSaddleSystem({problem_.system, p, active()}, end_);
    for (std::vector<Contribution>* contributions : {&M0_, &minus_M0_, &M1_, &force_v_, &moving_, &G0_, &G1_})
      contributions->clear();
    const std::size_t n = n_;
    for (const MatrixEntry& e : p.M) {
      M0_.push_back({matrix_.at(e.row, e.column), e.value});
      minus_M0_.push_back({matrix_.at(n + e.row, e.column), e.value});
      M1_.push_back({matrix_.at(n + e.row, n + e.column), e.value});
    }
    for (const MatrixEntry& e : p.force_v) force_v_.push_back({matrix_.at(e.row, e.column), e.value});
    for (const MatrixEntry& e : p.momentum_q) {
      moving_.push_back({matrix_.at(n + e.row, e.column), e.value});
      moving_.push_back({matrix_.at(n + e.row, n + e.column), e.value});
    }
    for (const MatrixEntry& e : pattern().C()) {
      G0_.push_back({matrix_.at(e.column, 2 * n + e.row), e.value});
      G1_.push_back({matrix_.at(2 * n + e.row, e.column), e.value});
      G1_.push_back({matrix_.at(2 * n + e.row, n + e.column), e.value});
    }
    matrix_.close();
  }

  void improve_rows() override {
    if (!projection_.rows().has_choice()) return;
    std::vector<double> lambda(problem_.system.m(), 0.0);
    for (std::size_t row = 0; row < m_; ++row) lambda[active()[row]] = lambda_[row];
    if (!projection_.improve_rows(t_, q_, v_)) return;
    projection_.rows().convert(lambda);
    for (std::size_t row = 0; row < m_; ++row) lambda_[row] = lambda[active()[row]];
    name_places();
  }

  bool prepare() override {
    std::copy(v_.begin(), v_.end(), V0_.begin());
    std::copy(v_.begin(), v_.end(), V1_.begin());
    return true;
  }

  bool advance(double t) override {
    set(begin_, old_t_, old_q_, old_v_);
    for (std::size_t i = 0; i < n_; ++i) momentum_[i] = begin_.value(program_.momentum[i]);
    for (std::size_t i = 0; i < n_; ++i) V0_[i] = V1_[i] = old_v_[i];
    Convergence convergence;
    for (auto state = Convergence::State::going; state != Convergence::State::done;) {
      set_position();
      if (!solve(t)) return fail_singular();
      ++counters.iterations;
      state = convergence.after(apply());
      if (state == Convergence::State::failed) return fail_to_converge();
    }
    set_position();
    return set_velocity(t);
  }

  void set(ValueTape& tape, double t, std::span<const double> q, std::span<const double> v) {
    tape.set(System::input_t(), t);
    tape.set(problem_.system.input_q(0), q);
    tape.set(problem_.system.input_v(0), v);
    tape.run();
    ++counters.evaluations;
  }

  void set_position() {
    for (std::size_t i = 0; i < n_; ++i) q_[i] = old_q_[i] + h_ / 2 * (V0_[i] + V1_[i]);
  }

  bool solve(double t) {
    set(begin_, old_t_, old_q_, V0_);
    set(end_, t, q_, V1_);
    for (std::size_t i = 0; i < n_; ++i) {
      const double middle = begin_.value(program_.momentum[i]);
      correction_[i] = middle - momentum_[i] - h_ / 2 * begin_.value(program_.force[i]);
      correction_[n_ + i] = end_.value(program_.momentum[i]) - middle;
    }
    for (const MatrixEntry& e : pattern().C())
      correction_[e.column] += h_ / 2 * begin_.value(e.value) * lambda_[e.row];
    for (std::size_t row = 0; row < m_; ++row)
      correction_[2 * n_ + row] = end_.value(program_.g[active()[row]]);
    matrix_.clear();
    add(matrix_, M0_, begin_);
    add(matrix_, force_v_, begin_, -h_ / 2);
    add(matrix_, G0_, begin_, h_ / 2);
    add(matrix_, minus_M0_, begin_, -1);
    add(matrix_, M1_, end_);
    add(matrix_, moving_, end_, h_ / 2);
    add(matrix_, G1_, end_, h_ / 2);
    ++counters.factorizations;
    if (!matrix_.factor()) return false;
    matrix_.solve(correction_);
    return true;
  }

  double apply() {
    for (std::size_t i = 0; i < n_; ++i) {
      V0_[i] -= correction_[i];
      V1_[i] -= correction_[n_ + i];
      moved_[i] = h_ / 2 * (correction_[i] + correction_[n_ + i]);
      moved_[n_ + i] = std::max(std::abs(correction_[i]), std::abs(correction_[n_ + i]));
    }
    for (std::size_t row = 0; row < m_; ++row) lambda_[row] -= correction_[2 * n_ + row];
    return scale_.norm(moved_);
  }

  // [ M₁ G₁ᵀ ; G₁ 0 ] (v₁, h/2 λ₁) = ( M₁ V₁ + h/2 F(q₁, V₁), −c₁ ), solved for v₁ − V₁
  bool set_velocity(double t) {
    set(end_, t, q_, V1_);
    const std::span<double> x = std::span(correction_).first(n_ + m_);
    for (std::size_t i = 0; i < n_; ++i) x[i] = h_ / 2 * end_.value(program_.force[i]);
    for (std::size_t row = 0; row < m_; ++row) x[n_ + row] = -end_.value(program_.c[active()[row]]);
    for (const MatrixEntry& e : pattern().C()) x[n_ + e.row] -= end_.value(e.value) * V1_[e.column];
    ++counters.factorizations;
    if (!velocity_matrix_.factor_and_solve(end_, x)) return fail_singular();
    for (std::size_t i = 0; i < n_; ++i) v_[i] = V1_[i] + x[i];
    return true;
  }

  const Problem& problem_;
  const MomentumProgram& program_;
  std::size_t n_, m_;
  ValueTape begin_, end_;
  NewtonMatrix matrix_;
  TapeSaddleSystem velocity_matrix_;  // at the end
  Accelerations projection_;
  std::vector<Contribution> M0_, minus_M0_, M1_, force_v_, moving_, G0_, G1_;
  std::vector<double> momentum_, V0_, V1_, lambda_, correction_, moved_;
};

}  // namespace

namespace {

bool is_inertia_singular(const Problem& problem) {
  const System& system = problem.system;
  ValueTape at(system, system.state().program);
  at.set(System::input_t(), problem.start.t);
  at.set(system.input_q(0), problem.start.q);
  at.set(system.input_v(0), problem.start.v);
  at.run();
  constexpr int no_solves = 0;
  SaddleSystem<double> inertia({system, system.state(), {}}, no_solves);
  return !inertia.factor([&](const Scaled& value) { return at.value(value); });
}

}  // namespace

RunReport run_rattle(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  RattleStepper stepper(problem, options);
  return run_steps(problem, options, sink, stepper);
}

std::string refuse_rattle(const Problem& problem, const SolveOptions&) {
  const System& system = problem.system;
  if (system.m() > system.holonomic())
    return "keeps positions on constraints, and nonholonomic constraints do not restrict positions; take "
           "another one";
  if (mass_depends_on_velocity(system.equations()))
    return "needs momenta that are linear in the velocities, and here the mass matrix depends on velocities";
  if (!system.determined_velocities().empty())
    return "needs a velocity for every momentum, and here coordinates have no inertia; 'adomian', 'dop853', "
           "'bdf' and others solve for their velocities";
  if (const std::string refusal = refuse_multiplier_forces(problem); !refusal.empty()) return refusal;
  if (is_inertia_singular(problem))
    return "needs a velocity for every momentum, and here the mass matrix is singular";
  return "";
}

}  // namespace dalembert

#include "methods/bdf.hpp"

#ifdef DALEMBERT_HAS_SUNDIALS

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <ida/ida.h>
#include <sundials/sundials_config.h>

#include <dalembert/base/error.hpp>

#include "control/expected_forces.hpp"
#include "methods/adomian.hpp"
#include "multistep/balanced_state.hpp"
#include "multistep/motion_dae.hpp"
#include "multistep/sundials_vector.hpp"
#include "run/state_stepper.hpp"

namespace dalembert {
namespace {

void require(int flag) {
  if (flag < 0) throw Error(fmt::format("SUNDIALS refused a setting (flag {})", flag));
}

class SundialsContext {
 public:
  SundialsContext() {
#if SUNDIALS_VERSION_MAJOR >= 7
    require(SUNContext_Create(SUN_COMM_NULL, &context_));
#else
    require(SUNContext_Create(nullptr, &context_));
#endif
  }
  ~SundialsContext() { SUNContext_Free(&context_); }
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;
  operator SUNContext() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

// As long as the vector is, which may be longer than the system.
std::span<double> edit(N_Vector x) {
  return {N_VGetArrayPointer(x), static_cast<std::size_t>(N_VGetLength(x))};
}

std::string reason_of(int flag) {
  switch (flag) {
    case IDA_TOO_MUCH_ACC:
      return "the tolerance is beyond what doubles can hold here; ask for less";
    case IDA_ERR_FAIL:
      return "the error test failed again and again, or the step became too small: the motion is not smooth "
             "here";
    case IDA_CONV_FAIL:
      return "Newton's method did not converge even with the smallest step: constraints become dependent "
             "here, "
             "or the motion is not smooth";
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL:
      return force_not_finite_reason;
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
      return "Newton's matrix is singular here: constraints become dependent, or a motion that they allow "
             "has no "
             "inertia";
    default: {
      const std::unique_ptr<char, decltype(&std::free)> name(IDAGetReturnFlagName(flag), std::free);
      return fmt::format("IDA stopped with '{}'", name.get());
    }
  }
}

// Constraints are redundant on g = 0 alone, and the drift of index1 grows from choice to choice of their
// rows.
IndexForm index_form_for(const Problem& problem) {
  const bool is_redundant = problem.active.size() < problem.system.m();
  return is_redundant ? IndexForm::ggl : IndexForm::index1;
}

class BdfStepper : public StateStepper {
 public:
  BdfStepper(const Problem& problem, const SolveOptions& options)
      : problem_(problem),
        dae_(problem, find_index_form(options.index_form, index_form_for(problem))),
        options_(options),
        scale_(make_error_scale(problem, options)),
        memory_(IDACreate(context_)),
        y_(make_sundials_vector(dae_.size(), context_)),
        dydt_(make_sundials_vector(dae_.size(), context_)),
        dense_(N_VClone(y_)),
        error_(N_VClone(y_)),
        plain_norm_(y_->ops->nvwrmsnorm) {
    y_->ops->nvwrmsnorm = norm;  // of IDA's vectors too, its clones
    scale_.expect(problem.start.a);
    make_solver();
  }
  ~BdfStepper() override {
    IDAFree(&memory_);
    SUNLinSolFreeEmpty(solver_);
    for (N_Vector vector : {y_, dydt_, dense_, error_}) N_VDestroy(vector);
  }

  Result start(double t, std::span<const double>, std::span<const double>, double direction) override {
    dae_.eval_start(edit(y_), edit(dydt_));
    t_ = t;
    require(IDAInit(memory_, eval_residual, t, y_, dydt_));
    require(IDASetUserData(memory_, this));
    require(IDASetErrHandlerFn(
        memory_, [](int, const char*, const char*, char*, void*) {}, nullptr));
    require(IDAWFtolerances(memory_, eval_weights));
    require(IDASetLinearSolver(memory_, solver_, nullptr));
    require(IDASetMaxOrd(memory_, options_.order > 0 ? options_.order : 5));
    require(IDASetMaxNumSteps(memory_, -1));
    // each quarters the step at least: at a start from rest that begins to slide accelerations jump at once
    constexpr int most_failures = 30;
    require(IDASetMaxErrTestFails(memory_, most_failures));
    require(IDASetNonlinConvCoef(memory_, 0.1));
    require(IDASetEtaFixedStepBounds(memory_, 1.0, least_growth));
    if (options_.max_step > 0) require(IDASetMaxStep(memory_, options_.max_step));
    // over the first step q moves by the tolerance
    const double first = std::min(1e-3 * std::abs(options_.duration),
                                  std::sqrt(options_.tolerance) * scale_.size_q() / scale_.size_v());
    require(IDASetInitStep(memory_, direction * first));
    return Result::done;
  }

  Result step(double limit) override {
    // IDA predicts multipliers of other rows from their history, which is wrong; Newton's first correction is
    // right, since they enter linearly
    if (dae_.improve_rows(t_, edit(y_).first(dae_.size()))) alpha_ = 0;
    if (is_within_rounding(limit)) return step_within_rounding(limit);
    require(IDASetStopTime(memory_, limit));
    sunrealtype reached = t_;
    stepping_ = this;
    const int flag = IDASolve(memory_, limit, &reached, y_, dydt_, IDA_ONE_STEP);
    stepping_ = nullptr;
    const std::size_t before = counters.rejected;
    count();
    hold_step(counters.rejected > before);
    if (flag < 0) {
      reason = reason_of(flag);
      return Result::failed;
    }
    // t + h is rounded to half a unit, and IDA adds several h
    constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();
    if (flag != IDA_TSTOP_RETURN && std::abs(reached - t_) <= round_off * std::abs(t_)) {
      reason = "the step became smaller than rounding errors of the time: the motion is not smooth here";
      return Result::failed;
    }
    t_ = flag == IDA_TSTOP_RETURN ? limit : reached;
    scale_.include(view(y_), std::abs(t_ - options_.start));
    stiff_step_.note(t_, dae_);
    return Result::done;
  }

  double t() const override { return t_; }
  std::span<const double> q() const override { return view(y_).first(dae_.n()); }
  std::span<const double> v() const override { return view(y_).subspan(dae_.n(), dae_.n()); }
  void eval(double t, std::span<double> q, std::span<double> v) override {
    IDAGetDky(memory_, t, 0, dense_);
    const auto y = view(dense_);
    std::copy_n(y.begin(), dae_.n(), q.begin());
    std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(dae_.n()), dae_.n(), v.begin());
  }
  const BalancedState* balance(double t) override {
    if (!stiff_step_.reaches(t)) return nullptr;
    if (!balanced_) balanced_.emplace(problem_);
    IDAGetDky(memory_, t, 0, dense_);
    IDAGetDky(memory_, t, 1, error_);
    return balanced_->eval(t, stiff_step_.rate(scale_.rate()), view(dense_), view(error_)) ? &*balanced_
                                                                                           : nullptr;
  }

 private:
  // IDA refuses such steps, which are left where an event is at the end of the run but for rounding errors.
  bool is_within_rounding(double limit) const {
    return std::abs(limit - t_) <=
           2 * std::numeric_limits<double>::epsilon() * (std::abs(t_) + std::abs(limit));
  }
  Result step_within_rounding(double limit) {
    N_VLinearSum(1, y_, limit - t_, dydt_, y_);
    require(IDAReInit(memory_, limit, y_, dydt_));
    t_ = limit;
    return Result::done;
  }

  std::span<const double> view(N_Vector x) const { return {N_VGetArrayPointer(x), dae_.size()}; }

  // The solver forms Newton's matrix itself, exactly: where α has changed, where one iteration was not
  // enough, and every few steps.
  void make_solver() {
    solver_ = SUNLinSolNewEmpty(context_);
    solver_->content = this;
    solver_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_MATRIX_EMBEDDED; };
    solver_->ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector right, sunrealtype) {
      return static_cast<BdfStepper*>(solver->content)->solve_newton(x, right);
    };
  }

  // Where one growth of the step after the other is rejected, the step is held until the order can rise.
  void hold_step(bool rejected) {
    constexpr int soon = 10;  // in steps
    const bool again = rejected && since_rejected_ < soon;
    since_rejected_ = rejected ? 0 : since_rejected_ + 1;
    if (again) {
      require(IDASetEtaFixedStepBounds(memory_, 0.7, 1e6));
      held_ = counters.order + 2;
    } else if (held_ > 0 && --held_ == 0) {
      require(IDASetEtaFixedStepBounds(memory_, 1.0, least_growth));
    }
  }

  int solve_newton(N_Vector x, N_Vector right) {
    sunrealtype alpha = 0;
    IDAGetCurrentCj(memory_, &alpha);
    const bool first = at_t_ != solved_t_;  // iterate of this step
    solved_t_ = at_t_;
    // in steps; an old matrix leaves the constraints less exact, for which the stabilized form is taken, and
    // stiff forces turn with them
    const int oldest = dae_.form() == IndexForm::ggl || dae_.stiff() ? 0 : 3;
    if (!first || alpha != alpha_ || ++age_ > oldest) {
      if (!dae_.factor(at_t_, view(at_y_), view(at_dydt_), alpha)) return 1;
      ++counters.factorizations;
      alpha_ = alpha;
      age_ = 0;
    }
    std::copy_n(N_VGetArrayPointer(right), N_VGetLength(right), N_VGetArrayPointer(x));
    dae_.solve(edit(x).first(dae_.size()));
    is_correction_ = true;
    return 0;
  }

  // IDA measures a correction of Newton's method right after it was solved for, and errors of the step
  // otherwise; stiff springs damp these.
  static sunrealtype norm(N_Vector x, N_Vector weights) {
    BdfStepper* const self = stepping_;
    if (std::exchange(self->is_correction_, false) || !self->dae_.filters())
      return self->plain_norm_(x, weights);
    N_VScale(1, x, self->error_);
    self->dae_.filter(edit(self->error_));
    return self->plain_norm_(self->error_, weights);
  }

  // steps that may grow by little make fewer of them (bench/README.md)
  static constexpr double least_growth = 1.2;

  static int eval_residual(sunrealtype t, N_Vector y, N_Vector dydt, N_Vector residual, void* data) {
    BdfStepper& self = *static_cast<BdfStepper*>(data);
    self.at_t_ = t;
    self.at_y_ = y;
    self.at_dydt_ = dydt;
    const auto F = edit(residual);
    self.dae_.eval_residual(t, self.view(y), self.view(dydt), F);
    std::fill(F.begin() + static_cast<std::ptrdiff_t>(self.dae_.size()), F.end(), 0.0);
    return std::all_of(F.begin(), F.end(), [](double x) { return std::isfinite(x); }) ? 0 : 1;
  }

  // The error is a root mean square over all unknowns. Multipliers hardly count in it, nor does Newton's
  // method wait for them: their corrections are those of v times α, and reported multipliers come from the
  // accelerations at the state.
  static int eval_weights(N_Vector y, N_Vector weights, void* data) {
    const BdfStepper& self = *static_cast<const BdfStepper*>(data);
    const auto w = edit(weights);
    const auto now = self.view(y);
    // IDA takes no weight of zero; multipliers are left out of the error test so
    constexpr double none = 1e-20;
    std::fill(w.begin(), w.end(), none);
    const double length = static_cast<double>(w.size()) / static_cast<double>(self.dae_.size());
    const double one = std::sqrt(length) / self.options_.tolerance;
    for (std::size_t i = 0; i < 2 * self.dae_.n(); ++i)
      w[i] = one / std::max(self.scale_[i], std::abs(now[i]));
    return 0;
  }

  void count() {
    long evaluations = 0, iterations = 0, failures = 0, unconverged = 0;
    int order = 0;
    IDAGetNumResEvals(memory_, &evaluations);
    IDAGetNumNonlinSolvIters(memory_, &iterations);
    IDAGetNumErrTestFails(memory_, &failures);
    IDAGetNumNonlinSolvConvFails(memory_, &unconverged);
    IDAGetLastOrder(memory_, &order);
    counters.evaluations = static_cast<std::size_t>(evaluations);
    counters.iterations = static_cast<std::size_t>(iterations);
    counters.rejected = static_cast<std::size_t>(failures + unconverged);
    counters.order = order;
  }

  SundialsContext context_;
  const Problem& problem_;
  MotionDae dae_;
  std::optional<BalancedState> balanced_;  // made when first asked for
  StiffStep stiff_step_;
  const SolveOptions& options_;
  ErrorScale scale_;
  void* memory_;
  N_Vector y_, dydt_, dense_, error_;
  sunrealtype (*plain_norm_)(N_Vector, N_Vector);
  bool is_correction_ = false;                                 // what IDA measures next
  inline static thread_local BdfStepper* stepping_ = nullptr;  // norms are given vectors alone
  SUNLinearSolver solver_ = nullptr;
  double t_ = 0;
  int held_ = 0;  // for how many more steps
  int since_rejected_ = std::numeric_limits<int>::max() / 2;
  double alpha_ = 0;  // of the factored matrix
  int age_ = 0;       // its age in steps
  double solved_t_ = std::numeric_limits<double>::quiet_NaN();
  double at_t_ = 0;  // where the last residual was evaluated
  N_Vector at_y_ = nullptr;
  N_Vector at_dydt_ = nullptr;
};

}  // namespace

RunReport run_bdf(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  BdfStepper stepper(problem, options);
  return run_steps(problem, options, sink, stepper);
}

std::string refuse_bdf(const Problem&, const SolveOptions& options) {
  find_index_form(options.index_form);
  return options.order <= 5 ? "" : "has orders from 1 to 5";
}

}  // namespace dalembert

#else

#include <dalembert/base/error.hpp>

namespace dalembert {

RunReport run_bdf(const Problem& problem, const SolveOptions& options, const SampleSink<double>&) {
  throw Error(refuse_bdf(problem, options));
}
std::string refuse_bdf(const Problem&, const SolveOptions&) {
  return "is not there: this Dalembert was built without SUNDIALS";
}

}  // namespace dalembert

#endif

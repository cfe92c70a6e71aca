// SUNDIALS CVODE on the Cartesian pendulum: as in SUNDIALS' own example cvPendulum_dns, the same tuned, and
// Adams. CVODE projects within BDF only; Adams runs free and is projected once at the end.

#include <algorithm>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "pendulum/pendulum.hpp"
#include "sundials_context.hpp"

namespace dalembert::bench::pendulum {
namespace {

enum class Variant { example, tuned, adams };

class CvodeRun {
 public:
  CvodeRun(Variant variant, double tolerance)
      : variant_(variant), memory_(CVodeCreate(variant == Variant::adams ? CV_ADAMS : CV_BDF, context_)) {
    y_ = N_VNew_Serial(4, context_);
    tolerance_ = N_VClone(y_);
    std::copy(start.begin(), start.end(), N_VGetArrayPointer(y_));
    require(CVodeInit(memory_, variant == Variant::adams ? eval_off_circle : eval, 0, y_));
    if (variant != Variant::adams) require(CVodeSetProjFn(memory_, eval_projection));
    variant == Variant::example ? set_as_example(tolerance) : set_tuned(tolerance);
    require(CVodeSetMaxNumSteps(memory_, 1000000));
    require(CVodeSetStopTime(memory_, end_time));
  }
  ~CvodeRun() {
    CVodeFree(&memory_);
    if (solver_) SUNLinSolFree(solver_);
    if (matrix_) SUNMatDestroy(matrix_);
    if (iteration_) SUNNonlinSolFree(iteration_);
    N_VDestroy(tolerance_);
    N_VDestroy(y_);
  }
  CvodeRun(const CvodeRun&) = delete;
  CvodeRun& operator=(const CvodeRun&) = delete;

  Result solve() {
    sunrealtype t = 0;
    const int flag = CVode(memory_, end_time, y_, &t, CV_NORMAL);
    long steps = 0, rejected = 0;
    CVodeGetNumSteps(memory_, &steps);
    CVodeGetNumErrTestFails(memory_, &rejected);
    double* y = N_VGetArrayPointer(y_);
    if (variant_ == Variant::adams) project(y);
    return make_result(flag >= 0 && t == end_time, y, steps, rejected);
  }

 private:
  void set_as_example(double tolerance) {
    require(CVodeSStolerances(memory_, tolerance, tolerance));
    matrix_ = SUNDenseMatrix(4, 4, context_);
    solver_ = SUNLinSol_Dense(y_, matrix_, context_);
    require(CVodeSetLinearSolver(memory_, solver_, matrix_));
  }

  // Tolerances in the units of position and speed; no linear algebra, since nothing is stiff (Newton's method
  // with the exact Jacobian is no faster). BDF steps may grow by 1.2 already instead of 1.5, which lowers the
  // error about tenfold at the same cost; Adams is better off with 1.5.
  void set_tuned(double tolerance) {
    const State absolute = {tolerance, tolerance, 5 * tolerance, 5 * tolerance};
    std::copy(absolute.begin(), absolute.end(), N_VGetArrayPointer(tolerance_));
    require(CVodeSVtolerances(memory_, 0, tolerance_));
    iteration_ = SUNNonlinSol_FixedPoint(y_, 0, context_);
    require(CVodeSetNonlinearSolver(memory_, iteration_));
    if (variant_ == Variant::adams) return;
    require(CVodeSetEtaFixedStepBounds(memory_, 0, 1.2));
    require(CVodeSetNonlinConvCoef(memory_, 0.03));
  }

  static int eval(sunrealtype, N_Vector state, N_Vector slope, void*) {
    const double* y = N_VGetArrayPointer(state);
    eval_slope(y, rod_force(y), N_VGetArrayPointer(slope));
    return 0;
  }

  static int eval_off_circle(sunrealtype, N_Vector state, N_Vector slope, void*) {
    const double* y = N_VGetArrayPointer(state);
    eval_slope(y, rod_force_off_circle(y), N_VGetArrayPointer(slope));
    return 0;
  }

  // Correction to the manifold, and the error estimate projected onto the tangent (y^2, -x y; -x y, x^2).
  static int eval_projection(sunrealtype, N_Vector state, N_Vector correction, sunrealtype, N_Vector error,
                             void*) {
    const double* y = N_VGetArrayPointer(state);
    double* change = N_VGetArrayPointer(correction);
    std::copy_n(y, 4, change);
    project(change);
    const double x0 = change[0], y0 = change[1];
    for (int i = 0; i < 4; ++i) change[i] -= y[i];
    if (!error) return 0;
    double* e = N_VGetArrayPointer(error);
    for (int i = 0; i < 4; i += 2) {
      const double along = x0 * e[i + 1] - y0 * e[i];
      e[i] = -y0 * along;
      e[i + 1] = x0 * along;
    }
    return 0;
  }

  SundialsContext context_;
  Variant variant_;
  void* memory_;
  N_Vector y_, tolerance_;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  SUNNonlinearSolver iteration_ = nullptr;
};

}  // namespace

std::vector<Contestant> cvode_contestants() {
  const auto contestant = [](const char* name, Variant variant) {
    return Contestant{name, tolerance_range(1e-5, 1e-13, 1),
                      [=](double tolerance) { return CvodeRun(variant, tolerance).solve(); }};
  };
  return {contestant("CVODE BDF, projection, as shipped", Variant::example),
          contestant("CVODE BDF, projection, tuned", Variant::tuned),
          contestant("CVODE Adams, no projection", Variant::adams)};
}

}  // namespace dalembert::bench::pendulum

// SUNDIALS IDA on the three formulations of dae.hpp.
//
// What was tuned, by time at equal error: absolute tolerances in the units of q (1) and v (1000); multipliers
// excluded from the error test and, by loose tolerances, from the test for convergence of Newton's method; a
// tight change of alpha before a new matrix is set up (stale matrices cost more in iterations than setups
// do); steps that may grow by 1.2 already instead of 2; fused vector operations; the first step. KLU beats
// the dense solver by a fifth.

#include <algorithm>
#include <cmath>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "andrews/contestants.hpp"
#include "andrews/dae.hpp"
#include "error_norm.hpp"
#include "fast_vector.hpp"
#include "sundials_context.hpp"

namespace dalembert::bench::andrews {
namespace {

enum class Algebra { klu, blocks };
enum class Vectors { of_sundials, fast };

// Everything one integration needs; made and freed within the timed run.
class IdaRun {
 public:
  IdaRun(Formulation formulation, Algebra algebra, Vectors vectors, double tolerance)
      : dae_(formulation), size_(dae_.size()), memory_(IDACreate(context_)) {
    y_ = N_VNew_Serial(size_, context_);
    N_VEnableFusedOps_Serial(y_, SUNTRUE);
    if (vectors == Vectors::fast) use_fast_operations(y_);
    dydt_ = N_VClone(y_);
    absolute_tolerance_ = N_VClone(y_);
    is_differential_ = N_VClone(y_);
    dae_.eval_start(N_VGetArrayPointer(y_), N_VGetArrayPointer(dydt_));
    require(IDAInit(memory_, eval_residual, 0, y_, dydt_));
    require(IDASetUserData(memory_, this));
    set_tolerances(tolerance, vectors);
    algebra == Algebra::klu ? use_klu() : use_blocks();
    set_options();
  }
  ~IdaRun() {
    IDAFree(&memory_);
    matrix_ ? static_cast<void>(SUNLinSolFree(solver_)) : SUNLinSolFreeEmpty(solver_);
    if (matrix_) SUNMatDestroy(matrix_);
    for (N_Vector vector : {y_, dydt_, absolute_tolerance_, is_differential_}) N_VDestroy(vector);
  }
  IdaRun(const IdaRun&) = delete;
  IdaRun& operator=(const IdaRun&) = delete;

  Result solve() {
    sunrealtype t = 0;
    const int flag = IDASolve(memory_, end_time, &t, y_, dydt_, IDA_NORMAL);
    Result result;
    result.finished = flag >= 0 && t == end_time;
    IDAGetNumSteps(memory_, &result.steps);
    IDAGetNumErrTestFails(memory_, &result.rejected);
    const double* y = N_VGetArrayPointer(y_);
    Vector7 q, v;
    std::copy_n(y, 7, q.begin());
    std::copy_n(y + 7, 7, v.begin());
    result.error = state_error(q, v, end_q, end_v, largest(end_v));
    result.second_error = relative_error(y + 14, end_lambda);
    return result;
  }

 private:
  void set_tolerances(double tolerance, Vectors vectors) {
    double* absolute = N_VGetArrayPointer(absolute_tolerance_);
    double* differential = N_VGetArrayPointer(is_differential_);
    for (int i = 0; i < size_; ++i) {
      absolute[i] = tolerance * (i < 7 ? 1 : i < 14 ? 1e3 : 1e12);
      differential[i] = i < 14;
    }
    require(IDASVtolerances(memory_, 0, absolute_tolerance_));
    require(IDASetId(memory_, is_differential_));
    // fast norms have no mask: tolerances of 1e12 leave nothing of multipliers either
    require(IDASetSuppressAlg(memory_, vectors == Vectors::fast ? SUNFALSE : SUNTRUE));
  }

  void set_options() {
    require(IDASetMaxOrd(memory_, 5));
    require(IDASetInitStep(memory_, 1e-7));
    require(IDASetStopTime(memory_, end_time));
    require(IDASetMaxNumSteps(memory_, 1000000));
    require(IDASetNonlinConvCoef(memory_, 0.1));
    require(IDASetDeltaCjLSetup(memory_, 0.03));
    require(IDASetEtaFixedStepBounds(memory_, 1.0, 1.2));
  }

  // The pattern is that of the Jacobian at a point where nothing vanishes by chance.
  void use_klu() {
    std::array<double, Dae::max_size> y, dydt;
    for (int i = 0; i < size_; ++i) {
      y[i] = std::sin(1 + 1.3 * i);
      dydt[i] = std::cos(1 + 2.3 * i);
    }
    dae_.eval_jacobian(3.3, y.data(), dydt.data(), dense_.data());
    const auto nonzeros = size_ * size_ - std::count(dense_.begin(), dense_.begin() + size_ * size_, 0.0);
    matrix_ = SUNSparseMatrix(size_, size_, nonzeros, CSC_MAT, context_);
    int count = 0;
    for (int column = 0; column < size_; ++column) {
      first_of_column_[column] = count;
      for (int row = 0; row < size_; ++row)
        if (dense_[column * size_ + row] != 0) row_of_entry_[count++] = row;
    }
    first_of_column_[size_] = count;
    solver_ = SUNLinSol_KLU(y_, matrix_, context_);
    require(IDASetLinearSolver(memory_, solver_, matrix_));
    require(IDASetJacFn(memory_, eval_jacobian));
  }

  // A solver that forms and eliminates the exact matrix at every iterate.
  void use_blocks() {
    solver_ = SUNLinSolNewEmpty(context_);
    solver_->content = this;
    solver_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_MATRIX_EMBEDDED; };
    solver_->ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector right, sunrealtype) {
      const IdaRun& self = *static_cast<IdaRun*>(solver->content);
      sunrealtype alpha = 0;
      IDAGetCurrentCj(self.memory_, &alpha);
      self.dae_.solve_newton(alpha, N_VGetArrayPointer(right), N_VGetArrayPointer(x));
      return 0;
    };
    require(IDASetLinearSolver(memory_, solver_, nullptr));
  }

  static int eval_residual(sunrealtype, N_Vector y, N_Vector dydt, N_Vector residual, void* self) {
    static_cast<IdaRun*>(self)->dae_.eval_residual(N_VGetArrayPointer(y), N_VGetArrayPointer(dydt),
                                                   N_VGetArrayPointer(residual));
    return 0;
  }

  static int eval_jacobian(sunrealtype, sunrealtype alpha, N_Vector y, N_Vector dydt, N_Vector,
                           SUNMatrix matrix, void* user_data, N_Vector, N_Vector, N_Vector) {
    IdaRun& self = *static_cast<IdaRun*>(user_data);
    const int n = self.size_;
    self.dae_.eval_jacobian(alpha, N_VGetArrayPointer(y), N_VGetArrayPointer(dydt), self.dense_.data());
    std::copy_n(self.first_of_column_.begin(), n + 1, SUNSparseMatrix_IndexPointers(matrix));
    std::copy_n(self.row_of_entry_.begin(), self.first_of_column_[n], SUNSparseMatrix_IndexValues(matrix));
    double* value = SUNSparseMatrix_Data(matrix);
    for (int column = 0; column < n; ++column)
      for (int i = self.first_of_column_[column]; i < self.first_of_column_[column + 1]; ++i)
        value[i] = self.dense_[column * n + self.row_of_entry_[i]];
    return 0;
  }

  SundialsContext context_;
  Dae dae_;
  int size_;
  void* memory_;
  N_Vector y_, dydt_, absolute_tolerance_, is_differential_;
  SUNLinearSolver solver_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  std::array<double, Dae::max_size * Dae::max_size> dense_{};
  std::array<int, Dae::max_size + 1> first_of_column_{};
  std::array<int, Dae::max_size * Dae::max_size> row_of_entry_{};
};

}  // namespace

std::vector<Contestant> ida_contestants() {
  const auto contestant = [](const char* name, Formulation formulation, Algebra algebra,
                             Vectors vectors = Vectors::of_sundials) {
    return Contestant{name, tolerance_range(1e-7, 1e-13, 2), [=](double tolerance) {
                        return IdaRun(formulation, algebra, vectors, tolerance).solve();
                      }};
  };
  return {
      contestant("IDA index 1, KLU", Formulation::index_1, Algebra::klu),
      contestant("IDA index 2, KLU", Formulation::index_2, Algebra::klu),
      contestant("IDA stabilized index 2, KLU", Formulation::stabilized, Algebra::klu),
      contestant("IDA index 1, own block solver", Formulation::index_1, Algebra::blocks),
      contestant("IDA index 2, own block solver", Formulation::index_2, Algebra::blocks),
      contestant("IDA index 1, KLU, own vectors", Formulation::index_1, Algebra::klu, Vectors::fast),
      contestant("IDA index 2, KLU, own vectors", Formulation::index_2, Algebra::klu, Vectors::fast),
      contestant("IDA stabilized, KLU, own vectors", Formulation::stabilized, Algebra::klu, Vectors::fast),
      contestant("IDA index 2, blocks, own vectors", Formulation::index_2, Algebra::blocks, Vectors::fast)};
}

}  // namespace dalembert::bench::andrews

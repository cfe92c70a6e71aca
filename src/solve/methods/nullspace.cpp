#include "methods/nullspace.hpp"

#include <algorithm>

#include <Eigen/Dense>

#include <dalembert/linalg/lu_factors.hpp>
#include <dalembert/linalg/orthogonal.hpp>
#include <dalembert/system/state_evaluation.hpp>

#include "methods/explicit.hpp"
#include "runge_kutta/state_ode.hpp"

namespace dalembert {
namespace {

using Eigen::Index;

class NullspaceOde : public StateOde {
 public:
  NullspaceOde(const Problem& problem, const SolveOptions& options)
      : StateOde(problem, options),
        at_(problem.system),
        holonomic_(problem.system.holonomic()),
        n_(static_cast<Index>(problem.system.n())),
        r_(static_cast<Index>(problem.active.size())),
        C_transposed_(n_, r_),
        right_(r_),
        a_(n_),
        lambda_(r_) {
    rest_sizes().join();  // one orthogonal basis for all
  }

  bool eval_accelerations(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                          std::span<double> lambda) override {
    if (!eval_motion({t, q, v}, {}, a)) return false;
    std::fill(lambda.begin(), lambda.end(), 0.0);
    // Cᵀ = Q [R; 0], so that R λ are the first rows of Qᵀ (f − M a)
    lambda_ = qr_.Q().leftCols(r_).transpose() * (at_.f - at_.M * a_);
    qr_.R().triangularView<Eigen::Upper>().solveInPlace(lambda_);
    for (std::size_t row = 0; row < active().size(); ++row)
      lambda[active()[row]] = lambda_[static_cast<Index>(row)];
    return true;
  }

 private:
  const std::vector<std::size_t>& active() { return accelerations().rows().active(); }

  bool eval_motion(const Motion& at, const BaumgarteTerms& terms, std::span<double> a) override {
    at_.eval(at.t, at.q, at.v);
    const Eigen::Map<const Eigen::VectorXd> v(at.v.data(), n_);
    for (Index row = 0; row < r_; ++row) {
      const auto constraint = static_cast<Index>(active()[static_cast<std::size_t>(row)]);
      C_transposed_.col(row) = at_.C.row(constraint).transpose();
      right_[row] =
          at_.gamma[constraint] - 2 * terms.alpha * (at_.C.row(constraint).dot(v) + at_.c[constraint]);
      if (constraint < static_cast<Index>(holonomic_)) {
        right_[row] -= terms.beta * terms.beta * at_.g[constraint];
      }
      if (!terms.held.empty()) right_[row] -= terms.held[static_cast<std::size_t>(constraint)];
    }
    if (!C_transposed_.allFinite() || !at_.M.allFinite()) return false;
    qr_.factor(C_transposed_);
    const Eigen::MatrixXd& Q = qr_.Q();
    // the part of a that C determines: a = Q₁ R⁻ᵀ γ
    if (r_ > 0) qr_.R().triangularView<Eigen::Upper>().transpose().solveInPlace(right_);
    a_.noalias() = Q.leftCols(r_) * right_;
    if (n_ > r_) {
      const auto N = Q.rightCols(n_ - r_);
      reduced_mass_.noalias() = N.transpose() * at_.M * N;
      lu_.factor(reduced_mass_);
      a_ += N * lu_.solve(N.transpose() * (at_.f - at_.M * a_));
    }
    std::copy_n(a_.data(), n_, a.begin());
    return a_.allFinite();
  }

  StateEvaluation at_;
  std::size_t holonomic_;
  Index n_, r_;
  Eigen::MatrixXd C_transposed_, reduced_mass_;
  Eigen::VectorXd right_, a_, lambda_;
  OrthogonalFactors qr_;  // of Cᵀ
  LuFactors lu_;
};

}  // namespace

RunReport run_nullspace(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  NullspaceOde ode(problem, options);
  OdeStepper stepper(ode, table_of(options), options, problem.system.n());
  return run_steps(problem, options, sink, stepper);
}

std::string refuse_nullspace(const Problem& problem, const SolveOptions& options) {
  const std::string refusal = refuse_multiplier_forces(problem);
  return refusal.empty() ? refuse_linear(problem, options) : refusal;
}

}  // namespace dalembert

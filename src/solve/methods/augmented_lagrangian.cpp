#include "methods/augmented_lagrangian.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include <dalembert/system/state_evaluation.hpp>

#include "methods/explicit.hpp"
#include "runge_kutta/state_ode.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Large beside the inertia, so that few iterations are enough, and small beside 1/ε.
constexpr double penalty = 1e5;
constexpr double converged = 1e-14;   // change of the solution, relative to it and to what forces alone cause
constexpr double acceptable = 1e-10;  // where rounding errors stop it earlier
constexpr int most_iterations = 30;

// All constraints take part: redundant ones share the forces.
class AugmentedOde : public StateOde {
 public:
  AugmentedOde(const Problem& problem, const SolveOptions& options)
      : StateOde(problem, options),
        at_(problem.system),
        n_(static_cast<Index>(problem.system.n())),
        m_(static_cast<Index>(problem.system.m())),
        holonomic_(static_cast<Index>(problem.system.holonomic())),
        alpha_(m_),
        lambda_(VectorXd::Zero(m_)),
        right_(m_),
        x_(n_) {}

  bool eval_accelerations(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                          std::span<double> lambda) override {
    if (!eval_motion({t, q, v}, {}, a)) return false;
    std::copy_n(lambda_.data(), m_, lambda.begin());
    return true;
  }

 private:
  // α |C_j|² is the penalty times the largest inertia: every direction converges. Smaller diagonals do not
  // tell how light a direction is, since M may be singular where constraints forbid motion.
  bool factor() {
    if (!at_.M.allFinite() || !at_.C.allFinite()) return false;
    heaviest_ = at_.M.diagonal().cwiseAbs().maxCoeff();
    for (Index j = 0; j < m_; ++j) {
      const double size = at_.C.row(j).squaredNorm();
      alpha_[j] = size > 0 ? penalty * heaviest_ / size : 0;
    }
    matrix_ = at_.M;
    matrix_.noalias() += at_.C.transpose() * alpha_.asDiagonal() * at_.C;
    ldlt_.compute(matrix_);
    return ldlt_.info() == Eigen::Success;
  }

  // M x + Cᵀ λ = force, C x = right; λ starts from what is known.
  bool iterate(const VectorXd& force, const VectorXd& right, VectorXd& lambda) {
    double last = INFINITY;
    const double caused = force.norm() / heaviest_;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      ++iterations;
      const VectorXd violation = at_.C * x_ - right;
      const VectorXd change =
          ldlt_.solve(force - at_.M * x_ - at_.C.transpose() * (lambda + alpha_.cwiseProduct(violation)));
      x_ += change;
      lambda += alpha_.cwiseProduct(violation + at_.C * change);
      const double size = change.norm() / std::max(x_.norm() + caused, 1e-300);
      if (!std::isfinite(size)) return false;
      if (size <= converged || (size <= acceptable && size >= last)) return true;
      last = size;
    }
    return last <= acceptable;
  }

  bool eval_motion(const Motion& at, const BaumgarteTerms& terms, std::span<double> a) override {
    at_.eval(at.t, at.q, at.v);
    if (!factor()) return false;
    const Eigen::Map<const VectorXd> v(at.v.data(), n_);
    right_ = at_.gamma - 2 * terms.alpha * (at_.C * v + at_.c);
    right_.head(holonomic_) -= terms.beta * terms.beta * at_.g;
    if (!terms.held.empty()) right_ -= Eigen::Map<const VectorXd>(terms.held.data(), right_.size());
    x_.setZero();
    if (!lambda_.allFinite()) lambda_.setZero();
    if (!iterate(at_.f, right_, lambda_)) {
      reason =
          "the iteration of the augmented Lagrangian does not converge: the constraints are nearly "
          "dependent here";
      return false;
    }
    std::copy_n(x_.data(), n_, a.begin());
    return true;
  }

  // Mass-orthogonal: the change is M⁻¹ Cᵀ times something. Newton's method for the positions.
  bool project(double t, std::span<double> q, std::span<double> v) override {
    constexpr double enough = 1e-8;  // the next change would be below round-off
    // Newton's method converges from a step's end in a few, or not
    constexpr int most_steps = 10;
    for (int step = 0;; ++step) {
      if (step == most_steps || !correct(t, q, v, true)) return false;
      Eigen::Map<VectorXd>(q.data(), n_) += x_;
      if (x_.norm() <= enough * Eigen::Map<VectorXd>(q.data(), n_).norm()) break;
    }
    if (!correct(t, q, v, false)) return false;
    Eigen::Map<VectorXd>(v.data(), n_) += x_;
    return true;
  }

  bool correct(double t, std::span<const double> q, std::span<const double> v, bool positions) {
    at_.eval(t, q, v);
    if (!factor()) return false;
    right_.setZero();
    if (positions) {
      right_.head(holonomic_) = -at_.g;
    } else {
      right_ = -(at_.C * Eigen::Map<const VectorXd>(v.data(), n_) + at_.c);
    }
    x_.setZero();
    if (right_.lpNorm<Eigen::Infinity>() == 0) return true;
    VectorXd multipliers = VectorXd::Zero(m_);
    return iterate(VectorXd::Zero(n_), right_, multipliers);
  }

  StateEvaluation at_;
  Index n_, m_, holonomic_;
  double heaviest_ = 1;  // the largest diagonal of M
  VectorXd alpha_, lambda_, right_, x_;
  Eigen::MatrixXd matrix_;
  Eigen::LDLT<Eigen::MatrixXd> ldlt_;
};

}  // namespace

RunReport run_augmented_lagrangian(const Problem& problem, const SolveOptions& options,
                                   const SampleSink<double>& sink) {
  AugmentedOde ode(problem, options);
  OdeStepper stepper(ode, table_of(options), options, problem.system.n());
  return run_steps(problem, options, sink, stepper);
}

std::string refuse_augmented_lagrangian(const Problem& problem, const SolveOptions& options) {
  if (!problem.system.determined_velocities().empty())
    return "needs a symmetric mass matrix, and here coordinates have no inertia; 'adomian', 'dop853', 'bdf' "
           "and others solve for their velocities";
  if (const std::string refusal = refuse_multiplier_forces(problem); !refusal.empty()) return refusal;
  return refuse_linear(problem, options);
}

}  // namespace dalembert

#include "methods/explicit.hpp"

#include <algorithm>

#include "runge_kutta/state_ode.hpp"

namespace dalembert {
namespace {

class IndexOneOde : public StateOde {
 public:
  using StateOde::StateOde;

 private:
  bool eval_motion(const Motion& at, const BaumgarteTerms& terms, std::span<double> a) override {
    if (!accelerations().eval(at.t, at.q, at.v, terms)) return false;
    std::copy_n(accelerations().a().begin(), a.size(), a.begin());
    return true;
  }
};

RunReport run_explicit(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
                       const char* name) {
  IndexOneOde ode(problem, options);
  OdeStepper stepper(ode, find_runge_kutta(name), options, problem.system.n());
  return run_steps(problem, options, sink, stepper);
}

}  // namespace

RunReport run_euler(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  return run_explicit(problem, options, sink, "euler");
}
RunReport run_heun(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  return run_explicit(problem, options, sink, "heun");
}
RunReport run_kutta3(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  return run_explicit(problem, options, sink, "kutta3");
}
RunReport run_rk4(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  return run_explicit(problem, options, sink, "rk4");
}
RunReport run_dopri5(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  return run_explicit(problem, options, sink, "dopri5");
}
RunReport run_dop853(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  return run_explicit(problem, options, sink, "dop853");
}

std::string refuse_multiplier_forces(const Problem& problem) {
  const ModelData& model = problem.system.model();
  if (problem.system.is_symmetric() && model.frictions.empty() && model.held_signs.empty()) return "";
  return "needs constraint forces that do no work on what the constraints allow, and here forces depend on "
         "multipliers: take 'adomian', an explicit Runge-Kutta method, 'bdf', 'ndf' or 'generalized_alpha'";
}

std::string refuse_linear(const Problem&, const SolveOptions& options) {
  if (options.stabilization != Stabilization::linear) return "";
  return "knows the stabilization 'linear' for kinematic systems only; here baumgarte, projection and none "
         "are possible";
}

}  // namespace dalembert

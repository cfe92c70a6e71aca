#include "explicit.hpp"

#include <algorithm>

#include "accelerations.hpp"
#include "ode_stepper.hpp"

namespace dalembert {
namespace {

// y = (q, v), y' = (v, a) with a from the index-1 form.
class IndexOneOde : public MotionOde {
 public:
  IndexOneOde(const Problem& problem, const SolveOptions& options)
      : n_(problem.system.n()),
        stabilization_(options.stabilization.value_or(Stabilization::projection)),
        alpha_(options.alpha),
        beta_(options.beta),
        constrained_(!problem.active.empty()),
        accelerations_(problem.system, problem.active) {}

  std::vector<std::size_t> groups() const override { return {n_, n_}; }

  void write(double, std::span<const double> q, std::span<const double> v, std::span<double> y) override {
    std::copy(q.begin(), q.end(), y.begin());
    std::copy(v.begin(), v.end(), y.begin() + static_cast<std::ptrdiff_t>(n_));
  }
  bool read(double, std::span<const double> y, std::span<double> q, std::span<double> v) override {
    std::copy_n(y.begin(), n_, q.begin());
    std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(n_), n_, v.begin());
    return true;
  }

  bool eval(double t, std::span<const double> y, std::span<double> slope) override {
    const std::span<const double> v = y.subspan(n_);
    if (!accelerations_.eval(t, y.first(n_), v, gains_)) {
      reason = Accelerations::singular_reason();
      return false;
    }
    std::copy(v.begin(), v.end(), slope.begin());
    std::copy_n(accelerations_.a().begin(), n_, slope.begin() + static_cast<std::ptrdiff_t>(n_));
    return true;
  }

  // Both roots of z² + 2 α z + β² at −1/h, which every method here follows; h is the longest step so far: a
  // gain that grew with shorter steps would shorten them further.
  bool set_step(double h) override {
    if (stabilization_ != Stabilization::baumgarte || !constrained_) return false;
    attempted_ = h;
    const double gain = 1 / (longest_ > 0 ? longest_ : h);
    const BaumgarteGains before = gains_;
    gains_ = {alpha_.value_or(gain), beta_.value_or(gain)};
    return gains_.alpha != before.alpha || gains_.beta != before.beta;
  }

  Finish finish_step(double t, std::span<double> y) override {
    longest_ = std::max(longest_, attempted_);
    if (stabilization_ != Stabilization::projection || !constrained_) return Finish::kept;
    if (accelerations_.project(t, y.first(n_), y.subspan(n_))) return Finish::moved;
    reason = Accelerations::projection_reason();
    return Finish::failed;
  }

 private:
  std::size_t n_;
  Stabilization stabilization_;
  std::optional<double> alpha_, beta_;
  bool constrained_;
  BaumgarteGains gains_;
  double attempted_ = 0, longest_ = 0;  // steps
  Accelerations accelerations_;
};

RunReport run_explicit(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
                       const char* name) {
  IndexOneOde ode(problem, options);
  OdeStepper stepper(ode, find_runge_kutta(name), options, problem.system.n());
  return run_stepper(problem, options, sink, name, stepper);
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

std::string refuse_explicit(const Problem&, const SolveOptions& options) {
  if (options.stabilization != Stabilization::linear) return "";
  return "knows the stabilization 'linear' for kinematic systems only; here baumgarte, projection and none "
         "are possible";
}

}  // namespace dalembert

// DOP853 on the reduced equations q' = v, v' = a(q, v). The right-hand side solves the saddle-point system
// through its Schur complement; after each accepted step (q, v) is projected onto g = 0 and G v = 0 in the
// mass metric.

#include "dop853.hpp"

#include <algorithm>

#include "andrews/contestants.hpp"
#include "andrews/kkt.hpp"
#include "error_norm.hpp"

namespace dalembert::bench::andrews {
namespace {

template <class Trigonometry>
class ReducedSystem {
 public:
  using State = std::array<double, 14>;

  void eval(double, const State& y, State& dydt) {
    read(y);
    const Configuration at = make_configuration<Trigonometry>(q_);
    const Matrices m = make_matrices(at);
    write_slope(at, m, factorize(m), dydt);
  }

  // One correction of q with the factors at the new point, one of v with G at the corrected q and the same
  // factors: both defects are of the size of the local error, so the next order is below round-off.
  void finish_step(double, State& y, State& dydt) {
    read(y);
    Configuration at = make_configuration<Trigonometry>(q_);
    Matrices m = make_matrices(at);
    const KktFactor factor = factorize(m);
    project(m, factor, eval_g(at), q_);
    at = make_configuration<Trigonometry>(q_);
    m = make_matrices(at);
    project(m, factor, multiply_G(m, v_), v_);
    std::copy_n(q_.begin(), 7, y.begin());
    std::copy_n(v_.begin(), 7, y.begin() + 7);
    write_slope(at, m, factorize(m), dydt);
  }

  const Vector6& lambda() const { return lambda_; }  // at the last evaluation

 private:
  void read(const State& y) {
    std::copy_n(y.begin(), 7, q_.begin());
    std::copy_n(y.begin() + 7, 7, v_.begin());
  }

  void write_slope(const Configuration& at, const Matrices& m, const KktFactor& factor, State& dydt) {
    Vector7 a;
    solve_kkt(m, factor, eval_f(at, v_), eval_gamma(at, v_), a, lambda_);
    std::copy_n(v_.begin(), 7, dydt.begin());
    std::copy_n(a.begin(), 7, dydt.begin() + 7);
  }

  Vector7 q_, v_;
  Vector6 lambda_;
};

template <class Trigonometry>
Result run(double tolerance) {
  using System = ReducedSystem<Trigonometry>;
  Dop853Options<14> options;
  // Angles are of size 1 and velocities of size 1000: absolute tolerances in these units cost 25 % less at
  // equal error than relative ones. Safety 0.8 and no PI damping did best among 0.8, 0.9, 0.95 and 0, 0.04,
  // 0.08.
  options.relative_tolerance = 0;
  std::fill_n(options.absolute_tolerance.begin(), 7, tolerance);
  std::fill_n(options.absolute_tolerance.begin() + 7, 7, 1e3 * tolerance);
  options.safety = 0.8;
  System system;
  Dop853<14, System> solver(system, options);
  typename System::State y;
  std::copy_n(initial_q.begin(), 7, y.begin());
  std::copy_n(initial_v.begin(), 7, y.begin() + 7);
  const Dop853Report report = solver.solve(0, end_time, y);
  Vector7 q, v;
  std::copy_n(y.begin(), 7, q.begin());
  std::copy_n(y.begin() + 7, 7, v.begin());
  return {report.reached_end, state_error(q, v, end_q, end_v, largest(end_v)),
          relative_error(system.lambda(), end_lambda), report.accepted, report.rejected};
}

}  // namespace

std::vector<Contestant> dop853_contestants() {
  const std::vector<double> tolerances = tolerance_range(1e-5, 1e-14, 3);
  return {{"DOP853, C library sin/cos", tolerances, run<LibraryTrigonometry>},
          {"DOP853, vector sin/cos", tolerances, run<LaneTrigonometry>}};
}

}  // namespace dalembert::bench::andrews

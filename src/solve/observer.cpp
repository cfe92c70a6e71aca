#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/solve/observer.hpp>

namespace dalembert {

namespace {

// The roots of the Legendre polynomial P_n and their weights 2 / ((1 − x²) P_n'(x)²), by Newton's method.
template <class S>
void gauss_legendre(int n, std::vector<S>& nodes, std::vector<S>& weights) {
  const S one(1);
  for (int i = 1; i <= n; ++i) {
    S x = ScalarMath<S>::cos(ScalarMath<S>::pi() * (S(i) - S(0.25)) / (S(n) + S(0.5)));
    S slope(0);
    constexpr int enough = 12;  // quadratic convergence from two digits: thousands of digits
    for (int iteration = 0; iteration < enough; ++iteration) {
      S before(1);
      S p = x;
      for (int k = 2; k <= n; ++k) {  // k P_k = (2k − 1) x P_{k−1} − (k − 1) P_{k−2}
        const S next = (S(2 * k - 1) * x * p - S(k - 1) * before) / S(k);
        before = p;
        p = next;
      }
      slope = S(n) * (x * p - before) / (x * x - one);
      x -= p / slope;
    }
    nodes.push_back(x);
    weights.push_back(S(2) / ((one - x * x) * slope * slope));
  }
}

}  // namespace

template <class S, int W>
Observer<S, W>::Observer(const System& system, int quadrature_points)
    : kinetic(0),
      potential(0),
      energy(0),
      energy_scale(0),
      outputs(system.observables().outputs.size(), S(0)),
      system_(&system),
      observables_(system.observables().program, system.constants<S>(system.observables().program), 0),
      energy_(system.energy().program, system.constants<S>(system.energy().program), 0),
      q_(system.n()),
      v_(system.n()),
      a_(system.n()),
      lambda_(system.m()) {
  if (!system.energy().conservative) gauss_legendre(quadrature_points, nodes_, weights_);
}

template <class S, int W>
void Observer<S, W>::set(Series<S, W>& series, const System& system, const State& state) {
  const std::vector<Register>& inputs = series.program().inputs;
  series.set(inputs[System::input_t()], 0, state.t);
  for (std::size_t i = 0; i < system.n(); ++i) {
    series.set(inputs[system.input_q(i)], 0, state.q[i]);
    series.set(inputs[system.input_v(i)], 0, state.v[i]);
    series.set(inputs[system.input_a(i)], 0, state.a[i]);
  }
  for (std::size_t j = 0; j < system.m(); ++j) series.set(inputs[system.input_lambda(j)], 0, state.lambda[j]);
  for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) series.run(stage, 0);
}

template <class S, int W>
void Observer<S, W>::eval(const State& state) {
  set(observables_, *system_, state);
  const ObservableProgram& p = system_->observables();
  kinetic = observables_.output(p.K, 0);
  potential = observables_.output(p.V, 0);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = observables_.output(p.outputs[i], 0);
  energy = eval_energy(state);
}

template <class S, int W>
S Observer<S, W>::eval_energy(const State& state) {
  set(energy_, *system_, state);
  const S total = energy_.output(system_->energy().energy, 0);
  const S moving = energy_.output(system_->energy().kinetic, 0);
  energy_scale = ScalarMath<S>::abs(moving) + ScalarMath<S>::abs(S(total - moving));
  return total;
}

template <class S, int W>
S Observer<S, W>::eval_power(const State& state) {
  set(energy_, *system_, state);
  return energy_.output(system_->energy().power, 0);
}

template <class S, int W>
S Observer<S, W>::work(const StepPolynomials<S>& step, const S& from, const S& to) {
  return work(from, to, [&](const S& tau) -> State {
    step.eval_q(tau, q_);
    step.eval_v(tau, v_);
    step.eval_a(tau, a_);
    step.eval_lambda(tau, lambda_);
    return {step.t0 + tau, q_, v_, a_, lambda_};
  });
}

template class Observer<double, native_lanes>;
template class Observer<Real, 1>;

}  // namespace dalembert

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

template <class S>
Observer<S>::Observer(const System& system, int quadrature_points)
    : kinetic(0),
      potential(0),
      energy(0),
      energy_scale(0),
      outputs(system.observables().outputs.size(), S(0)),
      system_(&system),
      observables_(system, system.observables().program),
      energy_(system, system.energy().program),
      q_(system.n()),
      v_(system.n()),
      a_(system.n()),
      lambda_(system.m()) {
  if (!system.energy().conservative) gauss_legendre(quadrature_points, nodes_, weights_);
}

template <class S>
void Observer<S>::set(PlainValues<S>& values, const State& state) {
  values.set(System::input_t(), state.t);
  values.set(system_->input_q(0), state.q);
  values.set(system_->input_v(0), state.v);
  values.set(system_->input_a(0), state.a);
  values.set(system_->input_lambda(0), state.lambda);
  values.run();
}

template <class S>
void Observer<S>::eval(const State& state) {
  set(observables_, state);
  const ObservableProgram& p = system_->observables();
  kinetic = observables_.value(p.K);
  potential = observables_.value(p.V);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = observables_.value(p.outputs[i]);
  energy = eval_energy(state);
}

template <class S>
S Observer<S>::eval_energy(const State& state) {
  set(energy_, state);
  S total = energy_.value(system_->energy().energy);
  const S moving = energy_.value(system_->energy().kinetic);
  energy_scale = ScalarMath<S>::abs(moving) + ScalarMath<S>::abs(S(total - moving));
  return total;
}

template <class S>
S Observer<S>::eval_power(const State& state) {
  set(energy_, state);
  return energy_.value(system_->energy().power);
}

template <class S>
S Observer<S>::work(const StepPolynomials<S>& step, const S& from, const S& to) {
  return work(from, to, [&](const S& tau) -> State {
    step.eval_q(tau, q_);
    step.eval_v(tau, v_);
    step.eval_a(tau, a_);
    step.eval_lambda(tau, lambda_);
    return {step.t0 + tau, q_, v_, a_, lambda_};
  });
}

template class Observer<double>;
template class Observer<Real>;

}  // namespace dalembert

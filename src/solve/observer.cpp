#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/solve/observer.hpp>

namespace dalembert {

template <class S, int W>
Observer<S, W>::Observer(const System& system, int max_order)
    : kinetic(LaneMath<S>::of(0)),
      potential(LaneMath<S>::of(0)),
      energy(LaneMath<S>::of(0)),
      outputs(system.observables().outputs.size(), LaneMath<S>::of(0)),
      system_(&system),
      observables_(system.observables().program,
                   evaluate_constants<S>(system.observables().program, system.parameter_values<S>()), 0),
      energy_(system.energy().program,
              evaluate_constants<S>(system.energy().program, system.parameter_values<S>()), max_order),
      power_(static_cast<std::size_t>(max_order) + 1, LaneMath<S>::of(0)) {
  if (max_order > 0) energy_.set(system.energy().program.inputs[System::input_t()], 1, LaneMath<S>::of(1));
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
  return energy_.output(system_->energy().energy, 0);
}

template <class S, int W>
void Observer<S, W>::expand_power(const StepPolynomials<S>& step) {
  const std::vector<Register>& inputs = energy_.program().inputs;
  energy_.set(inputs[System::input_t()], 0, step.t0);
  order_ = step.order - 1;
  for (int k = 0; k <= order_; ++k) {
    const auto row = static_cast<std::size_t>(k);
    for (std::size_t i = 0; i < step.n; ++i) {
      energy_.set(inputs[system_->input_q(i)], k, step.q[row * step.n + i]);
      energy_.set(inputs[system_->input_v(i)], k, step.v[row * step.n + i]);
      energy_.set(inputs[system_->input_a(i)], k, step.a[row * step.n + i]);
    }
    for (std::size_t j = 0; j < step.m; ++j) {
      energy_.set(inputs[system_->input_lambda(j)], k, step.lambda[row * step.m + j]);
    }
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) energy_.run(stage, k);
    power_[row] = energy_.output(system_->energy().power, k);
  }
}

// Σ power_k τ^(k+1)/(k+1)
template <class S, int W>
S Observer<S, W>::work(const S& tau) const {
  S sum = LaneMath<S>::of(0);
  for (int k = order_; k >= 0; --k)
    sum = sum * tau + power_[static_cast<std::size_t>(k)] / LaneMath<S>::of(k + 1);
  return sum * tau;
}

template class Observer<double, native_lanes>;
template class Observer<Real, 1>;

}  // namespace dalembert

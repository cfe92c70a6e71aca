#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/expr/functions/all.hpp>
#include <dalembert/solve/observer.hpp>

#include "series/as_double.hpp"

namespace dalembert {

namespace {

// Calls f with the roots of the Legendre polynomial P_n and their weights 2 / ((1 − x²) P_n'(x)²), by
// Newton's method.
template <class S, class F>
void gauss_legendre(std::size_t n, F f) {
  const S one(1);
  const auto degree = static_cast<int>(n);
  for (int i = 1; i <= degree; ++i) {
    S x =
        functions::value_of<functions::Cos>(S(ScalarMath<S>::pi() * (S(i) - S(0.25)) / (S(degree) + S(0.5))));
    S slope(0);
    constexpr int enough = 12;  // quadratic convergence from two digits: thousands of digits
    for (int iteration = 0; iteration < enough; ++iteration) {
      S before(1);
      S p = x;
      for (int k = 2; k <= degree; ++k) {  // k P_k = (2k − 1) x P_{k−1} − (k − 1) P_{k−2}
        const S next = (S(2 * k - 1) * x * p - S(k - 1) * before) / S(k);
        before = p;
        p = next;
      }
      slope = S(degree) * (x * p - before) / (x * x - one);
      const S root = x;
      x -= p / slope;
      if (x == root) break;
    }
    f(x, S(2) / ((one - x * x) * slope * slope));
  }
}

// Whether a or λ occur in it.
bool reads_accelerations(const Program& program) {
  const auto reads = [&](Register r) {
    return r != no_register && program.register_stages[r] == Stage::acceleration;
  };
  return std::ranges::any_of(program.instructions, reads, &Instruction::result) ||
         std::ranges::any_of(program.outputs, reads, &Scaled::x);
}

}  // namespace

template <class S>
Observer<S>::Observer(const System& system, int quadrature_points,
                      std::span<const ParameterValues> parameters)
    : kinetic(LaneMath<S>::of(0)),
      potential(kinetic),
      energy(kinetic),
      energy_scale(kinetic),
      outputs(system.observables().outputs.size(), kinetic),
      total(kinetic),
      moving(kinetic),
      system_(&system),
      observables_(make_plain_values<S>(system, system.observables().program, parameters)),
      energy_(make_plain_values<S>(system, system.energy().program, parameters)),
      reads_accelerations_(reads_accelerations(system.energy().program)),
      outputs_read_accelerations_(reads_accelerations(system.observables().program)),
      q_(system.n()),
      v_(system.n()),
      a_(system.n()),
      lambda_(system.m()) {
  if (system.energy().conservative) return;
  rules_.resize(static_cast<std::size_t>(quadrature_points) + 1);
  for (std::size_t n = 0; n < rules_.size(); ++n) rules_[n].reserve(n);
}

// Steps are a third of the distance to the next singularity at most, so that n points on a share r of a step
// have the error of (r/5)²ⁿ: as small as that of all points on the whole.
template <class S>
auto Observer<S>::rule_for(double share) -> std::span<const QuadraturePoint> {
  constexpr double distance = 5;
  const auto most = static_cast<double>(rules_.size() - 1);
  const double points = std::ceil(most * std::log(distance) / std::log(distance / share));
  const auto count = static_cast<std::size_t>(share > 0 && points < most ? points : most);
  std::vector<QuadraturePoint>& rule = rules_[count];
  if (rule.empty()) {
    using Scalar = typename LaneMath<S>::Scalar;
    gauss_legendre<Scalar>(count, [&](const Scalar& x, const Scalar& weight) {
      rule.push_back({in_all_lanes<S>(x), in_all_lanes<S>(weight)});
    });
  }
  return rule;
}

template <class S>
void Observer<S>::set(PlainValues<S>& values, const State& state, bool with_accelerations) {
  values.set(System::input_t(), state.t);
  values.set(system_->input_q(0), state.q);
  values.set(system_->input_v(0), state.v);
  if (with_accelerations) {
    values.set(system_->input_a(0), state.a);
    values.set(system_->input_lambda(0), state.lambda);
  }
  values.run();
}

template <class S>
template <class F>
void Observer<S>::for_each_register_of(std::size_t call, F f) {
  const auto look = [&](PlainValues<S>& values, const Program& program) {
    const Register r = register_of(system_->switches().calls[call], program);
    if (r != no_register) f(values, r);
  };
  look(observables_, system_->observables().program);
  look(energy_, system_->energy().program);
}

template <class S>
void Observer<S>::hold_sign(std::size_t i, const S& value) {
  for_each_register_of(i, [&](PlainValues<S>& values, Register r) { values.hold_sign(r, value); });
  if (std::find(held_.begin(), held_.end(), i) == held_.end()) held_.push_back(i);
}

template <class S>
void Observer<S>::release_signs() {
  while (!held_.empty()) {
    for_each_register_of(held_.back(), [](PlainValues<S>& values, Register r) { values.release_sign(r); });
    held_.pop_back();
  }
}

template <class S>
void Observer<S>::eval(const State& state) {
  set(observables_, state, outputs_read_accelerations_);
  const ObservableProgram& p = system_->observables();
  kinetic = observables_.value(p.K);
  potential = observables_.value(p.V);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = observables_.value(p.outputs[i]);
  energy = eval_energy(state);
}

template <class S>
S Observer<S>::eval_energy(const State& state) {
  set(energy_, state, reads_accelerations_);
  total = energy_.value(system_->energy().energy);
  moving = energy_.value(system_->energy().kinetic);
  energy_scale = ScalarMath<S>::abs(moving) + ScalarMath<S>::abs(S(total - moving));
  return total;
}

template <class S>
S Observer<S>::eval_power(const State& state) {
  set(energy_, state, reads_accelerations_);
  return energy_.value(system_->energy().power);
}

template <class S>
S Observer<S>::work(const StepPolynomials<S>& step, const S& from, const S& to,
                    const std::function<void(const S&)>& before) {
  const double share = std::abs(as_double(S(to - from)) / as_double(step.h));
  return work(from, to, share, [&](const S& tau) -> State {
    if (before) before(tau);
    step.eval_q(tau, q_);
    step.eval_v(tau, v_);
    if (reads_accelerations_) {
      step.eval_a(tau, a_);
      step.eval_lambda(tau, lambda_);
    }
    return {step.t0 + tau, q_, v_, a_, lambda_};
  });
}

template class Observer<double>;
template class Observer<Real>;
template class Observer<Lanes<4>>;
template class Observer<Lanes<8>>;

}  // namespace dalembert

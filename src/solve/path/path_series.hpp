// The functions of a path along one step, in doubles or lanes: their series, and their values at states.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/solve/path_watch.hpp>
#include <dalembert/tape/interval_values.hpp>
#include <dalembert/tape/series.hpp>

#include "series/as_double.hpp"

namespace dalembert {

template <class S>
class PathSeries {
 public:
  using State = typename Observer<S>::State;
  static constexpr std::size_t lanes = LaneMath<S>::lanes;

  PathSeries(const PathFunctions& functions, int max_order)
      : functions_(functions),
        max_order_(max_order),
        constants_(functions.program.constants.size()),
        series_(functions.series_plan, constants_, max_order),
        values_(functions.value_plan, constants_, 0),
        rows_(functions.multipliers.size(), PathFunctions::no_row),
        coefficients_(functions.size() * (static_cast<std::size_t>(max_order) + 1)) {}

  /// The system of the steps to come; `parameters` of each lane.
  void enter(const System& system, std::span<const ParameterValues> parameters) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::vector<double> of_lane = functions_.constants.eval(parameters[i]);
      for (std::size_t k = 0; k < constants_.size(); ++k)
        reinterpret_cast<double*>(&constants_[k])[i] = of_lane[k];
    }
    series_.set_constants(constants_);
    values_.set_constants(constants_);
    rows_ = functions_.rows_in(system);
  }

  /// Series of the step. False: it has too many terms.
  bool read(const StepPolynomials<S>& step, double begin) {
    order_ = step.order;
    if (order_ > max_order_) return false;
    const std::size_t n = functions_.coordinates;
    for (int k = 0; k <= order_; ++k) {
      series_.inputs(0, 1, k)[0] = in_all_lanes<S>(k == 0 ? begin : k == 1 ? 1 : 0);
      std::copy_n(step.q(k), n, series_.inputs(functions_.input_q(), n, k).begin());
      std::copy_n(step.v(k), n, series_.inputs(functions_.input_v(), n, k).begin());
      series_.run(Stage::position, k);
      series_.run(Stage::velocity, k);
      if (k == order_) break;  // a and λ end before
      std::copy_n(step.q(k) + 2 * n, n, series_.inputs(functions_.input_a(), n, k).begin());
      place_multipliers(series_.inputs(functions_.input_lambda(), rows_.size(), k), step.q(k) + 3 * n);
      series_.run(Stage::acceleration, k);
    }
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      for (int k = 0; k < terms(i); ++k) coefficient(i, k) = series_.output(functions_.program.outputs[i], k);
    }
    return true;
  }
  /// How many coefficients a function has.
  int terms(std::size_t function) const { return order_ + (functions_.of_accelerations[function] ? 0 : 1); }
  int order() const { return order_; }
  S& coefficient(std::size_t function, int k) {
    return coefficients_[function * (static_cast<std::size_t>(max_order_) + 1) + static_cast<std::size_t>(k)];
  }
  /// Of a register of the program.
  const S& coefficient_of(Register r, int k) const { return series_.get(r, k); }

  /// Values at a state of the system that was entered.
  void eval(const State& state) {
    eval_motion(state.t, state.q, state.v);
    const std::size_t n = functions_.coordinates;
    std::ranges::copy(state.a, values_.inputs(functions_.input_a(), n, 0).begin());
    place_multipliers(values_.inputs(functions_.input_lambda(), rows_.size(), 0), state.lambda.data());
    values_.run(Stage::acceleration, 0);
  }
  /// Of functions without accelerations and multipliers.
  void eval_motion(const S& t, std::span<const S> q, std::span<const S> v) {
    const std::size_t n = functions_.coordinates;
    values_.inputs(0, 1, 0)[0] = t;
    std::ranges::copy(q, values_.inputs(functions_.input_q(), n, 0).begin());
    std::ranges::copy(v, values_.inputs(functions_.input_v(), n, 0).begin());
    values_.run(Stage::position, 0);
    values_.run(Stage::velocity, 0);
  }
  /// Of a register of the program, after eval() or eval_motion().
  S value_of(Register r) const { return values_.get(r, 0); }
  S value(std::size_t function) const { return values_.output(functions_.program.outputs[function], 0); }

  /// How far a function may be off where q, v, a and λ are by some roundings of the largest of each: where
  /// its terms cancel, all of it is that. Zero where that is not bounded.
  double noise(const State& state, std::size_t function, std::size_t i) const {
    std::vector<Interval> constants;
    for (const S& one : constants_) constants.emplace_back(lane(one, i));
    IntervalValues values(functions_.program, std::move(constants));
    values.set(0, lane(state.t, i));
    const std::size_t n = functions_.coordinates;
    set_near(values, functions_.input_q(), state.q.first(n), i);
    set_near(values, functions_.input_v(), state.v.first(n), i);
    set_near(values, functions_.input_a(), state.a.first(n), i);
    std::vector<S> lambda(rows_.size());
    place_multipliers(lambda, state.lambda.data());
    set_near(values, functions_.input_lambda(), lambda, i);
    values.run();
    const double width = values.value(functions_.program.outputs[function]).width();
    return std::isfinite(width) ? width : 0;
  }

 private:
  static void set_near(IntervalValues& values, std::size_t input, std::span<const S> x, std::size_t i) {
    constexpr double roundings = 1e-12;  // as at the end of a step (PathWatch)
    double largest = 0;
    for (const S& one : x) largest = std::max(largest, std::abs(lane(one, i)));
    for (const S& one : x) {
      const double at = lane(one, i), off = roundings * largest;
      values.set(input++, {at - off, at + off});
    }
  }
  void place_multipliers(std::span<S> inputs, const S* lambda) const {
    for (std::size_t j = 0; j < inputs.size(); ++j)
      inputs[j] = rows_[j] == PathFunctions::no_row ? LaneMath<S>::of(0) : lambda[rows_[j]];
  }

  const PathFunctions& functions_;
  int max_order_;
  std::vector<S> constants_;
  Series<S> series_, values_;
  std::vector<std::size_t> rows_;  // of the system's multipliers, by input
  std::vector<S> coefficients_;    // [function][order]
  int order_ = 0;
};

}  // namespace dalembert

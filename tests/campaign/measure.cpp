#include "campaign/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <dalembert/system/state_evaluation.hpp>

namespace dalembert::campaign {
namespace {

void raise_small_ones(std::vector<double>& sizes) {
  constexpr double smallest = 1e-3;  // as in solve/control/error_scale.hpp
  double largest = 0;
  for (const double size : sizes) largest = std::max(largest, size);
  for (double& size : sizes) size = std::max({size, smallest * largest, 1e-300});
}

double distance(std::span<const double> a, std::span<const double> b, std::span<const double> sizes) {
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double off = std::abs(a[i] - b[i]) / sizes[i];
    if (!(off <= result)) result = off;  // what is not a number counts as largest
  }
  return result;
}

}  // namespace

Sizes::Sizes(const Trial& trial) : q(trial.states.at(0).q.size()), v(q.size()) {
  for (const TrialState& state : trial.states) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] = std::max(q[i], std::abs(state.q[i]));
      v[i] = std::max(v[i], std::abs(state.v[i]));
    }
  }
  raise_small_ones(q);
  // what rests moves by round-off
  const double duration = std::abs(trial.report.end_time - trial.report.start_time);
  const double speed = *std::max_element(q.begin(), q.end()) / duration;
  for (double& size : v) size = std::max(size, 1e-3 * speed);
  raise_small_ones(v);
}

std::vector<double> distances(const Trial& a, const Trial& b, const Sizes& sizes) {
  std::vector<double> result(std::min(a.states.size(), b.states.size()));
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] = std::max(distance(a.states[k].q, b.states[k].q, sizes.q),
                         distance(a.states[k].v, b.states[k].v, sizes.v));
  }
  return result;
}

std::vector<double> growth(std::span<const double> values) {
  std::vector<double> result;
  double smallest = values.empty() ? 0 : values[0];
  double largest = 1;
  for (const double value : values) {
    if (smallest > 0) largest = std::max(largest, value / smallest);
    if (value > 0) smallest = std::min(smallest, value);
    result.push_back(largest);
  }
  return result;
}

ResidualSizes::ResidualSizes(const System& system, const Trial& trial, const Sizes& sizes) {
  StateEvaluation at(system);
  const Eigen::Map<const Eigen::VectorXd> v(sizes.v.data(), static_cast<Eigen::Index>(sizes.v.size()));
  const double start = trial.report.start_time;
  const double step = (trial.report.end_time - start) / static_cast<double>(trial.states.size());
  for (std::size_t k = 0; k < trial.states.size(); ++k) {
    const TrialState& state = trial.states[k];
    at.eval(start + step * static_cast<double>(k), state.q, state.v);
    kinetic = std::max(kinetic, v.dot(at.M.cwiseAbs() * v) / 2);
    double of_forces = 0;
    for (Eigen::Index row = 0; row < at.C.rows(); ++row) {
      double of_q = 0, of_v = std::abs(at.c[row]);
      for (Eigen::Index i = 0; i < at.C.cols(); ++i) {
        of_q += std::abs(at.C(row, i)) * sizes.q[static_cast<std::size_t>(i)];
        of_v += std::abs(at.C(row, i)) * sizes.v[static_cast<std::size_t>(i)];
      }
      if (row < at.g.size()) {
        position = std::max(position, of_q);
        of_forces += std::abs(state.lambda[static_cast<std::size_t>(row)]) * of_q;
      }
      velocity = std::max(velocity, of_v);
    }
    held = std::max(held, of_forces);
  }
}

}  // namespace dalembert::campaign

#include "residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

#include <dalembert/system/auxiliary.hpp>
#include <dalembert/system/rounding.hpp>

namespace dalembert {

using Eigen::Index;
using Eigen::VectorXd;

RoundOff::RoundOff(const System& system, double t)
    : system_(&system),
      t_(t),
      values_(system.parameter_values<double>()),
      quaternions_(find_quaternions(system)) {}

VectorXd RoundOff::sizes(const VectorXd& q) const {
  VectorXd result = q.cwiseAbs();
  for (const auto& quaternion : quaternions_) {
    double square = 0;
    for (const std::size_t i : quaternion) square += q[static_cast<Index>(i)] * q[static_cast<Index>(i)];
    for (const std::size_t i : quaternion) result[static_cast<Index>(i)] = std::sqrt(square);
  }
  return result;
}

const std::unordered_map<NodeId, double>& RoundOff::values_at(const VectorXd& q, const VectorXd& v) const {
  const Equations& e = system_->equations();
  values_[e.t.id()] = t_;
  for (std::size_t i = 0; i < e.n(); ++i) {
    values_[e.q[i].id()] = q[static_cast<Index>(i)];
    values_[e.v[i].id()] = v[static_cast<Index>(i)];
  }
  return values_;
}

VectorXd RoundOff::position_bounds(const VectorXd& q) const {
  const Equations& e = system_->equations();
  VectorXd bounds(static_cast<Index>(e.g.size()));
  const auto rounded = evaluate_with_error(system_->flat_positions(), values_at(q, VectorXd::Zero(q.size())));
  for (Index i = 0; i < bounds.size(); ++i) bounds[i] = rounded[static_cast<std::size_t>(i)].error;
  return bounds;
}

// |δ(C v + c)| <= Σ (|δC_ij| |v_j| + 2 u |C_ij v_j|) + |δc_i|
VectorXd RoundOff::velocity_bounds(const VectorXd& q, const VectorXd& v) const {
  const Equations& e = system_->equations();
  const auto rounded = evaluate_with_error(system_->flat_velocities(), values_at(q, v));
  VectorXd bounds(static_cast<Index>(e.m()));
  for (Index i = 0; i < bounds.size(); ++i) bounds[i] = rounded[static_cast<std::size_t>(i)].error;
  const double speed = v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0;
  std::size_t k = e.m();
  for (const auto& entry : e.C.entries) {
    const RoundedValue& factor = rounded[k++];
    // what was computed together has the round-off of the largest
    bounds[entry.row] += factor.error * std::abs(v[entry.column]) +
                         std::numeric_limits<double>::epsilon() * std::abs(factor.value) * speed;
  }
  return bounds;
}

std::vector<Index> RoundOff::vanishing_rows(const VectorXd& q) const {
  constexpr double enough = 4;  // as for residuals
  const Equations& e = system_->equations();
  std::vector<Expr> roots;
  for (const auto& entry : e.C.entries) roots.push_back(entry.value);
  const auto rounded = evaluate_with_error(roots, values_at(q, VectorXd::Zero(q.size())));
  std::vector<bool> vanishes(e.m(), true);
  for (std::size_t k = 0; k < rounded.size(); ++k) {
    if (!(std::abs(rounded[k].value) <= enough * rounded[k].error)) vanishes[e.C.entries[k].row] = false;
  }
  std::vector<Index> rows;
  for (std::size_t j = 0; j < vanishes.size(); ++j)
    if (vanishes[j]) rows.push_back(static_cast<Index>(j));
  return rows;
}

VectorXd RoundOff::acceleration_bounds(const VectorXd& q, const VectorXd& v) const {
  const Equations& e = system_->equations();
  VectorXd bounds(static_cast<Index>(e.m()));
  // what was computed together has the round-off of the largest
  std::unordered_map<NodeId, double> errors;
  for (std::size_t i = 0; i < e.n(); ++i) {
    errors[e.q[i].id()] = std::numeric_limits<double>::epsilon() * q.lpNorm<Eigen::Infinity>();
    errors[e.v[i].id()] = std::numeric_limits<double>::epsilon() * v.lpNorm<Eigen::Infinity>();
  }
  const auto rounded = evaluate_with_error(system_->flat_accelerations(), values_at(q, v), errors);
  for (Index i = 0; i < bounds.size(); ++i) bounds[i] = rounded[static_cast<std::size_t>(i)].error;
  return bounds;
}

}  // namespace dalembert

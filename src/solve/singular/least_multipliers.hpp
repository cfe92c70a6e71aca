// The multipliers of all constraints from those of the independent ones.
//
// Rows of C that depend on the independent ones are C_d = D C_a. The same constraint force is given by all
//   λ_a − Dᵀ z,   λ_d + z
// and of them we take the least in the norm of the joints' own multipliers: equal rods share alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/expr/scalar.hpp>
#include <dalembert/linalg/dense_lu.hpp>
#include <dalembert/linalg/policy.hpp>
#include <dalembert/system/auxiliary.hpp>
#include <dalembert/system/plain_values.hpp>
#include <dalembert/system/row_choice.hpp>
#include <dalembert/system/system.hpp>

#include "series/as_double.hpp"

namespace dalembert {

template <class S>
class LeastMultipliers {
 public:
  LeastMultipliers(const System& system, std::span<const std::size_t> active)
      : system_(&system), rows_(system, active), gram_(0), normal_(0) {
    take_rows();
    if (dependent_.empty()) return;  // room is taken only where it is needed
    q_.assign(system.n(), 0);
    values_.emplace(system, system.dynamics().program);
    C_.assign(system.m() * system.n(), S(0));
    counts_ = find_auxiliary(system);
    counts_.flip();
    z_.assign(dependent_.size(), S(0));
    normal_ = DenseLu<S, LaneMath<S>>(dependent_.size());
    gram_ = DenseLu<S, LaneMath<S>>(active_.size());
    D_.assign(dependent_.size(), std::vector<S>(active_.size(), S(0)));
  }

  /// `lambda` of all constraints at a state on the constraints. Valid until the next call.
  std::span<const S> eval(const S& t, std::span<const S> q, std::span<const S> lambda) {
    if (dependent_.empty()) return lambda;
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = as_double(q[i]);
    if (rows_.improve(as_double(t), q_, q_)) take_rows();  // C does not depend on velocities
    eval_C(t, q);
    if (!eval_D() || !solve_normal_equations(lambda)) return lambda;
    lambda_.assign(lambda.begin(), lambda.end());
    for (std::size_t i = 0; i < dependent_.size(); ++i) {
      for (std::size_t row = 0; row < active_.size(); ++row) lambda_[active_[row]] -= z_[i] * D_[i][row];
      lambda_[dependent_[i]] += z_[i];
    }
    return lambda_;
  }

 private:
  void take_rows() {
    active_ = rows_.active();
    dependent_.clear();
    for (std::size_t j = 0; j < system_->m(); ++j) {
      if (!std::binary_search(active_.begin(), active_.end(), j)) dependent_.push_back(j);
    }
  }

  static S dot(std::span<const S> a, std::span<const S> b) {
    S sum(0);
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  std::span<const S> row(std::size_t j) const {
    return std::span(C_).subspan(j * system_->n(), system_->n());
  }

  void eval_C(const S& t, std::span<const S> q) {
    values_->set(System::input_t(), t);
    values_->set(system_->input_q(0), q);
    values_->run(Stage::position);
    for (const MatrixEntry& entry : system_->dynamics().C) {
      C_[entry.row * system_->n() + entry.column] = values_->value(entry.value);
    }
    for (std::size_t k = 0; k < system_->n(); ++k) scale_column(k);
  }
  // Rows depend on each other in any units of the coordinates.
  void scale_column(std::size_t k) {
    S largest(0);
    for (std::size_t at = k; at < C_.size(); at += system_->n()) {
      const S size = C_[at] < 0 ? S(-C_[at]) : C_[at];
      if (size > largest) largest = size;
    }
    if (!(largest > 0)) return;
    for (std::size_t at = k; at < C_.size(); at += system_->n()) C_[at] /= largest;
  }

  // C_a C_aᵀ d_j = C_a C_jᵀ, with the rows of C_a made as long as one: d_j by their length
  bool eval_D() {
    length_.clear();
    for (const std::size_t j : active_) length_.push_back(ScalarMath<S>::sqrt(dot(row(j), row(j))));
    for (std::size_t i = 0; i < active_.size(); ++i) {
      for (std::size_t j = 0; j < active_.size(); ++j)
        gram_.entry(i, j) = dot(row(active_[i]), row(active_[j])) / (length_[i] * length_[j]);
    }
    if (!gram_.factor(policy::singular_pivot)) return false;
    constexpr int refinements = 2;  // the product C_a C_aᵀ has lost half of the digits
    for (std::size_t i = 0; i < dependent_.size(); ++i) {
      std::fill(D_[i].begin(), D_[i].end(), S(0));
      for (int k = 0; k <= refinements; ++k) refine(D_[i], row(dependent_[i]));
    }
    return true;
  }
  // d += what is left of C_j − d C_a
  void refine(std::vector<S>& d, std::span<const S> wanted) {
    rest_.assign(wanted.begin(), wanted.end());
    for (std::size_t j = 0; j < active_.size(); ++j) {
      for (std::size_t k = 0; k < rest_.size(); ++k) rest_[k] -= d[j] * row(active_[j])[k];
    }
    change_.clear();
    for (std::size_t j = 0; j < active_.size(); ++j)
      change_.push_back(dot(row(active_[j]), rest_) / length_[j]);
    gram_.solve(change_);
    for (std::size_t j = 0; j < active_.size(); ++j) d[j] += change_[j] / length_[j];
  }

  // (W_d + D W_a Dᵀ) z = D W_a λ_a − W_d λ_d
  bool solve_normal_equations(std::span<const S> lambda) {
    for (std::size_t i = 0; i < dependent_.size(); ++i) {
      for (std::size_t j = 0; j < dependent_.size(); ++j) {
        S sum(i == j && counts_[dependent_[i]] ? 1 : 0);
        for (std::size_t row = 0; row < active_.size(); ++row) {
          if (counts_[active_[row]]) sum += D_[i][row] * D_[j][row];
        }
        normal_.entry(i, j) = sum;
      }
      z_[i] = counts_[dependent_[i]] ? S(-lambda[dependent_[i]]) : S(0);
      for (std::size_t row = 0; row < active_.size(); ++row) {
        if (counts_[active_[row]]) z_[i] += D_[i][row] * lambda[active_[row]];
      }
    }
    // scaled to a diagonal of one: multipliers have different units
    length_.clear();
    for (std::size_t i = 0; i < z_.size(); ++i) {
      if (!(normal_.entry(i, i) > 0)) return false;
      length_.push_back(ScalarMath<S>::sqrt(normal_.entry(i, i)));
    }
    for (std::size_t i = 0; i < z_.size(); ++i) {
      for (std::size_t j = 0; j < z_.size(); ++j) normal_.entry(i, j) /= length_[i] * length_[j];
      z_[i] /= length_[i];
    }
    if (!normal_.factor(policy::singular_pivot)) return false;
    normal_.solve(z_);
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] /= length_[i];
    return true;
  }

  const System* system_;
  RowChoice rows_;
  std::vector<std::size_t> active_, dependent_;
  std::vector<double> q_;
  std::optional<PlainValues<S>> values_;
  std::vector<S> C_;               // m rows
  std::vector<std::vector<S>> D_;  // of the dependent constraints
  std::vector<bool> counts_;       // in the norm
  std::vector<S> lambda_, z_, length_, rest_, change_;
  DenseLu<S, LaneMath<S>> gram_, normal_;
};

}  // namespace dalembert

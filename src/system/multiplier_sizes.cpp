#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <dalembert/system/multiplier_sizes.hpp>

namespace dalembert {

MultiplierSizes::MultiplierSizes(const System& system) : sizes_(system.sizes()), n_(system.n()) {
  const std::size_t count = sizes_.size();
  for (auto* list : {&N_, &change_, &rest_}) list->assign(count, 0);
  matrix_.assign(count * count, 0);
  lead_.assign(count, none);
}

void MultiplierSizes::place(std::span<const std::size_t> active) {
  width_ = n_ + active.size();
  places_.assign(sizes_.size(), {});
  for (std::size_t p = 0; p < sizes_.size(); ++p) {
    for (const std::uint32_t row : sizes_[p]) {
      const auto found = std::ranges::find(active, row);
      if (found != active.end()) places_[p].push_back(n_ + static_cast<std::size_t>(found - active.begin()));
    }
  }
  lambda_.clear();
  for (const auto& places : places_) lambda_.emplace_back(places.size(), 0.0);
  e_ = lambda_;
}

// λ = y − Z N
void MultiplierSizes::eval_lambda(std::span<const double> columns, std::span<const double> y) {
  for (std::size_t p = 0; p < places_.size(); ++p) {
    for (std::size_t i = 0; i < places_[p].size(); ++i) {
      double value = y[places_[p][i]];
      for (std::size_t q = 0; q < N_.size(); ++q) value -= columns[q * width_ + places_[p][i]] * N_[q];
      lambda_[p][i] = value;
    }
  }
}

double MultiplierSizes::size_of(std::size_t p) const {
  double square = 0;
  for (const double x : lambda_[p]) square += x * x;
  return std::sqrt(square);
}

// By elimination with the largest pivot; change_ becomes the solution of matrix_.
bool MultiplierSizes::solve_linear() {
  const std::size_t count = change_.size();
  for (std::size_t c = 0; c < count; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < count; ++r)
      if (std::abs(matrix_[r * count + c]) > std::abs(matrix_[pivot * count + c])) pivot = r;
    if (matrix_[pivot * count + c] == 0) return false;
    for (std::size_t i = 0; i < count; ++i) std::swap(matrix_[c * count + i], matrix_[pivot * count + i]);
    std::swap(change_[c], change_[pivot]);
    for (std::size_t r = 0; r < count; ++r) {
      if (r == c) continue;
      const double factor = matrix_[r * count + c] / matrix_[c * count + c];
      for (std::size_t i = c; i < count; ++i) matrix_[r * count + i] -= factor * matrix_[c * count + i];
      change_[r] -= factor * change_[c];
    }
  }
  for (std::size_t c = 0; c < count; ++c) change_[c] /= matrix_[c * count + c];
  return true;
}

// Of those without a direction yet N_p = |λ_p|, of the others N_p = e_p·λ_p + rest_p.
bool MultiplierSizes::iterate(std::span<const double> columns, std::span<const double> y) {
  // it converges in a few or, where there is no solution, not at all. `enough`: two units of rounding.
  // Chosen, not measured.
  constexpr int most_rounds = 50;
  constexpr double enough = 4e-16;
  const std::size_t count = N_.size();
  std::ranges::fill(N_, 0.0);
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds; ++round) {
    eval_lambda(columns, y);
    for (std::size_t p = 0; p < count; ++p) {
      const double size = size_of(p);
      double along = 0;
      for (std::size_t i = 0; i < lambda_[p].size(); ++i) {
        if (lead_[p] == none) e_[p][i] = size > 0 ? lambda_[p][i] / size : 0;
        along += e_[p][i] * lambda_[p][i];
      }
      change_[p] = along + rest_[p] - N_[p];
      for (std::size_t q = 0; q < count; ++q) {
        double slope = p == q ? 1 : 0;
        for (std::size_t i = 0; i < places_[p].size(); ++i)
          slope += e_[p][i] * columns[q * width_ + places_[p][i]];
        matrix_[p * count + q] = slope;
      }
    }
    if (!solve_linear()) return false;
    double largest = 0, change = 0;
    for (std::size_t p = 0; p < count; ++p) {
      N_[p] += change_[p];
      largest = std::max(largest, std::abs(N_[p]));
      change = std::max(change, std::abs(change_[p]));
    }
    if (!std::isfinite(change)) return false;
    // rounding errors are left where a round changes no less than the one before
    if (change <= enough * largest || (change >= before && change <= 1e-12 * largest)) return true;
    before = change;
  }
  return false;
}

void MultiplierSizes::subtract(std::span<const double> columns, std::span<double> y) const {
  for (std::size_t q = 0; q < N_.size(); ++q)
    for (std::size_t i = 0; i < width_; ++i) y[i] -= columns[q * width_ + i] * N_[q];
}

bool MultiplierSizes::solve(std::span<const double> columns, std::span<double> y) {
  std::ranges::fill(lead_, none);
  std::ranges::fill(rest_, 0.0);
  if (!iterate(columns, y)) return false;
  subtract(columns, y);
  return true;
}

// 2 N_r N_k = 2 λ_r·λ_k + Σ_{j=r+1..k−1} ( λ_j·λ_{r+k−j} − N_j N_{r+k−j} ),  with r the first order that is
// not zero
void MultiplierSizes::add_products() {
  for (std::size_t p = 0; p < N_.size(); ++p) {
    rest_[p] = 0;
    if (lead_[p] == none) continue;
    const auto r = static_cast<std::size_t>(lead_[p]), k = static_cast<std::size_t>(order_);
    double sum = 0;
    for (std::size_t j = r + 1; j < k; ++j) {
      sum -= past_N_[j][p] * past_N_[r + k - j][p];
      for (std::size_t i = 0; i < lambda_[p].size(); ++i)
        sum += past_lambda_[j][p][i] * past_lambda_[r + k - j][p][i];
    }
    rest_[p] = sum / (2 * past_N_[r][p]);
  }
}

bool MultiplierSizes::solve_next(std::span<const double> columns, std::span<double> y) {
  constexpr double small = 1e-13;  // of the multipliers
  if (order_ == 0) std::ranges::fill(lead_, none);
  add_products();
  if (!iterate(columns, y)) return false;
  subtract(columns, y);
  double largest = 0;
  for (std::size_t i = n_; i < width_; ++i) largest = std::max(largest, std::abs(y[i]));
  for (std::size_t p = 0; p < N_.size(); ++p)
    for (std::size_t i = 0; i < places_[p].size(); ++i) lambda_[p][i] = y[places_[p][i]];
  for (std::size_t p = 0; p < N_.size(); ++p)
    if (lead_[p] == none && N_[p] > small * largest) lead_[p] = order_;
  if (past_N_.size() <= static_cast<std::size_t>(order_)) {
    past_N_.resize(static_cast<std::size_t>(order_) + 1);
    past_lambda_.resize(past_N_.size());
  }
  past_N_[static_cast<std::size_t>(order_)] = N_;
  past_lambda_[static_cast<std::size_t>(order_)] = lambda_;
  ++order_;
  return true;
}

}  // namespace dalembert

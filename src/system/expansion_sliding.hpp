// How an expansion holds the branches of its calls, and slides along the jump of a sign (Sliding).
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/system/expansion.hpp>

namespace dalembert {

template <class S>
void Expansion<S>::hold_sides(std::span<const int> sides) {
  const std::vector<Switch>& calls = system_->switches().calls;
  const S zero = LaneMath<S>::of(0);
  for (const std::size_t i : slides_) {
    for (int k = 1; k <= series_.max_order(); ++k) set_sliding_sign(i, k, zero);
  }
  slides_.clear();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides[i] == sliding && calls[i].leader == i) slides_.push_back(i);
    series_.hold_side(calls[i].call, sides[i] == sliding ? zero : LaneMath<S>::of(sides[i]));
  }
  if constexpr (LaneMath<S>::lanes == 1) {
    if (slides_.empty()) return;
    if (!sliding_) sliding_ = std::make_unique<Sliding<S>>(*system_, series_.max_order());
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (sides[i] != sliding) sliding_->hold_side(calls[i], S(sides[i]));
    }
  }
}

// Coefficient k of the value of a call that slides, and of those that it leads, before the forces are
// evaluated again.
template <class S>
void Expansion<S>::set_sliding_sign(std::size_t i, int k, const S& value) {
  const std::vector<Switch>& calls = system_->switches().calls;
  for (std::size_t j = 0; j < calls.size(); ++j) {
    if (calls[j].leader != i) continue;
    const S directed = LaneMath<S>::of(switch_directions_[j]) * value;
    k == 0 ? series_.hold_side(calls[j].call, directed) : series_.set_sign(calls[j].call, k, directed);
  }
}

// X: the accelerations and multipliers for s = 1 less those for s = 0, which are the present solution.
template <class S>
void Expansion<S>::find_sliding_columns() {
  sliding_->begin(slides_, rhs_.size());
  std::vector<S>& force = solution_;
  for (std::size_t i = 0; i < n_; ++i) force[i] = series_.output(system_->dynamics().f[i], 0);
  for (std::size_t j = 0; j < slides_.size(); ++j) {
    set_sliding_sign(slides_[j], 0, LaneMath<S>::of(1));
    series_.run(Stage::velocity, 0);
    std::fill(rhs_.begin(), rhs_.end(), LaneMath<S>::of(0));
    for (std::size_t i = 0; i < n_; ++i) rhs_[i] = series_.output(system_->dynamics().f[i], 0) - force[i];
    set_sliding_sign(slides_[j], 0, LaneMath<S>::of(0));
    std::copy(rhs_.begin(), rhs_.end(), sliding_->column(j).begin());
  }
  matrix_.solve_columns(sliding_->columns());
}

// a_0, λ_0 and s_0: Newton's iteration, one step of it where the forces are linear in s.
template <class S>
void Expansion<S>::slide_at_start() {
  if constexpr (LaneMath<S>::lanes == 1) {
    // one where forces are linear in the sliding signs; Newton's method from there gains digits two by two
    constexpr int most_rounds = 6;
    constexpr double enough = 1e-12;
    if (sizes_) return sliding_->refuse();
    series_.run(Stage::velocity, 0);
    find_sliding_columns();
    sliding_->set(0, series_.inputs(System::input_t(), 1, 0)[0], q(0), v(0));
    sliding_->find_gains();
    for (int round = 0; round < most_rounds; ++round) {
      series_.run(Stage::velocity, 0);
      solve_order(0);
      sliding_->set(1, S(1), q(1), v(1));
      sliding_->find_signs(1);
      double largest = 0;
      for (std::size_t j = 0; j < slides_.size(); ++j) {
        const S& change = sliding_->signs()[j];
        if (!(LaneMath<S>::size(change) <= largest)) largest = LaneMath<S>::size(change);
        set_sliding_sign(slides_[j], 0, S(branch_value(slides_[j], 0) + change));
      }
      if (largest <= enough) return;
    }
    sliding_->refuse();
  }
}

template <class S>
void Expansion<S>::slide(int k) {
  if constexpr (LaneMath<S>::lanes == 1) {
    sliding_->set(k + 1, S(0), q(k + 1), v(k + 1));
    sliding_->find_signs(k + 1);
    for (std::size_t j = 0; j < slides_.size(); ++j) set_sliding_sign(slides_[j], k, sliding_->signs()[j]);
    series_.run(Stage::velocity, k);
    solve_order(k);
    sliding_->set(k + 1, S(0), q(k + 1), v(k + 1));
  }
}

}  // namespace dalembert

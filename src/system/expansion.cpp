#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <dalembert/system/expansion.hpp>

namespace dalembert {
namespace {

// The parameters' values as constants of a program; one parameter set fills all lanes.
template <class S>
std::vector<S> constants_of(const System& system, const Program& program) {
  if constexpr (std::is_same_v<S, Lanes<4>> || std::is_same_v<S, Lanes<8>>) {
    std::vector<S> values;
    for (const double value : evaluate_constants<double>(program, system.parameter_values<double>())) {
      values.push_back(S{} + value);
    }
    return values;
  } else {
    return evaluate_constants<S>(program, system.parameter_values<S>());
  }
}

std::vector<std::size_t> rows_of(std::span<const std::size_t> active, std::size_t m) {
  std::vector<std::size_t> rows(m, active.size());
  for (std::size_t row = 0; row < active.size(); ++row) rows[active[row]] = row;
  return rows;
}

// A pivot this small relative to its row means a singular matrix; exact arithmetic knows zero.
template <class S>
double smallest_pivot() {
  if constexpr (std::is_same_v<S, Rational>) {
    return 0;
  } else if constexpr (std::is_same_v<S, Real>) {
    return 1e-25;
  } else {
    return 1e-14;
  }
}

}  // namespace

template <class S, int W>
Expansion<S, W>::Expansion(const System& system, std::span<const std::size_t> active, int max_order)
    : system_(&system),
      n_(system.n()),
      m_(system.m()),
      max_order_(max_order),
      active_(active.begin(), active.end()),
      active_row_(rows_of(active, system.m())),
      series_(system.dynamics().program, constants_of<S>(system, system.dynamics().program), max_order + 1),
      position_(system.position().program, constants_of<S>(system, system.position().program), 0),
      force_products_(series_, force_terms(), max_order),
      constraint_products_(series_, constraint_terms(), max_order),
      lu_(n_ + active_.size()) {
  const S zero = LaneMath<S>::of(0);
  const std::size_t orders = static_cast<std::size_t>(max_order) + 2;
  q_.assign(orders * n_, zero);
  v_.assign(orders * n_, zero);
  a_.assign(orders * n_, zero);
  lambda_.assign(orders * m_, zero);
  rhs_.assign(n_ + active_.size(), zero);
  constraint_sum_.assign(active_.size(), zero);
  set_input(System::input_t(), 1, LaneMath<S>::of(1));
}

// M_j a_{k−j} in row i, C_jᵀ λ_{k−j} in the row of its column; unknowns are a, then the active λ.
template <class S, int W>
auto Expansion<S, W>::force_terms() const -> std::vector<typename BilinearSum<S, W>::Term> {
  std::vector<typename BilinearSum<S, W>::Term> terms;
  for (const MatrixEntry& entry : system_->dynamics().M)
    terms.push_back({entry.row, entry.value, entry.column});
  for (const MatrixEntry& entry : system_->dynamics().C) {
    const std::size_t row = active_row_[entry.row];
    if (row < active_.size()) {
      terms.push_back({entry.column, entry.value, static_cast<std::uint32_t>(n_ + row)});
    }
  }
  return terms;
}

template <class S, int W>
auto Expansion<S, W>::constraint_terms() const -> std::vector<typename BilinearSum<S, W>::Term> {
  std::vector<typename BilinearSum<S, W>::Term> terms;
  for (const MatrixEntry& entry : system_->dynamics().C) {
    const std::size_t row = active_row_[entry.row];
    if (row < active_.size()) terms.push_back({static_cast<std::uint32_t>(row), entry.value, entry.column});
  }
  return terms;
}

template <class S, int W>
void Expansion<S, W>::set_position(const S& t, std::span<const S> q) {
  set_input(System::input_t(), 0, t);
  position_.set(system_->position().program.inputs[System::input_t()], 0, t);
  for (std::size_t i = 0; i < n_; ++i) {
    q_[i] = q[i];
    set_input(system_->input_q(i), 0, q[i]);
    position_.set(system_->position().program.inputs[system_->input_q(i)], 0, q[i]);
  }
  series_.run(Stage::position, 0);
}

template <class S, int W>
void Expansion<S, W>::set_velocity(std::span<const S> v) {
  for (std::size_t i = 0; i < n_; ++i) {
    v_[i] = v[i];
    q_[n_ + i] = v[i];
    set_input(system_->input_v(i), 0, v[i]);
    set_input(system_->input_q(i), 1, v[i]);
  }
  series_.run(Stage::velocity, 0);
}

template <class S, int W>
bool Expansion<S, W>::factor() {
  std::fill(lu_.entries().begin(), lu_.entries().end(), LaneMath<S>::of(0));
  for (const MatrixEntry& entry : system_->dynamics().M) {
    lu_.entry(entry.row, entry.column) = series_.output(entry.value, 0);
  }
  for (const MatrixEntry& entry : system_->dynamics().C) {
    const std::size_t row = active_row_[entry.row];
    if (row == active_.size()) continue;
    const S value = series_.output(entry.value, 0);
    lu_.entry(n_ + row, entry.column) = value;
    lu_.entry(entry.column, n_ + row) = value;
  }
  return lu_.factor(smallest_pivot<S>());
}

template <class S, int W>
void Expansion<S, W>::eval_position_residual(std::span<S> g) {
  position_.run(Stage::position, 0);
  for (std::size_t row = 0; row < active_.size(); ++row) {
    const bool holonomic = active_[row] < system_->holonomic();
    g[row] = holonomic ? position_.output(system_->position().g[active_[row]], 0) : LaneMath<S>::of(0);
  }
}

template <class S, int W>
void Expansion<S, W>::eval_velocity_residual(std::span<S> residual) const {
  for (std::size_t row = 0; row < active_.size(); ++row) {
    residual[row] = series_.output(system_->dynamics().c[active_[row]], 0);
  }
  add_constraint_product(row(v_, n_, 0), residual);
}

template <class S, int W>
void Expansion<S, W>::add_constraint_product(std::span<const S> x, std::span<S> sum) const {
  for (const MatrixEntry& entry : system_->dynamics().C) {
    const std::size_t row = active_row_[entry.row];
    if (row == active_.size()) continue;
    LaneMath<S>::add_product(sum[row], series_.output(entry.value, 0), x[entry.column]);
  }
}

template <class S, int W>
void Expansion<S, W>::expand(int order) {
  expand_start();
  expand_rest(order);
}

template <class S, int W>
void Expansion<S, W>::expand_order(int k) {
  const S one = LaneMath<S>::of(1);
  const S minus_one = LaneMath<S>::of(-1);
  if (k > 0) series_.run(Stage::velocity, k);
  series_.run(Stage::position, k + 1);

  // upper right-hand side: f_k − Σ_{j=1..k} ( M_j a_{k−j} + C_jᵀ λ_{k−j} )
  for (std::size_t i = 0; i < n_; ++i) rhs_[i] = series_.output(system_->dynamics().f[i], k);
  force_products_.accumulate(series_, k, minus_one, std::span<S>(rhs_).first(n_));

  // lower right-hand side: −(k+1) ( Σ_{j=1..k+1} C_j v_{k+1−j} + c_{k+1} )
  for (std::size_t row = 0; row < active_.size(); ++row) {
    constraint_sum_[row] = series_.output(system_->dynamics().c[active_[row]], k + 1);
  }
  constraint_products_.load_y(row(v_, n_, k), k);
  constraint_products_.accumulate(series_, k + 1, one, constraint_sum_);
  const S factor = LaneMath<S>::of(-(k + 1));
  for (std::size_t row = 0; row < active_.size(); ++row) rhs_[n_ + row] = factor * constraint_sum_[row];

  lu_.solve(rhs_);
  force_products_.load_y(rhs_, k);

  const auto order = static_cast<std::size_t>(k);
  const S next = LaneMath<S>::of(k + 1);
  const S after_next = LaneMath<S>::of(k + 2);
  for (std::size_t i = 0; i < n_; ++i) {
    a_[order * n_ + i] = rhs_[i];
    const S v = rhs_[i] / next;
    const S q = v / after_next;
    v_[(order + 1) * n_ + i] = v;
    set_input(system_->input_v(i), k + 1, v);
    if (k + 2 > max_order_ + 1) continue;
    q_[(order + 2) * n_ + i] = q;
    set_input(system_->input_q(i), k + 2, q);
  }
  for (std::size_t row = 0; row < active_.size(); ++row) lambda_[order * m_ + active_[row]] = rhs_[n_ + row];
}

template <class S, int W>
std::size_t Expansion<S, W>::convolution_count() const {
  return system_->dynamics().program.nonlinear_count() + force_products_.convolution_count() +
         constraint_products_.convolution_count();
}

template class Expansion<double, 1>;
template class Expansion<double, native_lanes>;
template class Expansion<Real, 1>;
template class Expansion<Rational, 1>;
template class Expansion<Lanes<4>, 1>;
template class Expansion<Lanes<8>, 1>;

}  // namespace dalembert

// Where the saddle-point (KKT) matrix has entries, and its products with vectors:
//
//   [ M  Dᵀ ] [ x ]
//   [ C  0  ] [ y ]      rows of C and D: those of the constraints that count
//
// It is the one matrix that motion is solved by. Whoever factors it takes its places from here: SaddleSystem
// for many right-hand sides, TapeSaddleSystem for one at a state, solve_saddle_point() where rank is in
// question.
//
// Values are read where a program has left them: `value(scaled)` gives the number of an output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dalembert/expr/lanes.hpp>
#include <dalembert/linalg/symmetric_scales.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

class SaddlePattern {
 public:
  /// `program` has M, C and D, as DynamicsProgram, StateProgram, MomentumProgram do; it must outlive the
  /// pattern. `active` lists the constraints that count.
  template <class P>
  SaddlePattern(const System& system, const P& program, std::span<const std::size_t> active)
      : n_(system.n()),
        active_(active.begin(), active.end()),
        M_(&program.M),
        is_symmetric_(system.is_symmetric()) {
    C_ = rows_of(system.m(), program.C);
    D_ = rows_of(system.m(), program.D);
  }

  std::size_t n() const { return n_; }
  std::size_t rows() const { return active_.size(); }
  std::size_t size() const { return n_ + active_.size(); }
  const std::vector<std::size_t>& active() const { return active_; }

  const std::vector<MatrixEntry>& M() const { return *M_; }
  /// Of the active constraints, by their numbers among these.
  const std::vector<MatrixEntry>& C() const { return C_; }
  const std::vector<MatrixEntry>& D() const { return is_symmetric() ? C_ : D_; }
  bool is_symmetric() const { return is_symmetric_; }

  /// put(row, column, scaled) for every entry of the whole matrix, in the order of places().
  template <class Put>
  void for_each(Put put) const {
    for (const MatrixEntry& entry : M()) put(entry.row, entry.column, entry.value);
    const auto n = static_cast<std::uint32_t>(n_);
    for (const MatrixEntry& entry : C_) {
      put(n + entry.row, entry.column, entry.value);
      if (is_symmetric()) put(entry.column, n + entry.row, entry.value);
    }
    for (const MatrixEntry& entry : D_) put(entry.column, n + entry.row, entry.value);
  }
  std::vector<MatrixPlace> places() const;

 private:
  std::vector<MatrixEntry> rows_of(std::size_t m, const std::vector<MatrixEntry>& entries) const;

  std::size_t n_;
  std::vector<std::size_t> active_;
  const std::vector<MatrixEntry>* M_;
  bool is_symmetric_;               // D is C
  std::vector<MatrixEntry> C_, D_;  // D_ stays empty then
};

/// sum += C x
template <class S, class Value>
void add_constraint_product(const SaddlePattern& pattern, Value value, std::span<const S> x,
                            std::span<S> sum) {
  for (const MatrixEntry& entry : pattern.C())
    LaneMath<S>::add_product(sum[entry.row], value(entry.value), x[entry.column]);
}

/// sum += M x
template <class S, class Value>
void add_inertia_product(const SaddlePattern& pattern, Value value, std::span<const S> x, std::span<S> sum) {
  for (const MatrixEntry& entry : pattern.M()) sum[entry.row] += value(entry.value) * x[entry.column];
}

template <class S>
S absolute(const S& x) {
  return x < 0 ? S(-x) : x;
}

/// xᵀ M x beside Σ |M_ij x_i x_j|: rounding errors for a motion without inertia. Of lanes, the least.
template <class S, class Value>
double inertia_share(const SaddlePattern& pattern, Value value, std::span<const S> x) {
  S sum = LaneMath<S>::of(0);
  S size = sum;
  for (const MatrixEntry& entry : pattern.M()) {
    const S term = value(entry.value) * x[entry.row] * x[entry.column];
    sum += term;
    size += absolute(term);
  }
  return LaneMath<S>::size(size) > 0 ? LaneMath<S>::size(S(sum / size)) : 0;
}

/// |M_ii|
template <class S, class Value>
void eval_inertia(const SaddlePattern& pattern, Value value, std::span<S> inertia) {
  for (S& x : inertia) x = LaneMath<S>::of(0);
  for (const MatrixEntry& entry : pattern.M()) {
    if (entry.row == entry.column) inertia[entry.row] = absolute(S(value(entry.value)));
  }
}

/// scale = (|f| + |Dᵀ| |λ| + |M| |a|) / inertia, given f in its place and λ of the active constraints: what
/// an acceleration may be the small difference of; 0 for coordinates without inertia.
template <class S, class Value>
void eval_force_scale(const SaddlePattern& pattern, Value value, std::span<const S> a,
                      std::span<const S> lambda, std::span<const S> inertia, std::span<S> scale) {
  for (std::size_t i = 0; i < pattern.n(); ++i) scale[i] = absolute(scale[i]);
  for (const MatrixEntry& entry : pattern.D())
    scale[entry.column] += absolute(S(value(entry.value) * lambda[entry.row]));
  for (const MatrixEntry& entry : pattern.M())
    scale[entry.row] += absolute(S(value(entry.value) * a[entry.column]));
  for (std::size_t i = 0; i < pattern.n(); ++i)
    scale[i] = inertia[i] > 0 ? S(scale[i] / inertia[i]) : LaneMath<S>::of(0);
}

}  // namespace dalembert

// Signs whose argument w stays at zero because either side drives it back, as in dry friction that sticks:
// the motion slides along w = 0, and the value s of the sign is what keeps it there [filippov1988]. With f =
// f⁰ + B s and w = w(t, q, v) the recursion has s_k among its unknowns,
//
//   [ M₀  C₀ᵀ  −B₀ ] [ a_k ]   [ as without s_k  ]
//   [ C₀  0     0  ] [ λ_k ] = [ as without s_k  ]
//   [ W₀  0     0  ] [ s_k ]   [ −(k+1) w_{k+1}, without v_{k+1} ]      with W = ∂w/∂v
//
// and is solved with the factor of the matrix without them: X = [M₀ C₀ᵀ; C₀ 0]⁻¹ [B₀; 0] is found once, and
// G = W₀ X. From the solution â_k for s_k = 0, and the w_{k+1} that belongs to it, s_k = −(k+1) G⁻¹ w_{k+1}
// and a_k = â_k + X s_k.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S>
class Sliding {
 public:
  Sliding(const System& system, int max_order)
      : system_(&system),
        arguments_(system.series_plan(system.switches().program),
                   system.constants<S>(system.switches().program), max_order) {}

  /// Of `calls` of System::switches(), with `size` unknowns besides.
  void begin(std::span<const std::size_t> calls, std::size_t size) {
    const std::size_t count = calls.size();
    calls_.assign(calls.begin(), calls.end());
    size_ = size;
    columns_.resize(count * size);
    G_.resize(count * count);
    signs_.resize(count);
    is_possible_ = true;
  }
  bool is_possible() const { return is_possible_; }
  void refuse() { is_possible_ = false; }

  std::span<S> columns() { return columns_; }
  /// Column j of X.
  std::span<S> column(std::size_t j) { return {columns_.data() + j * size_, size_}; }
  /// What find_signs() found.
  std::span<const S> signs() const { return signs_; }

  /// Holds the branches of calls that the arguments depend on.
  void hold_side(const Switch& call, const S& side) {
    if (call.is_nested) arguments_.hold_side(call.call, side);
  }

  /// Coefficients k of t, q, v, for the arguments.
  void set(int k, const S& t, std::span<const S> q, std::span<const S> v) {
    arguments_.inputs(System::input_t(), 1, k)[0] = t;
    std::copy(q.begin(), q.end(), arguments_.inputs(system_->input_q(0), q.size(), k).begin());
    std::copy(v.begin(), v.end(), arguments_.inputs(system_->input_v(0), v.size(), k).begin());
    arguments_.run(Stage::position, k);
    arguments_.run(Stage::velocity, k);
  }

  /// G, after set(0, …): W₀ X are the coefficients 1 of the arguments along X alone.
  void find_gains() {
    const std::size_t n = system_->n();
    zero_.assign(n, S(0));
    for (std::size_t j = 0; j < calls_.size(); ++j) {
      set(1, S(0), zero_, column(j).first(n));
      for (std::size_t i = 0; i < calls_.size(); ++i) G_[i * calls_.size() + j] = argument(i, 1);
    }
  }

  /// Whether a sign drives its argument away from zero on both sides, in time of this direction, 1 or −1:
  /// G_ii is how fast w_i changes for s_i = 1.
  bool drives_apart(double direction) const {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (S(direction) * G_[i * calls_.size() + i] > 0) return true;
    }
    return false;
  }

  /// signs() = −k G⁻¹ w_k, after set(k, …).
  void find_signs(int k) {
    for (std::size_t i = 0; i < calls_.size(); ++i) signs_[i] = S(-k) * argument(i, k);
    solve(G_, signs_);
  }

 private:
  S argument(std::size_t i, int k) const {
    return arguments_.get(system_->switches().calls[calls_[i]].argument, k);
  }
  static S size(const S& x) { return x < 0 ? S(-x) : x; }

  // By elimination with the largest pivot; a few unknowns at most.
  void solve(std::vector<S> A, std::vector<S>& x) {
    const std::size_t count = x.size();
    for (std::size_t c = 0; c < count; ++c) {
      std::size_t pivot = c;
      for (std::size_t r = c + 1; r < count; ++r) {
        if (size(A[r * count + c]) > size(A[pivot * count + c])) pivot = r;
      }
      if (A[pivot * count + c] == 0) return refuse();
      for (std::size_t i = 0; i < count; ++i) std::swap(A[c * count + i], A[pivot * count + i]);
      std::swap(x[c], x[pivot]);
      for (std::size_t r = 0; r < count; ++r) {
        if (r == c) continue;
        const S factor = A[r * count + c] / A[c * count + c];
        for (std::size_t i = c; i < count; ++i) A[r * count + i] -= factor * A[c * count + i];
        x[r] -= factor * x[c];
      }
    }
    for (std::size_t c = 0; c < count; ++c) x[c] /= A[c * count + c];
  }

  const System* system_;
  Series<S> arguments_;
  std::vector<std::size_t> calls_;
  std::size_t size_ = 0;
  std::vector<S> columns_, G_, signs_, zero_;
  bool is_possible_ = true;
};

}  // namespace dalembert

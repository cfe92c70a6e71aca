// The matrix of a Newton iteration: places are named while it is made, then filled and factored again and
// again. Small ones, and larger ones with few entries, are factored by a list of operations, others by KLU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/linalg/policy.hpp>
#include <dalembert/linalg/sparse_lu.hpp>
#include <dalembert/linalg/static_lu.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert {

class NewtonMatrix {
 public:
  explicit NewtonMatrix(std::size_t size) : size_(size) {}

  /// The number of a place, for add(). Call close() when all are named.
  std::size_t at(std::size_t row, std::size_t column) {
    const auto [entry, is_new] = numbers_.try_emplace({row, column}, places_.size());
    if (is_new) places_.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
    return entry->second;
  }
  void close() {
    numbers_.clear();
    values_.assign(places_.size(), 0.0);
    if (size_ > policy::largest_full_list) large_.emplace(size_, places_);
    if (large_ && !has_short_list(*large_)) return;
    large_.reset();
    std::vector<StaticLu::Place> pattern;
    for (const MatrixPlace& place : places_) pattern.push_back({place.row, place.column});
    small_.emplace(size_, std::move(pattern));
  }

  void clear() { std::fill(values_.begin(), values_.end(), 0.0); }
  void add(std::size_t place, double value) { values_[place] += value; }
  /// False when the matrix is singular to working precision.
  bool factor() {
    if (small_) {
      std::copy(values_.begin(), values_.end(), small_->values().begin());
      return small_->factor();
    }
    for (std::size_t k = 0; k < values_.size(); ++k) large_->set(k, values_[k]);
    return large_->factor(policy::singular_newton);
  }
  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<double> x) { small_ ? small_->solve(x) : large_->solve(x); }

 private:
  static bool has_short_list(const SparseLu& large) {
    const auto size = static_cast<double>(large.size());
    return large.size() <= policy::largest_sparse_list &&
           large.expected_fill() <= policy::most_list_fill * size;
  }

  std::size_t size_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers_;
  std::vector<MatrixPlace> places_;
  std::vector<double> values_;
  std::optional<StaticLu> small_;
  std::optional<SparseLu> large_;
};

/// A value of a program that is added at a place of the matrix.
struct Contribution {
  std::size_t place;
  Scaled value;
};

inline void add(NewtonMatrix& matrix, const std::vector<Contribution>& contributions, const ValueTape& tape,
                double factor = 1) {
  for (const Contribution& c : contributions) matrix.add(c.place, factor * tape.value(c.value));
}

}  // namespace dalembert

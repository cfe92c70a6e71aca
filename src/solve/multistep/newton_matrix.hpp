// The matrix of a Newton iteration: places are named while it is made, then filled and factored again and
// again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/linalg/pattern_lu.hpp>
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
    std::vector<StaticLu::Source> sources;
    for (std::uint32_t k = 0; k < places_.size(); ++k) sources.push_back({1, k});
    factors_.emplace(size_, places_, std::move(sources), policy::singular_newton);
  }

  void clear() { std::fill(values_.begin(), values_.end(), 0.0); }
  void add(std::size_t place, double value) { values_[place] += value; }
  /// False when the matrix is singular to working precision.
  bool factor() { return factors_->factor(values_); }
  /// x becomes the solution of (matrix) solution = x.
  void solve(std::span<double> x) { factors_->solve(x); }

 private:
  std::size_t size_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers_;
  std::vector<MatrixPlace> places_;
  std::vector<double> values_;
  std::optional<PatternLu> factors_;
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

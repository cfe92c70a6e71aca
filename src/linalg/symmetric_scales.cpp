#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/linalg/symmetric_scales.hpp>

namespace dalembert {
namespace {

// The sizes of the unknowns are found one after the other; a scale is the reciprocal of a size.
class UnknownSizes {
 public:
  UnknownSizes(std::size_t size, std::span<const MatrixPlace> places, std::span<const double> values)
      : places_(places), values_(values), has_diagonal_(size), size_(size, 0.0) {}

  const std::vector<double>& find() {
    take_diagonals();
    constexpr double negligible = 1e-10;  // beside the row's other entries: it must not be all that scales it
    std::vector<double> largest(size_.size(), 0.0);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      double& entry = largest[places_[k].row];
      entry = std::max(entry, std::abs(values_[k]));
    }
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const auto [row, column] = places_[k];
      if (has_diagonal_[row] || !has_diagonal_[column]) continue;
      if (std::abs(values_[k]) > negligible * largest[row])
        size_[row] = std::hypot(size_[row], values_[k] / size_[column]);
    }
    balance_without_diagonal();
    return size_;
  }

 private:
  // Roots of diagonals. The component of a quaternion that is nearly 1 has hardly any inertia, though it
  // moves with the others: unknowns that inertia couples count as alike. Else all constraints of a body would
  // be scaled to that one component, and little would be left of the others.
  void take_diagonals() {
    // of roots of inertia: a hundredth of an inertia, as in Accelerations::eval_force_scale; chosen, not
    // measured
    constexpr double alike = 0.1;
    // of the largest; a link of 1 g and 1 mm beside one of 1 t and 1 m has 1e-12 of its root of inertia
    constexpr double least = 1e-14;
    std::vector<double> own(size_.size(), 0.0);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const auto [row, column] = places_[k];
      if (row == column) own[row] = std::sqrt(std::abs(values_[k]));
    }
    size_ = own;
    for (const auto& [row, column] : places_) {
      if (own[row] > 0) size_[row] = std::max(size_[row], alike * own[column]);
    }
    const double largest = size_.empty() ? 0 : *std::max_element(size_.begin(), size_.end());
    for (std::size_t i = 0; i < size_.size(); ++i) {
      has_diagonal_[i] = size_[i] > least * largest;
      if (!has_diagonal_[i]) size_[i] = 0;
    }
  }

  bool meet(std::size_t k) const {
    return !has_diagonal_[places_[k].row] && !has_diagonal_[places_[k].column] && values_[k] != 0;
  }

  // Unknowns without a diagonal that meet each other, as the norm of a quaternion and its component without
  // inertia do: neither may be scaled by its entries elsewhere alone, which may be of any smallness. Where an
  // entry between them is larger than 1, both share its root [ruiz2001].
  void balance_without_diagonal() {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (!meet(k)) continue;
      for (const std::size_t i : {places_[k].row, places_[k].column})  // nothing else gives it a size
        if (size_[i] == 0) size_[i] = std::sqrt(std::abs(values_[k]));
    }
    constexpr int rounds = 4;  // each halves the exponents that are left
    for (int round = 0; round < rounds; ++round) {
      std::vector<double> excess(size_.size(), 1.0);
      for (std::size_t k = 0; k < places_.size(); ++k) {
        const auto [row, column] = places_[k];
        if (meet(k)) excess[row] = std::max(excess[row], std::abs(values_[k]) / size_[row] / size_[column]);
      }
      for (std::size_t i = 0; i < size_.size(); ++i) size_[i] *= std::sqrt(excess[i]);
    }
  }

  std::span<const MatrixPlace> places_;
  std::span<const double> values_;
  std::vector<bool> has_diagonal_;
  std::vector<double> size_;
};

std::vector<double> scales_of(std::vector<double> sizes) {
  for (double& size : sizes) size = size > 0 ? std::exp2(-std::round(std::log2(size))) : 1;
  return sizes;
}

}  // namespace

std::vector<double> find_symmetric_scales(std::size_t size, std::span<const MatrixPlace> places,
                                          std::span<const double> values) {
  UnknownSizes sizes(size, places, values);
  return scales_of(sizes.find());
}

// [ruiz2001]
std::vector<double> find_balanced_scales(std::size_t size, std::span<const MatrixPlace> places,
                                         std::span<const double> values) {
  std::vector<double> sizes(size, 1.0);
  constexpr int rounds = 6;  // each halves the exponents that are left
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> largest(size, 0.0);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto [row, column] = places[k];
      largest[row] = std::max(largest[row], std::abs(values[k]) / sizes[row] / sizes[column]);
    }
    for (std::size_t i = 0; i < size; ++i)
      if (largest[i] > 0) sizes[i] *= std::sqrt(largest[i]);
  }
  return scales_of(std::move(sizes));
}

}  // namespace dalembert

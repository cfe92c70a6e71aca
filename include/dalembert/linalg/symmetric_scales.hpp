// Scales of rows and columns of a saddle-point matrix [M Cᵀ; C 0], whatever the units of its unknowns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dalembert {

/// Where a matrix has an entry.
struct MatrixPlace {
  std::uint32_t row;
  std::uint32_t column;
};

/// Powers of two, the same for row i and column i, that make the diagonals of M and of C M⁻¹ Cᵀ about 1: then
/// a small pivot is what cancellation has left, and pivots may stay on the diagonal. values[k] stands at
/// places[k].
std::vector<double> find_symmetric_scales(std::size_t size, std::span<const MatrixPlace> places,
                                          std::span<const double> values);

/// Powers of two, likewise the same for row i and column i, that make the largest entry of every row about 1,
/// whatever the diagonal: for an inertia that is nothing beside what constraints couple it with.
std::vector<double> find_balanced_scales(std::size_t size, std::span<const MatrixPlace> places,
                                         std::span<const double> values);

}  // namespace dalembert

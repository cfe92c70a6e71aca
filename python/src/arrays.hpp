// Numbers between NumPy and the library.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace dalembert::python {

/// What a caller gives: contiguous doubles; NumPy converts.
using Numbers = nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu>;
using Array = nanobind::ndarray<nanobind::numpy, double>;
using View = nanobind::ndarray<nanobind::numpy, const double>;

inline std::span<const double> span_of(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }

/// An array that owns its numbers.
inline Array make_array(std::vector<double> numbers, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<double>(std::move(numbers));
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return Array(kept->data(), shape, owner);
}

}  // namespace dalembert::python

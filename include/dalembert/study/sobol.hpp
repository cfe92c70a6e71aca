// Sobol's sequence with the direction numbers of Joe & Kuo [joe2008]: points that fill a cube evenly.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dalembert::study {

inline constexpr std::size_t most_sobol_dimensions = 128;

/// Coordinate `dimension` of point `index` (both from 0 on), in units of 2^−32; its first 2^k points are
/// those of the order by Gray's code, in another order.
std::uint32_t sobol_bits(std::uint64_t index, std::size_t dimension);

}  // namespace dalembert::study

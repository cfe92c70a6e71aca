// Random numbers by their place, not by their history: any row of a study can be made alone, by any thread.
//
// Philox 4x32-10 [salmon2011]: ten rounds of multiplications that mix a counter under a key.
#pragma once

#include <array>
#include <cstdint>

namespace dalembert::study {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// In (0, 1), evenly, for a row and a column of a study with this seed.
double uniform_number(std::uint64_t seed, std::uint64_t row, std::uint32_t column);

}  // namespace dalembert::study

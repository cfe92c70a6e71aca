// An order of elimination for a large symmetric pattern that falls into parts which do not wait for each
// other, and a rest that separates them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dalembert {

struct Dissection {
  std::vector<std::int32_t> order;   // empty: the pattern does not fall apart well
  std::vector<std::uint32_t> parts;  // of the pattern's columns; those that separate have number `count`
  std::uint32_t count = 1;
};

/// Of a symmetric pattern in compressed columns: cut in two, and each part again, `times` times.
Dissection dissect(std::span<const std::int32_t> column_starts, std::span<const std::int32_t> rows,
                   int times);

}  // namespace dalembert

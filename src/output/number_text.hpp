// The shortest decimal text of a number that reads back exactly.
#pragma once

#include <cstddef>

#include <fmt/compile.h>

namespace dalembert {

/// -1.7976931348623157e+308
inline constexpr std::size_t longest_number = 24;

/// Writes at `place` and returns the end.
inline char* write_number(char* place, double value) {
  return fmt::format_to(place, FMT_COMPILE("{}"), value);
}

}  // namespace dalembert

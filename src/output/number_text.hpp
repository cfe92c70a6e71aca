// The shortest decimal text of a number that reads back exactly: what std::to_chars writes, in half of its
// time.
#pragma once

#include <cstddef>

namespace dalembert {

/// -1.7976931348623157e+308
inline constexpr std::size_t longest_number = 24;

/// What may be overwritten behind a number.
inline constexpr std::size_t number_margin = 16;

/// Writes at `place` and returns the end.
char* write_number(char* place, double value);

}  // namespace dalembert

#pragma once

#include <string>
#include <string_view>

namespace dalembert {

// What stands at the beginning of `rest`, for "expected ..., found ...": a word, a character and how it is
// written in an expression, or the end.
std::string describe_found(std::string_view rest);

// The first letters of a word that may be very long.
std::string shortened(std::string_view word);

}  // namespace dalembert

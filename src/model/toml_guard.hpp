// Limits on the shape of a TOML text, so that no input exhausts the stack or the memory of the TOML parser.
#pragma once

#include <cstddef>
#include <string_view>

namespace dalembert {

inline constexpr int deepest_values = 32;                    ///< arrays and inline tables inside each other
inline constexpr int longest_dotted_key = 16;                ///< parts of a key such as a.b.c
inline constexpr std::size_t most_values = 4'000'000;        ///< in one file
inline constexpr std::size_t longest_model_file = 64 << 20;  ///< bytes

struct TomlExcess {
  std::size_t offset = std::string_view::npos;  ///< where the limit is exceeded; npos when it is not
  std::string_view message;
};

/// Follows brackets, dots and separators outside strings and comments; what is malformed is left to the
/// parser.
TomlExcess find_excess(std::string_view text);

}  // namespace dalembert

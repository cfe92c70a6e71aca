// What the TOML parser must not be given, so that no input exhausts its stack or memory or meets undefined
// behaviour.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dalembert {

inline constexpr int deepest_values = 32;                    ///< arrays and inline tables inside each other
inline constexpr int longest_dotted_key = 16;                ///< parts of a key such as a.b.c
inline constexpr std::size_t most_values = 1'000'000;        ///< in one file
inline constexpr std::size_t longest_model_file = 64 << 20;  ///< bytes

struct TomlMistake {
  std::size_t offset = std::string_view::npos;  ///< where it stands; npos when there is none
  std::string message;
};

/// The first byte that is not UTF-8, or the first excess over the limits. Follows brackets, dots and
/// separators outside strings and comments; what is malformed otherwise is left to the parser.
TomlMistake find_mistake(std::string_view text);

/// The text with '?' for every byte that is not UTF-8.
std::string valid_utf8(std::string_view text);

}  // namespace dalembert

// Small helpers for text that people read.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dalembert {

/// The candidate closest to `word` by edit distance, or "" when none is near enough to be a likely
/// misspelling.
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'x'?" when a candidate is near, else "; known: a, b, c" (shortened when there are many).
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

/// Whether a name fits a pattern in which * is any text and ? any character; at most 8 stars.
bool fits_pattern(std::string_view pattern, std::string_view name);

/// Items separated by `separator`.
std::string join(std::span<const std::string> items, std::string_view separator);

/// The shortest decimal text that reads back as the same double.
std::string shortest(double value);

}  // namespace dalembert

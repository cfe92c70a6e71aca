#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment: insertion, deletion, substitution and swap of neighbours cost 1 each, case
// nothing.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = above[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

bool fits(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    for (std::size_t skipped = 0; skipped <= name.size(); ++skipped) {
      if (fits(pattern.substr(1), name.substr(skipped))) return true;
    }
    return false;
  }
  if (name.empty() || (pattern.front() != '?' && pattern.front() != name.front())) return false;
  return fits(pattern.substr(1), name.substr(1));
}

}  // namespace

bool fits_pattern(std::string_view pattern, std::string_view name) {
  constexpr std::ptrdiff_t most_stars = 8;  // each multiplies the work by the name's length
  return std::count(pattern.begin(), pattern.end(), '*') <= most_stars && fits(pattern, name);
}

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest_compared = 100;
  if (word.size() > longest_compared) return "";
  const std::size_t allowed = (word.size() + 1) / 3;
  std::size_t best = allowed + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest_compared) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::string nearest = nearest_name(word, candidates);
  if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  if (candidates.empty()) return "";
  constexpr std::size_t shown = 12;
  constexpr std::size_t longest_shown = 40;
  std::vector<std::string> names;
  for (const std::string& candidate : candidates) {
    if (names.size() < shown && candidate.size() <= longest_shown) names.push_back(candidate);
  }
  return fmt::format("; known: {}{}", join(names, ", "), names.size() < candidates.size() ? ", ..." : "");
}

std::string join(std::span<const std::string> items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items.begin(), items.end(), separator));
}

std::string shortest(double value) { return fmt::format("{}", value); }

}  // namespace dalembert

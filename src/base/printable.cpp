#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <dalembert/base/printable.hpp>

namespace dalembert {
namespace {

// The character at the beginning of a text: its code and its bytes; without a code where it is no UTF-8.
struct Character {
  std::optional<char32_t> code;
  std::size_t size = 1;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80U) return {lead, 1};
  const std::size_t size = lead >= 0xF5U ? 0 : lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0xC2U ? 2 : 0;
  if (size == 0 || text.size() < size) return {};
  char32_t code = lead & (0x7FU >> size);
  for (const char next : text.substr(1, size - 1)) {
    const auto byte = static_cast<unsigned char>(next);
    if ((byte & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[size] || surrogate || code > 0x10FFFF) return {};
  return {code, size};
}

struct CodeRange {
  char32_t first, last;
};

// Of Unicode: what terminals obey, what turns or hides the text around it.
constexpr std::array unsafe_codes{
    CodeRange{0x00, 0x1F},     CodeRange{0x7F, 0x9F},       // C0, delete, C1
    CodeRange{0x061C, 0x061C}, CodeRange{0x200B, 0x200B},   // Arabic letter mark, zero width space
    CodeRange{0x200E, 0x200F}, CodeRange{0x2028, 0x202E},   // direction marks, separators, embeddings
    CodeRange{0x2060, 0x206F}, CodeRange{0xFEFF, 0xFEFF},   // isolates, invisible operators, byte order mark
    CodeRange{0xFFF9, 0xFFFB}, CodeRange{0xE0000, 0xE007F}  // annotations, tags
};

bool is_unsafe(char32_t code) {
  return std::any_of(unsafe_codes.begin(), unsafe_codes.end(),
                     [&](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

std::string printable(std::string_view text, LineBreaks breaks) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto [code, size] = first_character(text);
    if (code == U'\n' || code == U'\t') {
      result += code == U'\n' && breaks == LineBreaks::keep ? '\n' : ' ';
    } else if (!code || is_unsafe(*code)) {
      result += '?';
    } else {
      result += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return result;
}

}  // namespace dalembert

#include "found_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace dalembert {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

struct Foreign {
  std::string_view character;
  std::string_view advice;
};

// What word processors and pages make of operators.
constexpr std::array foreign_characters{
    Foreign{"−", "write '-'"},
    Foreign{"–", "write '-'"},
    Foreign{"—", "write '-'"},
    Foreign{"×", "write '*'"},
    Foreign{"·", "write '*'"},
    Foreign{"⋅", "write '*'"},
    Foreign{"÷", "write '/'"},
    Foreign{"⁄", "write '/'"},
    Foreign{"²", "write '^2'"},
    Foreign{"³", "write '^3'"},
    Foreign{"½", "write '1/2'"},
    Foreign{"√", "write 'sqrt(...)'"},
    Foreign{"π", "write 'pi'"},
    Foreign{"′", "write x' for the velocity of x"},
    Foreign{"’", "write x' for the velocity of x"},
};

std::string describe_foreign(std::string_view character) {
  if (character == "\xC2\xA0") return "a no-break space; write an ordinary one";
  const auto* const known = std::find_if(foreign_characters.begin(), foreign_characters.end(),
                                         [&](const Foreign& f) { return f.character == character; });
  return fmt::format(
      "'{}'; {}", character,
      known != foreign_characters.end() ? known->advice : "names are of the letters a to z, digits and '_'");
}

// The character that starts at the first byte, empty when the bytes are no UTF-8.
std::string_view utf8_character(std::string_view rest) {
  const auto lead = static_cast<unsigned char>(rest[0]);
  const std::size_t size = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0xC2U ? 2 : 0;
  if (size == 0 || rest.size() < size) return {};
  const std::string_view character = rest.substr(0, size);
  return std::all_of(character.begin() + 1, character.end(), continues_utf8) ? character : std::string_view();
}

}  // namespace

std::string shortened(std::string_view word) {
  constexpr std::size_t longest = 40;
  return word.size() <= longest ? std::string(word) : std::string(word.substr(0, longest)) + "...";
}

std::string describe_found(std::string_view rest) {
  if (rest.empty()) return "the end of the expression";
  if (is_word(rest[0])) {
    const auto* const end = std::find_if_not(rest.begin(), rest.end(), is_word);
    return fmt::format("'{}'", shortened(rest.substr(0, static_cast<std::size_t>(end - rest.begin()))));
  }
  if (std::isprint(static_cast<unsigned char>(rest[0])) != 0) return fmt::format("'{}'", rest[0]);
  const std::string_view character = utf8_character(rest);
  if (!character.empty()) return describe_foreign(character);
  return fmt::format("the byte 0x{:02X}", static_cast<unsigned char>(rest[0]));
}

}  // namespace dalembert

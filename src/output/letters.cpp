#include "letters.hpp"

#ifdef DALEMBERT_FREETYPE

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <dalembert/base/error.hpp>

#include "freetype_library.hpp"

namespace dalembert {
namespace {

constexpr const char* usual_place = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
constexpr const char* all_fonts = "/usr/share/fonts";

// Others may lack letters: some fonts only fill the gaps of others.
constexpr std::array<std::string_view, 8> good_fonts{
    "DejaVuSans",         "LiberationSans-Regular", "NotoSans-Regular", "FreeSans",
    "NimbusSans-Regular", "OpenSans-Regular",       "Roboto-Regular",   "Arial"};

}  // namespace

std::string find_font() {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(usual_place, error)) return usual_place;
  std::string found;
  std::size_t rank = good_fonts.size();
  for (fs::recursive_directory_iterator at(all_fonts, error), end; !error && at != end; at.increment(error)) {
    const std::string suffix = at->path().extension().string();
    if (suffix != ".ttf" && suffix != ".otf") continue;
    const auto* const good = std::find(good_fonts.begin(), good_fonts.end(), at->path().stem().string());
    const auto place = static_cast<std::size_t>(good - good_fonts.begin());
    if (place >= rank) continue;
    rank = place;
    found = at->path().string();
  }
  if (found.empty()) {
    throw Error(
        "no font is there for the letters of a PNG picture: install one (package fonts-dejavu-core), or "
        "write a name that ends in .svg");
  }
  return found;
}

struct Letters::Font {
  Font() {
    const std::string file = find_font();
    if (f.FT_Init_FreeType(&library) != 0) throw Error("FreeType does not start: not enough memory");
    if (f.FT_New_Face(library, file.c_str(), 0, &face) != 0) {
      f.FT_Done_FreeType(library);
      throw Error("'" + file + "' cannot be read as a font");
    }
  }
  Font(const Font&) = delete;
  Font& operator=(const Font&) = delete;
  ~Font() { f.FT_Done_FreeType(library); }  // with its fonts

  // Turned as the style says, and moved along the line.
  void set(Style style, int quarter) const {
    constexpr FT_Fixed one = 0x10000;
    FT_Matrix turn{0, -one, one, 0};
    FT_Vector shift{style.upwards ? 0 : 16 * quarter, style.upwards ? 16 * quarter : 0};  // of 64
    f.FT_Set_Char_Size(face, 0, std::lround(64 * style.size), 72, 72);
    f.FT_Set_Transform(face, style.upwards ? &turn : nullptr, &shift);
  }

  const FreeType& f = FreeType::get();
  FT_Library library = nullptr;
  FT_Face face = nullptr;
};

void Letters::load() { FreeType::get(); }

Letters::Letters() : font_(std::make_unique<Font>()) {}
Letters::~Letters() = default;

// What is no UTF-8 becomes the sign for that.
std::u32string Letters::characters_of(std::string_view text) {
  std::u32string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    const int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    char32_t character = more == 0 ? first : first & (0x3FU >> static_cast<unsigned>(more));
    bool right = first < 0x80 || first >= 0xC0;
    for (int k = 0; k < more && right; ++k) {
      right = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
      if (right) character = character << 6U | (static_cast<unsigned char>(text[i++]) & 0x3FU);
    }
    result += right ? character : U'\uFFFD';
  }
  return result;
}

// Across the line letters stand on whole pixels.
Letters::Place Letters::whole_pixel(double x, double y, Style style) {
  const double along = style.upwards ? -y : x;
  const auto whole = static_cast<std::ptrdiff_t>(std::floor(along));
  const int quarter = static_cast<int>(4 * (along - std::floor(along)));
  const auto across = static_cast<std::ptrdiff_t>(std::lround(style.upwards ? x : y));
  return style.upwards ? Place{across, -whole, quarter} : Place{whole, across, quarter};
}

const Letters::Letter& Letters::get(char32_t character, Style style, int quarter) {
  Letter& letter = made_[{character, style, quarter}];
  if (letter.advance > 0) return letter;
  font_->set(style, quarter);
  if (font_->f.FT_Load_Char(font_->face, character, FT_LOAD_RENDER | FT_LOAD_NO_HINTING) != 0) return letter;
  const FT_GlyphSlotRec* const slot = font_->face->glyph;
  letter.advance = static_cast<double>(slot->linearHoriAdvance) / 0x10000;
  Coverage& pixels = letter.pixels;
  pixels = {slot->bitmap_left, -slot->bitmap_top, slot->bitmap.width, slot->bitmap.rows, {}};
  for (std::ptrdiff_t row = 0; row < pixels.height; ++row) {
    const unsigned char* first = slot->bitmap.buffer + row * slot->bitmap.pitch;
    pixels.parts.insert(pixels.parts.end(), first, first + pixels.width);
  }
  return letter;
}

double Letters::width_of(std::string_view text, Style style) {
  double width = 0;
  for (const char32_t character : characters_of(text)) width += get(character, style, 0).advance;
  return width;
}

}  // namespace dalembert

#endif

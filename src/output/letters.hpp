// Letters as the share of each pixel that they cover, by FreeType.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "coverage.hpp"

namespace dalembert {

/// A sans-serif font of this system; throws Error where there is none.
std::string find_font();

class Letters {
 public:
  /// The library; otherwise the first one of these does it.
  static void load();

  Letters();
  Letters(const Letters&) = delete;
  Letters& operator=(const Letters&) = delete;
  ~Letters();

  struct Style {
    double size;           ///< in pixels
    bool upwards = false;  ///< turned by a quarter, read from below
    auto operator<=>(const Style&) const = default;
  };

  /// In pixels along the line.
  double width_of(std::string_view text, Style style);

  /// Calls `take` for each letter of a text that begins at (x, y), with its pixels and where they stand.
  template <class Take>
  void place(double x, double y, std::string_view text, Style style, const Take& take) {
    for (const char32_t character : characters_of(text)) {
      const Place at = whole_pixel(x, y, style);
      const Letter& letter = get(character, style, at.quarter);
      take(letter.pixels, at.x, at.y);
      (style.upwards ? y : x) += style.upwards ? -letter.advance : letter.advance;
    }
  }

 private:
  struct Letter {
    Coverage pixels;  // from the place of the letter
    double advance;
  };
  // A whole pixel, and how many quarters of one the letter is further along the line.
  struct Place {
    std::ptrdiff_t x, y;
    int quarter;
  };
  struct Font;

  static std::u32string characters_of(std::string_view text);
  static Place whole_pixel(double x, double y, Style style);
  const Letter& get(char32_t character, Style style, int quarter);

  std::unique_ptr<Font> font_;
  std::map<std::tuple<char32_t, Style, int>, Letter> made_;
};

}  // namespace dalembert

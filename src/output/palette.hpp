// Colours by their numbers: the paper is 0, then come the inks, each in steps from the paper on, and behind
// them what inks over inks give.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dalembert {

class Palette {
 public:
  static constexpr unsigned steps = 15;

  Palette();

  /// The number of an ink: the next one, or where there are many already, that of the nearest.
  unsigned ink(std::uint32_t color);

  /// The colour of an ink that covers a share of 1 to `steps`. Of mixtures only some have a number of their
  /// own, else the nearest one's.
  std::uint8_t mixed(std::uint8_t below, unsigned ink, unsigned step) {
    if (below == 0) return on_paper(ink, step);
    std::uint8_t& number = mixtures_[(below * most_inks + ink) * steps + step - 1];
    if (number == 0) number = mix(below, ink, step);
    return number;
  }

  /// Red, green and blue from the higher bytes to the lower.
  std::span<const std::uint32_t> colors() const { return colors_; }

 private:
  static constexpr unsigned most_inks = 14;
  static constexpr std::size_t most_colors = 256;

  static std::uint8_t on_paper(unsigned ink, unsigned step) {
    return static_cast<std::uint8_t>(1 + ink * steps + step - 1);
  }
  std::uint8_t mix(std::uint8_t below, unsigned ink, unsigned step);
  std::size_t nearest(std::uint32_t color, std::size_t every) const;

  unsigned inks_ = 0;
  std::vector<std::uint32_t> colors_;   // of inks to come: those of the paper
  std::vector<std::uint8_t> mixtures_;  // by what is below, ink and step; 0: not known yet
};

}  // namespace dalembert

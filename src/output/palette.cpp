#include "palette.hpp"

#include <cstddef>
#include <cstdint>

namespace dalembert {
namespace {

constexpr std::uint32_t paper = 0xFFFFFF;

std::uint32_t channel(std::uint32_t color, unsigned shift) { return color >> shift & 255U; }

std::uint32_t mixed_color(std::uint32_t below, std::uint32_t ink, unsigned step) {
  std::uint32_t result = 0;
  for (const unsigned shift : {0U, 8U, 16U}) {
    const std::uint32_t sum =
        channel(below, shift) * (Palette::steps - step) + channel(ink, shift) * step + Palette::steps / 2;
    result |= sum / Palette::steps << shift;
  }
  return result;
}

int square_distance(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (const unsigned shift : {0U, 8U, 16U}) {
    const int less = static_cast<int>(channel(a, shift)) - static_cast<int>(channel(b, shift));
    sum += less * less;
  }
  return sum;
}

}  // namespace

Palette::Palette() : colors_(1 + most_inks * steps, paper), mixtures_(most_colors * most_inks * steps) {}

// Of all colours, or of those of inks alone, which are `steps` apart.
std::size_t Palette::nearest(std::uint32_t color, std::size_t every) const {
  const std::size_t end = every == 1 ? colors_.size() : 1 + inks_ * steps;
  std::size_t best = every == 1 ? 0 : every;
  for (std::size_t i = best; i < end; i += every) {
    if (square_distance(colors_[i], color) < square_distance(colors_[best], color)) best = i;
  }
  return best;
}

unsigned Palette::ink(std::uint32_t color) {
  for (unsigned k = 0; k < inks_; ++k) {
    if (colors_[on_paper(k, steps)] == color) return k;
  }
  if (inks_ == most_inks) return static_cast<unsigned>(nearest(color, steps) / steps) - 1;
  for (unsigned step = 1; step <= steps; ++step)
    colors_[on_paper(inks_, step)] = mixed_color(paper, color, step);
  return inks_++;
}

std::uint8_t Palette::mix(std::uint8_t below, unsigned ink, unsigned step) {
  const std::uint32_t color = mixed_color(colors_[below], colors_[on_paper(ink, steps)], step);
  std::size_t number = nearest(color, 1);
  if (colors_[number] != color && colors_.size() < most_colors) {
    number = colors_.size();
    colors_.push_back(color);
  }
  return static_cast<std::uint8_t>(number);
}

}  // namespace dalembert

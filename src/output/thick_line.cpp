#include "thick_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace dalembert {
namespace {

// From `first` to `last`, both included, within a rectangle's side.
struct Pixels {
  std::ptrdiff_t first, last;

  Pixels(float low, float high, std::ptrdiff_t size)
      : first(std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(std::max(std::floor(low), -1.0F)), 0)),
        last(static_cast<std::ptrdiff_t>(std::min(std::floor(high), static_cast<float>(size - 1)))) {}
};

// A piece between two points, relative to the rectangle. `u` is the axis along which it is longer.
class Piece {
 public:
  Piece(const Coverage& coverage, CanvasPoint from, CanvasPoint to, double width)
      : reach_(static_cast<float>(width / 2) + 0.5F) {
    const double left = static_cast<double>(coverage.left);
    const double top = static_cast<double>(coverage.top);
    steep_ = std::abs(to.y - from.y) > std::abs(to.x - from.x);
    u0_ = static_cast<float>(steep_ ? from.y - top : from.x - left);
    v0_ = static_cast<float>(steep_ ? from.x - left : from.y - top);
    du_ = static_cast<float>(steep_ ? to.y - from.y : to.x - from.x);
    dv_ = static_cast<float>(steep_ ? to.x - from.x : to.y - from.y);
    const float square = du_ * du_ + dv_ * dv_;
    reciprocal_ = square > 0 ? 1 / square : 0;
  }

  void draw(Coverage& coverage) const {
    const std::ptrdiff_t size_u = steep_ ? coverage.height : coverage.width;
    const std::ptrdiff_t size_v = steep_ ? coverage.width : coverage.height;
    const std::ptrdiff_t step_u = steep_ ? coverage.width : 1;
    const std::ptrdiff_t step_v = steep_ ? 1 : coverage.width;
    const float slope = du_ != 0 ? dv_ / du_ : 0;
    const float room = reach_ * std::sqrt(1 + slope * slope);  // across
    const Pixels along(std::min(u0_, u0_ + du_) - reach_, std::max(u0_, u0_ + du_) + reach_, size_u);
    for (std::ptrdiff_t i = along.first; i <= along.last; ++i) {
      const float u = static_cast<float>(i) + 0.5F - u0_;
      const float middle = v0_ + slope * std::clamp(u, std::min(du_, 0.0F), std::max(du_, 0.0F));
      const Pixels across(middle - room, middle + room, size_v);
      for (std::ptrdiff_t k = across.first; k <= across.last; ++k) {
        std::uint8_t& part = coverage.parts[static_cast<std::size_t>(i * step_u + k * step_v)];
        if (part < 255) part = std::max(part, part_of(u, static_cast<float>(k) + 0.5F - v0_));
      }
    }
  }

 private:
  // By the distance of the pixel's middle.
  std::uint8_t part_of(float u, float v) const {
    const float along = std::clamp((u * du_ + v * dv_) * reciprocal_, 0.0F, 1.0F);
    const float off_u = u - along * du_;
    const float off_v = v - along * dv_;
    const float inside = reach_ - std::sqrt(off_u * off_u + off_v * off_v);
    return static_cast<std::uint8_t>(255 * std::clamp(inside, 0.0F, 1.0F));
  }

  float reach_;
  bool steep_ = false;
  float u0_, v0_, du_, dv_, reciprocal_;
};

}  // namespace

void cover_line(std::span<const CanvasPoint> points, double width, Coverage& coverage) {
  coverage.parts.assign(static_cast<std::size_t>(coverage.width * coverage.height), 0);
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    Piece(coverage, points[i], points[i + 1], width).draw(coverage);
}

}  // namespace dalembert

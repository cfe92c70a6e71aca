#include "alike_rows.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace dalembert::study {
namespace {

using Numbers = std::span<std::size_t>;

class Halving {
 public:
  Halving(std::span<const double> values, std::size_t width, std::size_t group)
      : width_(width), group_(group) {
    const std::size_t count = values.size() / width;
    ranks_.resize(values.size());
    std::vector<std::size_t> rows(count);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    for (std::size_t k = 0; k < width; ++k) {
      const auto value = [&](std::size_t row) { return values[row * width + k]; };
      std::ranges::stable_sort(
          rows, [](double a, double b) { return std::strong_order(a, b) < 0; }, value);
      std::size_t rank = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (i > 0 && value(rows[i]) != value(rows[i - 1])) rank = i;
        ranks_[rows[i] * width + k] = rank;
      }
    }
  }

  void arrange(Numbers rows) const {
    if (rows.size() <= group_) return;
    const auto rank_of = [this](std::size_t k) {
      return [this, k](std::size_t row) { return ranks_[row * width_ + k]; };
    };
    const auto spread = [&](std::size_t k) {
      const auto ends = std::ranges::minmax(rows, {}, rank_of(k));
      return rank_of(k)(ends.max) - rank_of(k)(ends.min);
    };
    std::size_t widest = 0;
    for (std::size_t k = 1; k < width_; ++k)
      if (spread(k) > spread(widest)) widest = k;
    std::ranges::stable_sort(rows, {}, rank_of(widest));
    const std::size_t groups = (rows.size() + group_ - 1) / group_;
    const std::size_t half = (groups + 1) / 2 * group_;
    arrange(rows.first(half));
    arrange(rows.subspan(half));
  }

 private:
  std::size_t width_, group_;
  std::vector<std::size_t> ranks_;  // [row][quantity]
};

}  // namespace

std::vector<std::size_t> find_alike_rows(std::span<const double> values, std::size_t width,
                                         std::size_t group) {
  std::vector<std::size_t> rows(values.size() / width);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Halving(values, width, group).arrange(rows);
  return rows;
}

}  // namespace dalembert::study

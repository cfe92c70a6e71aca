#include "dissection.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <camd.h>

namespace dalembert {
namespace {

// The columns that are joined by entries of the pattern, and where each belongs.
class Cutter {
 public:
  Cutter(std::span<const std::int32_t> starts, std::span<const std::int32_t> rows)
      : starts_(starts), rows_(rows), region_(starts.size() - 1, 0), level_(starts.size() - 1, unseen) {}

  // Cuts region r into r and `other`; the columns between become `separator`. Returns how many they are.
  std::size_t cut(std::uint32_t r, std::uint32_t other, std::uint32_t separator) {
    const std::vector<std::uint32_t> order = far_end_first(r);
    const std::size_t half = order.size() / 2;
    if (half == 0) return 0;
    // low columns come first, as in all other work that threads share: memory stays where it is used
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(half);
    const double low = std::accumulate(order.begin(), middle, 0.0) / static_cast<double>(half);
    const double high = std::accumulate(middle, order.end(), 0.0) / static_cast<double>(order.size() - half);
    // the least level among those near the middle
    const std::size_t margin = order.size() / 20;
    std::size_t best_first = 0, best_last = order.size();
    for (std::size_t first = 0; first < order.size();) {
      std::size_t last = first;
      while (last < order.size() && level_[order[last]] == level_[order[first]]) ++last;
      if (last + margin >= half && first <= half + margin && last - first < best_last - best_first) {
        best_first = first;
        best_last = last;
      }
      first = last;
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i >= best_first && i < best_last) {
        region_[order[i]] = separator;
      } else if ((i < best_first) != (low <= high)) {
        region_[order[i]] = other;
      }
    }
    return best_last - best_first;
  }

  std::uint32_t region(std::size_t column) const { return region_[column]; }

 private:
  static constexpr std::uint32_t unseen = UINT32_MAX;

  // The columns of a region by their distance from one at its end, component by component.
  std::vector<std::uint32_t> far_end_first(std::uint32_t r) {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < region_.size(); ++i) {
      if (region_[i] == r) all.push_back(i);
    }
    for (const std::uint32_t i : all) level_[i] = unseen;
    for (const std::uint32_t i : all) {
      if (level_[i] != unseen) continue;
      const std::size_t first = order.size();
      const std::uint32_t base = order.empty() ? 0 : level_[order.back()] + 1;
      constexpr int searches = 3;  // each from the column where the last one ended
      std::uint32_t start = i;
      for (int s = 0; s < searches; ++s) {
        for (std::size_t k = first; k < order.size(); ++k) level_[order[k]] = unseen;
        order.resize(first);
        search(r, start, base, order);
        start = order.back();
      }
    }
    return order;
  }

  void search(std::uint32_t r, std::uint32_t start, std::uint32_t base, std::vector<std::uint32_t>& order) {
    std::size_t next = order.size();
    order.push_back(start);
    level_[start] = base;
    for (; next < order.size(); ++next) {
      const std::uint32_t j = order[next];
      for (std::int32_t e = starts_[j]; e < starts_[j + 1]; ++e) {
        const auto i = static_cast<std::uint32_t>(rows_[static_cast<std::size_t>(e)]);
        if (region_[i] != r || level_[i] != unseen) continue;
        level_[i] = level_[j] + 1;
        order.push_back(i);
      }
    }
  }

  std::span<const std::int32_t> starts_, rows_;
  std::vector<std::uint32_t> region_, level_;
};

}  // namespace

Dissection dissect(std::span<const std::int32_t> column_starts, std::span<const std::int32_t> rows,
                   int times) {
  const std::size_t size = column_starts.size() - 1;
  constexpr std::size_t largest_share = 100;  // one in so many may separate
  Cutter cutter(column_starts, rows);
  std::uint32_t count = 1;
  std::uint32_t separator = 1U << static_cast<unsigned>(times);
  std::size_t separating = 0;
  for (int i = 0; i < times; ++i, count *= 2, ++separator) {
    for (std::uint32_t r = 0; r < count; ++r) separating += cutter.cut(r, r + count, separator);
  }
  Dissection result;
  if (separating * largest_share > size) return result;
  result.count = count;
  std::vector<std::int32_t> stage(size);  // the first cut is eliminated last
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t region = cutter.region(i);
    result.parts.push_back(std::min(region, count));
    stage[i] = region < count ? 0 : static_cast<std::int32_t>(separator - region);
  }
  result.order.resize(size);
  const int status = camd_order(static_cast<std::int32_t>(size), column_starts.data(), rows.data(),
                                result.order.data(), nullptr, nullptr, stage.data());
  if (status < CAMD_OK) return {};
  return result;
}

}  // namespace dalembert

// A matrix while its pivots are chosen: rows of entries in the order of their columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace dalembert {

struct SparseFront {
  static constexpr std::uint32_t absent = UINT32_MAX;

  struct Item {
    std::uint32_t column;
    std::uint32_t entry;  ///< a number of the caller's, absent at first
    double value;
  };

  std::vector<std::vector<Item>> items;  ///< by row
  std::vector<std::uint32_t> rest;       ///< rows without a pivot, in order

  explicit SparseFront(std::size_t size) : items(size), rest(size) {
    std::iota(rest.begin(), rest.end(), 0U);
  }

  /// Null: not present.
  Item* find(std::uint32_t row, std::uint32_t column) {
    const auto it = place(row, column);
    return it != items[row].end() && it->column == column ? &*it : nullptr;
  }
  /// Made with the value 0 where it is not present. Others of its row move.
  Item& at(std::uint32_t row, std::uint32_t column) {
    auto it = place(row, column);
    if (it == items[row].end() || it->column != column) it = items[row].insert(it, {column, absent, 0});
    return *it;
  }
  void erase(std::uint32_t row, std::uint32_t column) {
    if (find(row, column) != nullptr) items[row].erase(place(row, column));
  }
  void remove_row(std::uint32_t row) { rest.erase(std::lower_bound(rest.begin(), rest.end(), row)); }

 private:
  std::vector<Item>::iterator place(std::uint32_t row, std::uint32_t column) {
    return std::lower_bound(items[row].begin(), items[row].end(), column,
                            [](const Item& item, std::uint32_t j) { return item.column < j; });
  }
};

}  // namespace dalembert

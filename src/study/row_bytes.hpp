// Rows of numbers as bytes, for files and messages: numbers, count of reasons, reasons: row, length, text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <dalembert/study/study.hpp>

namespace dalembert::study {

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T take(std::string_view& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

inline void put_rows(std::string& bytes, const RowBlock& block) {
  bytes.append(reinterpret_cast<const char*>(block.values.data()), block.values.size() * sizeof(double));
  put(bytes, std::uint64_t{block.reasons.size()});
  for (const auto& [row, text] : block.reasons) {
    put(bytes, row);
    put(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += text;
  }
}

inline RowBlock take_rows(std::string_view bytes, std::uint64_t first, std::size_t count, std::size_t width) {
  RowBlock block{first, count, {}, {}};
  block.values.resize(count * width);
  std::memcpy(block.values.data(), bytes.data(), block.values.size() * sizeof(double));
  bytes.remove_prefix(block.values.size() * sizeof(double));
  for (auto left = take<std::uint64_t>(bytes); left > 0; --left) {
    const auto row = take<std::uint32_t>(bytes), size = take<std::uint32_t>(bytes);
    block.reasons.emplace_back(row, bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return block;
}

}  // namespace dalembert::study

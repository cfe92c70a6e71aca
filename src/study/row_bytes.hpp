// Rows of numbers as bytes, for files and messages: numbers, count of reasons, reasons: row, length, text;
// numbers of motions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/study/study.hpp>

namespace dalembert::study {

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline std::uint64_t checksum(std::string_view bytes) {  // FNV-1a
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
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
  bytes.append(reinterpret_cast<const char*>(block.motions.data()), block.motions.size() * sizeof(double));
}

inline std::vector<double> take_numbers(std::string_view& bytes, std::size_t count) {
  std::vector<double> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), bytes.data(), count * sizeof(double));
  bytes.remove_prefix(count * sizeof(double));
  return numbers;
}

/// Without motions where the bytes end before them.
inline RowBlock take_rows(std::string_view bytes, std::uint64_t first, std::size_t count,
                          const RowWidth& width) {
  RowBlock block{first, count, take_numbers(bytes, count * width.columns), {}, {}};
  for (auto left = take<std::uint64_t>(bytes); left > 0; --left) {
    const auto row = take<std::uint32_t>(bytes), size = take<std::uint32_t>(bytes);
    block.reasons.emplace_back(row, bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  if (!bytes.empty()) block.motions = take_numbers(bytes, count * width.motion);
  return block;
}

}  // namespace dalembert::study

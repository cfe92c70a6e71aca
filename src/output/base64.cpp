#include "base64.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace dalembert {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes are taken as they stand");

using Pair = std::array<char, 2>;

// The two characters of each twelve bits.
const std::array<Pair, 4096>& pairs() {
  static const std::array<Pair, 4096> table = [] {
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<Pair, 4096> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = {digits[i >> 6U], digits[i & 63U]};
    return values;
  }();
  return table;
}

// Three bytes become four characters; what is missing at the end is "=".
char* encode(std::span<const std::byte> bytes, char* place) {
  const auto& table = pairs();
  const auto put = [&](std::uint32_t three) {
    std::memcpy(place, table[three >> 12U].data(), 2);
    std::memcpy(place + 2, table[three & 4095U].data(), 2);
    place += 4;
  };
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i]) : 0U;
  };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    put(std::to_integer<std::uint32_t>(bytes[i]) << 16U | std::to_integer<std::uint32_t>(bytes[i + 1]) << 8U |
        std::to_integer<std::uint32_t>(bytes[i + 2]));
  }
  if (i == bytes.size()) return place;
  put(byte(i) << 16U | byte(i + 1) << 8U);
  place[-1] = '=';
  if (bytes.size() - i == 1) place[-2] = '=';
  return place;
}

}  // namespace

void write_base64(std::span<const double> values, const std::function<void(std::string_view)>& write) {
  constexpr std::size_t piece = std::size_t{3} * 2048;  // no bytes are left between pieces
  std::string text(piece * sizeof(double) / 3 * 4, '\0');
  for (std::size_t i = 0; i < values.size(); i += piece) {
    const auto bytes = std::as_bytes(values.subspan(i, std::min(piece, values.size() - i)));
    write({text.data(), static_cast<std::size_t>(encode(bytes, text.data()) - text.data())});
  }
}

}  // namespace dalembert

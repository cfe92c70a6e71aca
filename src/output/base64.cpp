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

#ifdef __x86_64__
#include <immintrin.h>
#endif

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

#ifdef __x86_64__
// Four bytes of six bits each of every three, in their order; then the characters: the digits' runs A-Z, a-z,
// 0-9, + and / are apart by a constant each.
[[gnu::target("avx2")]] char* encode_at_once(std::span<const std::byte>& bytes, char* place) {
  const __m256i spread = _mm256_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10, 1, 0, 2, 1, 4, 3,
                                          5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
  const __m256i shift = _mm256_setr_epi8(
      'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
      '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0, 'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
      '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0);
  for (; bytes.size() >= 28; bytes = bytes.subspan(24), place += 32) {
    const auto* from = reinterpret_cast<const __m128i*>(bytes.data());
    const auto* behind = reinterpret_cast<const __m128i*>(bytes.data() + 12);
    const __m256i twice = _mm256_set_m128i(_mm_loadu_si128(behind), _mm_loadu_si128(from));
    const __m256i in = _mm256_shuffle_epi8(twice, spread);
    const __m256i high = _mm256_mulhi_epu16(_mm256_and_si256(in, _mm256_set1_epi32(0x0FC0FC00)),
                                            _mm256_set1_epi32(0x04000040));
    const __m256i low = _mm256_mullo_epi16(_mm256_and_si256(in, _mm256_set1_epi32(0x003F03F0)),
                                           _mm256_set1_epi32(0x01000010));
    const __m256i six = _mm256_or_si256(high, low);
    const __m256i is_capital = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), six);
    const __m256i run = _mm256_or_si256(_mm256_subs_epu8(six, _mm256_set1_epi8(51)),
                                        _mm256_and_si256(is_capital, _mm256_set1_epi8(13)));
    const __m256i text = _mm256_add_epi8(_mm256_shuffle_epi8(shift, run), six);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(place), text);
  }
  return place;
}
#endif

char* encode_all(std::span<const std::byte> bytes, char* place) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) place = encode_at_once(bytes, place);
#endif
  return encode(bytes, place);
}

}  // namespace

void write_base64(std::span<const double> values, const std::function<void(std::string_view)>& write) {
  constexpr std::size_t piece = std::size_t{3} * 2048;  // no bytes are left between pieces
  std::string text(piece * sizeof(double) / 3 * 4, '\0');
  for (std::size_t i = 0; i < values.size(); i += piece) {
    const auto bytes = std::as_bytes(values.subspan(i, std::min(piece, values.size() - i)));
    write({text.data(), static_cast<std::size_t>(encode_all(bytes, text.data()) - text.data())});
  }
}

}  // namespace dalembert

#include "number_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace dalembert {
namespace {

static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");

constexpr std::array<std::uint64_t, 18> powers = [] {
  std::array<std::uint64_t, 18> table{1};
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = 10 * table[i - 1];
  return table;
}();

// Of a number from 1 to 10^17 − 1.
int count_digits(std::uint64_t value) {
  const int guess = static_cast<int>(std::bit_width(value)) * 1233 >> 12;  // times log10(2), rounded down
  return guess + (value >= powers[static_cast<std::size_t>(guess)] ? 1 : 0);
}

// Eight digits as characters: halves of four, their halves of two, and so on, all at once in 64 bits.
inline std::uint64_t eight_digits(std::uint32_t value) {
  const std::uint64_t fours = value / 10'000 | std::uint64_t{value % 10'000} << 32U;
  const std::uint64_t hundreds = (fours * 10'486 >> 20U) & 0x0000'007F'0000'007FU;  // each of them / 100
  const std::uint64_t twos = (fours - 100 * hundreds) << 16U | hundreds;
  const std::uint64_t tens = (twos * 103 >> 10U) & 0x000F'000F'000F'000FU;  // each of them / 10
  return ((twos - 10 * tens) << 8U | tens) + 0x3030'3030'3030'3030U;
}

// The seventeen digits of a number below 10^17. Whatever their count, all are written; the end is what moves.
class Digits {
 public:
  explicit Digits(std::uint64_t value) {
    constexpr std::uint64_t eight = 100'000'000;
    const std::uint64_t high = value / eight;
    first_ = static_cast<char>('0' + high / eight);
    middle_ = eight_digits(static_cast<std::uint32_t>(high % eight));
    last_ = eight_digits(static_cast<std::uint32_t>(value % eight));
  }
  char first() const { return first_; }
  void put_all(char* place) const {
    *place = first_;
    std::memcpy(place + 1, &middle_, 8);
    std::memcpy(place + 9, &last_, 8);
  }
  // Without the first one and `skipped` others.
  void put_rest(char* place, int skipped = 0) const {
    const int bits = 8 * skipped;
    std::uint64_t low = middle_;
    std::uint64_t high = last_;
    if (bits >= 64) {
      low = high >> (bits - 64);
    } else if (bits > 0) {
      low = low >> bits | high << (64 - bits);
      high >>= bits;
    }
    std::memcpy(place, &low, 8);
    std::memcpy(place + 8, &high, 8);
  }

 private:
  char first_;
  std::uint64_t middle_, last_;
};

// e-05
char* put_exponent(char* place, int exponent) {
  *place++ = 'e';
  *place++ = exponent < 0 ? '-' : '+';
  const int size = std::abs(exponent);
  if (size >= 100) *place++ = static_cast<char>('0' + size / 100);
  *place++ = static_cast<char>('0' + size / 10 % 10);
  *place++ = static_cast<char>('0' + size % 10);
  return place;
}

}  // namespace

char* write_number(char* place, double value) {
  if (value == 0 || !std::isfinite(value)) return std::to_chars(place, place + longest_number, value).ptr;
  const auto [significand, power] = fmt::detail::dragonbox::to_decimal(value);  // the shortest digits
  // Large integers are written in full where that is not longer.
  if (power > 0) return std::to_chars(place, place + longest_number, value).ptr;
  const int count = count_digits(significand);
  const int exponent = power + count - 1;  // of the first digit
  const Digits digits(significand * powers[static_cast<std::size_t>(17 - count)]);
  if (value < 0) *place++ = '-';
  const int point = count > 1 ? 1 : 0;
  if (exponent < -3 - point) {  // the shorter way
    place[0] = digits.first();
    place[1] = '.';
    digits.put_rest(place + 2);
    return put_exponent(place + count + point, exponent);
  }
  if (exponent < 0) {
    std::memcpy(place, "0.000000", 8);
    digits.put_all(place + 1 - exponent);
    return place + 1 - exponent + count;
  }
  digits.put_all(place);
  if (power == 0) return place + count;
  place[exponent + 1] = '.';
  digits.put_rest(place + exponent + 2, exponent);
  return place + count + 1;
}

}  // namespace dalembert

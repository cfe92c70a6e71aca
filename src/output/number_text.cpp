#include "number_text.hpp"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "powers_of_ten.hpp"

namespace dalembert {
namespace {

static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");

// d.ddd… 10^exponent. Doubtful where the arithmetic below does not decide.
struct Decimal {
  std::uint64_t digits;  // sixteen
  std::uint64_t last;    // the seventeenth
  int exponent;
  bool doubtful;
};

// Of the decimals that read back as c 2^q, the one of fewest digits; of these the nearest. With the power of
// ten 10^(p−1) ≤ 2^q < 10^p at most one multiple of 10^p reads back; if none does, the nearest multiple of
// 10^(p−1) is it. Branches would depend on random digits, so there are none.
inline Decimal shortest_decimal(std::uint64_t fraction, int q) {
  constexpr std::uint64_t hidden = std::uint64_t{1} << 52U;
  const int p = (q * 1'262'611 >> 22) + 1;       // by log10(2)
  const int scale = q + (-p * 1'741'647 >> 19);  // by log2(10): 2^q over 10^p is from 2^scale to 2^(scale+1)
  const Wide power = powers_of_ten[-p];
  const std::uint64_t c = (fraction | hidden) << (12 + scale);  // scale is from −4 to −1
  const Wide product = Wide{high_half(power)} * c + high_half(Wide{low_half(power)} * c);
  // the number over 10^p: its whole part, and the rest in units of 2^−64, as all that follows
  const std::uint64_t whole = high_half(product) >> 11U;
  const std::uint64_t rest = low_half(product >> 11U);
  const std::uint64_t above = high_half(power) >> -scale;          // half the way to the next number
  const std::uint64_t below = above >> (fraction == 0 ? 1U : 0U);  // and to the one before
  const bool up = rest > -above;
  const bool longer = !up & (rest >= below);
  const Wide tenths = Wide{rest} * 10;
  const std::uint64_t after = low_half(tenths);
  const std::uint64_t digit = longer ? high_half(tenths) + (after >> 63U) : 0;

  constexpr std::uint64_t error = 4;  // more than that of all quantities here
  constexpr std::uint64_t half = std::uint64_t{1} << 63U;
  bool doubtful = (rest - below + error <= 2 * error) | (-rest - above + error <= 2 * error);
  doubtful |= longer & (after - half + 10 * error <= 20 * error);
  // a power of two: the tenth below may be too far away
  doubtful |= fraction == 0 && longer && after < half && after >= 10 * Wide{below - error};

  const std::uint64_t rounded = whole + (up ? 1U : 0U);
  const std::uint64_t fifteen =
      rounded < 1'000'000'000'000'000 ? ~std::uint64_t{0} : 0;  // digits, not sixteen
  return {rounded + ((9 * rounded + digit) & fifteen), digit & ~fifteen, p + 15 + static_cast<int>(fifteen),
          doubtful};
}

// Eight digits: halves of four, their halves of two, and so on, all at once in 64 bits.
inline std::uint64_t eight_digits(std::uint32_t value) {
  const std::uint64_t fours = value / 10'000 | std::uint64_t{value % 10'000} << 32U;
  const std::uint64_t hundreds = (fours * 10'486 >> 20U) & 0x0000'007F'0000'007FU;  // each of them / 100
  const std::uint64_t twos = (fours - 100 * hundreds) << 16U | hundreds;
  const std::uint64_t tens = (twos * 103 >> 10U) & 0x000F'000F'000F'000FU;  // each of them / 10
  return (twos - 10 * tens) << 8U | tens;
}

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

char* write_by_library(char* place, double value) {
  return std::to_chars(place, place + longest_number, value).ptr;
}

}  // namespace

char* write_number(char* place, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const unsigned biased = bits >> 52U & 0x7FFU;
  if (biased - 1 >= 0x7FE) return write_by_library(place, value);  // 0, subnormal, infinite, NaN
  const auto [digits, last, exponent, doubtful] =
      shortest_decimal(bits & 0x000F'FFFF'FFFF'FFFFU, static_cast<int>(biased) - 1075);
  constexpr std::uint64_t eight = 100'000'000;
  const std::uint64_t high = eight_digits(static_cast<std::uint32_t>(digits / eight));
  const std::uint64_t low = eight_digits(static_cast<std::uint32_t>(digits % eight));
  const int zeros = 1 + (low != 0 ? std::countl_zero(low) / 8 : 8 + std::countl_zero(high) / 8);
  const int count = 17 - (zeros & (last == 0 ? -1 : 0));
  // Large integers are written in full where that is not longer.
  if (doubtful || exponent >= count || exponent > 14) return write_by_library(place, value);

  constexpr std::uint64_t characters = 0x3030'3030'3030'3030U;
  const Wide text = Wide{low | characters} << 64U | (high | characters);
  const char seventeenth = static_cast<char>('0' + last);
  *place = '-';
  place += bits >> 63U;
  if (exponent >= 0) {
    const Wide behind_point = text >> 8 * (exponent + 1);
    std::memcpy(place, &text, 16);
    std::memcpy(place + exponent + 2, &behind_point, 16);
    place[exponent + 1] = '.';
    place[17] = seventeenth;
    return place + count + (count > exponent + 1 ? 1 : 0);
  }
  const int point = count > 1 ? 1 : 0;
  if (exponent < -3 - point) {  // the shorter way
    std::memcpy(place + 1, &text, 16);
    place[0] = static_cast<char>(text);
    place[1] = '.';
    place[17] = seventeenth;
    return put_exponent(place + count + point, exponent);
  }
  std::memset(place, '0', 8);
  place[1] = '.';
  std::memcpy(place + 1 - exponent, &text, 16);
  place[17 - exponent] = seventeenth;
  return place + 1 - exponent + count;
}

}  // namespace dalembert

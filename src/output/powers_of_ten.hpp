// Powers of ten in binary, for the text of numbers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace dalembert {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t high_half(Wide value) { return static_cast<std::uint64_t>(value >> 64U); }
constexpr std::uint64_t low_half(Wide value) { return static_cast<std::uint64_t>(value); }

/// The 128 leading bits of 10^k, rounded up unless they are all, for the exponents of all numbers.
class PowersOfTen {
 public:
  constexpr PowersOfTen() {
    Bits bits = one;
    for (int k = 0; k <= greatest; ++k, bits = scaled(bits, 10, 1)) set(k, bits);
    bits = one;
    for (int k = -1; k >= least; --k) set(k, bits = scaled(bits, 8, 5));
  }
  constexpr Wide operator[](int k) const { return values_[static_cast<std::size_t>(k - least)]; }

 private:
  static constexpr int least = -293;
  static constexpr int greatest = 323;
  // Twice as many bits, from the lowest word; the leading bit is 1. The errors of some hundred steps stay far
  // below the bits that are kept.
  using Bits = std::array<std::uint64_t, 4>;
  static constexpr Bits one{0, 0, 0, std::uint64_t{1} << 63U};

  constexpr void set(int k, const Bits& bits) {
    const bool exact = bits[0] == 0 && bits[1] == 0;
    values_[static_cast<std::size_t>(k - least)] = (Wide{bits[3]} << 64U | bits[2]) + (exact ? 0 : 1);
  }
  // factor/divisor times the bits, which are shifted to begin with 1 again; the quotient is from 1 to 16.
  static constexpr Bits scaled(Bits bits, std::uint64_t factor, std::uint64_t divisor) {
    Wide carry = 0;
    for (std::uint64_t& word : bits) {
      carry += Wide{word} * factor;
      word = low_half(carry);
      carry >>= 64U;
    }
    const std::uint64_t highest = low_half(carry) / divisor;
    carry %= divisor;
    for (std::size_t i = bits.size(); i-- > 0;) {
      carry = carry << 64U | bits[i];
      bits[i] = low_half(carry / divisor);
      carry %= divisor;
    }
    const int shift = std::bit_width(highest);
    for (std::size_t i = 0; i < bits.size(); ++i)
      bits[i] = low_half((Wide{i + 1 < bits.size() ? bits[i + 1] : highest} << 64U | bits[i]) >> shift);
    return bits;
  }

  std::array<Wide, greatest - least + 1> values_{};
};

inline constexpr PowersOfTen powers_of_ten;

}  // namespace dalembert

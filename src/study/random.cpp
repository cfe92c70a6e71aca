#include <array>
#include <cstdint>

#include <dalembert/study/random.hpp>

namespace dalembert::study {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr int rounds = 10;
  for (int i = 0; i < rounds; ++i) {
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * counter[2];
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); };
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

double uniform_number(std::uint64_t seed, std::uint64_t row, std::uint32_t column) {
  const auto x = philox({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32U), column, 0},
                        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)});
  const std::uint64_t bits = (std::uint64_t{x[0]} << 32U | x[1]) >> 11U;
  return (static_cast<double>(bits) + 0.5) * 0x1p-53;
}

}  // namespace dalembert::study

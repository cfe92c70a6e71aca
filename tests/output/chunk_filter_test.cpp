// Chunks of HDF5 files: what HDF5's filter deflate would expand, in the order of its filter shuffle.
#include "../../src/output/chunk_filter.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace dalembert {
namespace {

// The first bytes of all numbers, their second bytes, ...
std::vector<std::uint8_t> shuffled(const std::vector<double>& numbers) {
  std::vector<std::uint8_t> bytes;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    for (const double number : numbers)
      bytes.push_back(static_cast<std::uint8_t>(std::bit_cast<std::uint64_t>(number) >> shift & 0xFFU));
  }
  return bytes;
}

std::vector<std::uint8_t> expanded(std::span<const std::uint8_t> packed, std::size_t size) {
  std::vector<std::uint8_t> bytes(size + 1);  // one more would be seen
  uLongf length = bytes.size();
  EXPECT_EQ(uncompress(bytes.data(), &length, packed.data(), packed.size()), Z_OK);
  bytes.resize(length);
  return bytes;
}

// Numbers whose bytes are noise from the lowest one on, `noisy` of eight; the others are those of 1.5.
std::vector<double> partly_noise(std::size_t size, unsigned noisy) {
  std::mt19937_64 bits(noisy);
  const std::uint64_t mask = noisy == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * noisy);
  std::vector<double> numbers(size);
  for (double& number : numbers)
    number = std::bit_cast<double>((bits() & mask) | (std::bit_cast<std::uint64_t>(1.5) & ~mask));
  return numbers;
}

TEST(ChunkFilter, EveryChunkComesBackWhateverPartOfItIsNoise) {
  ChunkFilter filter;
  for (const std::size_t size : {1, 2, 7, 256, 1001, 8184, 100'000}) {
    for (unsigned noisy = 0; noisy <= 8; ++noisy) {
      const std::vector<double> numbers = partly_noise(size, noisy);
      const std::span<const std::uint8_t> packed = filter.apply(numbers);
      ASSERT_EQ(expanded(packed, 8 * size), shuffled(numbers)) << size << " numbers, " << noisy;
      EXPECT_LE(packed.size(), 8 * size + size / 100 + 128);
    }
  }
}

TEST(ChunkFilter, OnlyNoiseTakesRoom) {
  ChunkFilter filter;
  constexpr std::size_t size = 8184;
  for (unsigned noisy = 0; noisy <= 8; ++noisy)
    EXPECT_LT(filter.apply(partly_noise(size, noisy)).size(), (noisy + 0.1) * size) << noisy;
}

TEST(ChunkFilter, SmoothMotionsLoseAFifthAtLeast) {
  ChunkFilter filter;
  std::vector<double> numbers;
  for (int i = 0; i < 8184; ++i) numbers.push_back(std::sin(1e-3 * i));
  const std::span<const std::uint8_t> packed = filter.apply(numbers);
  EXPECT_EQ(expanded(packed, 8 * numbers.size()), shuffled(numbers));
  EXPECT_LT(packed.size(), 0.8 * 8 * static_cast<double>(numbers.size()));
}

}  // namespace
}  // namespace dalembert

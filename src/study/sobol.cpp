#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <dalembert/study/sobol.hpp>

#include "joe_kuo_numbers.hpp"

namespace dalembert::study {
namespace {

constexpr int bits = 32;
using Directions = std::array<std::uint32_t, bits>;

// v_k = m_k / 2^k, and for k > s: m_k = 2 a_1 m_{k−1} ⊕ 2² a_2 m_{k−2} ⊕ ... ⊕ 2^s m_{k−s} ⊕ m_{k−s}
Directions directions_of(std::size_t dimension) {
  Directions v{};
  if (dimension == 0) {  // van der Corput's sequence
    for (std::size_t k = 0; k < bits; ++k) v[k] = 1U << (bits - 1 - k);
    return v;
  }
  const JoeKuoNumbers& of = joe_kuo_numbers.at(dimension - 1);
  const auto s = static_cast<std::size_t>(of.degree);
  for (std::size_t k = 0; k < bits; ++k) {
    if (k < s) {
      v[k] = of.m[k] << (bits - 1 - k);
      continue;
    }
    v[k] = v[k - s] ^ (v[k - s] >> s);
    for (std::size_t i = 1; i < s; ++i)
      if ((of.coefficients >> (s - 1 - i)) & 1U) v[k] ^= v[k - i];
  }
  return v;
}

}  // namespace

std::uint32_t sobol_bits(std::uint64_t index, std::size_t dimension) {
  static const auto all = [] {
    std::vector<Directions> list;
    for (std::size_t i = 0; i < most_sobol_dimensions; ++i) list.push_back(directions_of(i));
    return list;
  }();
  std::uint32_t x = 0;
  for (std::size_t k = 0; k < bits && index != 0; ++k, index >>= 1U)
    if (index & 1U) x ^= all.at(dimension)[k];
  return x;
}

}  // namespace dalembert::study

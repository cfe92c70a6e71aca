#include "zero_run_stream.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dalembert {
namespace {

// Numbers of the format: RFC 1950 and 1951.
constexpr std::uint64_t modulus = 65521;
constexpr std::size_t symbol_count = 286;
constexpr std::uint16_t end_of_block = 256;
constexpr std::uint16_t first_length = 257;
constexpr unsigned longest_match = 258;
constexpr unsigned longest_code = 15;

using Counts = std::array<std::uint32_t, symbol_count>;
using Lengths = std::array<std::uint8_t, symbol_count>;

// How many bits follow a symbol.
unsigned extra_bits(unsigned symbol) {
  return symbol < first_length + 8U || symbol == first_length + 28U ? 0 : (symbol - first_length) / 4 - 1;
}

// Depths in the tree that Huffman's method makes: the two rarest are joined again and again.
Lengths tree_depths(const Counts& counts) {
  std::vector<std::size_t> parents(symbol_count);
  using Node = std::pair<std::uint64_t, std::size_t>;
  std::priority_queue<Node, std::vector<Node>, std::greater<>> rarest;
  for (std::size_t i = 0; i < symbol_count; ++i) {
    if (counts[i] > 0) rarest.emplace(counts[i], i);
  }
  while (rarest.size() > 1) {
    const Node first = rarest.top();
    rarest.pop();
    const Node second = rarest.top();
    rarest.pop();
    parents[first.second] = parents[second.second] = parents.size();
    rarest.emplace(first.first + second.first, parents.size());
    parents.push_back(0);
  }
  std::vector<std::uint8_t> depths(parents.size());
  Lengths lengths{};
  for (std::size_t i = parents.size() - 1; i-- > 0;) {
    if (i < symbol_count && counts[i] == 0) continue;
    depths[i] = static_cast<std::uint8_t>(depths[parents[i]] + 1);
    if (i < symbol_count) lengths[i] = depths[i];
  }
  return lengths;
}

// Codes may not be longer than the format allows: rare symbols are then counted as less rare.
Lengths code_lengths(Counts counts) {
  while (true) {
    const Lengths lengths = tree_depths(counts);
    if (*std::max_element(lengths.begin(), lengths.end()) <= longest_code) return lengths;
    for (std::uint32_t& count : counts) count = count > 0 ? count / 2 + 1 : 0;
  }
}

// By length, then by symbol; the first bit is the lowest.
std::array<std::uint16_t, symbol_count> codes_of(const Lengths& lengths) {
  std::array<std::uint16_t, symbol_count> codes{};
  unsigned next = 0;
  for (unsigned length = 1; length <= longest_code; ++length, next *= 2) {
    for (std::size_t i = 0; i < symbol_count; ++i) {
      if (lengths[i] != length) continue;
      unsigned reversed = 0;
      for (unsigned k = 0; k < length; ++k) reversed |= (next >> k & 1U) << (length - 1 - k);
      codes[i] = static_cast<std::uint16_t>(reversed);
      ++next;
    }
  }
  return codes;
}

class Bits {
 public:
  explicit Bits(std::size_t room) : text_(room + sizeof bits_, '\0'), place_(text_.data()) {}

  // At most 32.
  void put(std::uint64_t bits, unsigned count) {
    bits_ |= bits << count_;
    count_ += count;
    if (count_ >= 32) put_bytes(4);
  }
  // From a whole byte on.
  void put_byte(std::uint64_t byte) {
    put_bytes((count_ + 7) / 8);
    bits_ = byte & 255U;
    count_ = 8;
    put_bytes(1);
  }
  std::string take() {
    text_.resize(static_cast<std::size_t>(place_ - text_.data()));
    return std::move(text_);
  }

 private:
  void put_bytes(unsigned bytes) {
    std::memcpy(place_, &bits_, sizeof bits_);  // those behind are written again
    place_ += bytes;
    bits_ >>= 8 * bytes;
    count_ -= std::min(count_, 8 * bytes);
  }

  std::string text_;
  char* place_;
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;
};

// The last block, of codes of its own. Their lengths 0 to 15 are four bits each, whose first is the highest;
// there is one distance, 1.
void put_head(Bits& bits, const Lengths& lengths) {
  bits.put(1, 1);
  bits.put(2, 2);
  bits.put(symbol_count - 257, 5);
  bits.put(0, 5);
  bits.put(15, 4);
  for (unsigned i = 0; i < 19; ++i) bits.put(i < 3 ? 0 : 4, 3);  // none for repetitions
  const auto put_length = [&](unsigned length) {
    for (const unsigned shift : {3U, 2U, 1U, 0U}) bits.put(length >> shift & 1U, 1);
  };
  for (const std::uint8_t length : lengths) put_length(length);
  put_length(1);
}

}  // namespace

void ZeroRunStream::note_match(unsigned length) {
  const unsigned rest = length - 3;
  if (length == longest_match) {
    symbols_.push_back(first_length + 28);
  } else if (rest < 8) {
    symbols_.push_back(static_cast<std::uint16_t>(first_length + rest));
  } else {
    const auto width = static_cast<unsigned>(std::bit_width(rest)) - 1;
    const unsigned extra = width - 2;
    symbols_.push_back(static_cast<std::uint16_t>(first_length + 4 * (width - 1) + (rest >> extra & 3U)));
    symbols_.push_back(static_cast<std::uint16_t>(rest & ((1U << extra) - 1)));
  }
}

void ZeroRunStream::note_run() {
  for (std::size_t rest = std::exchange(zeros_, 0); rest > 0;) {
    symbols_.push_back(0);
    for (--rest; rest >= 3;) {
      const std::size_t length = std::min<std::size_t>(rest, longest_match);
      note_match(static_cast<unsigned>(length));
      rest -= length;
    }
  }
}

void ZeroRunStream::add_zeros(std::size_t count) {
  if (count == 0) return;
  zeros_ += count;
  high_ = (high_ + count * low_) % modulus;
}

void ZeroRunStream::add(std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) {
    low_ += byte;
    high_ += low_;
    if (byte == 0) {
      ++zeros_;
      continue;
    }
    if (zeros_ > 0) note_run();
    symbols_.push_back(byte);
  }
  low_ %= modulus;
  high_ %= modulus;
}

std::string ZeroRunStream::finish() {
  note_run();
  symbols_.push_back(end_of_block);
  Counts counts{};
  for (std::size_t i = 0; i<symbols_.size(); i += extra_bits(symbols_[i])> 0 ? 2 : 1) ++counts[symbols_[i]];
  if (symbols_.size() == 1) ++counts[0];  // a tree has two leaves at least
  const Lengths lengths = code_lengths(counts);
  const auto codes = codes_of(lengths);
  Bits bits(2 * symbols_.size() + 512);
  bits.put_byte(0x78);
  bits.put_byte(0x01);
  put_head(bits, lengths);
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    const unsigned symbol = symbols_[i];
    bits.put(codes[symbol], lengths[symbol]);
    if (symbol < first_length) continue;
    if (const unsigned extra = extra_bits(symbol); extra > 0) bits.put(symbols_[++i], extra);
    bits.put(0, 1);  // the distance
  }
  const std::uint64_t sum = high_ << 16U | low_;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bits.put_byte(sum >> shift);
  return bits.take();
}

}  // namespace dalembert

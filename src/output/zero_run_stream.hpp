// A zlib stream of bytes that are mostly zero: runs of zeros are matches, everything else is literal, with
// Huffman codes made for them. Takes a small part of the time of zlib.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dalembert {

class ZeroRunStream {
 public:
  /// At most some thousand at a time.
  void add(std::span<const std::uint8_t> bytes);
  void add_zeros(std::size_t count);
  /// The whole stream.
  std::string finish();

 private:
  void note_run();
  void note_match(unsigned length);

  std::vector<std::uint16_t> symbols_;  // of the format; extra bits follow the symbols that have some
  std::size_t zeros_ = 0;               // read, not yet noted
  std::uint64_t low_ = 1;               // of the sum Adler-32: of the bytes,
  std::uint64_t high_ = 0;              // and of all values of that sum
};

}  // namespace dalembert

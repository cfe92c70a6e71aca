#include "chunk_filter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include <dalembert/base/error.hpp>

namespace dalembert {
namespace {

// Whether 1024 of the bytes coincide no more often than random ones do, or not by half as much again.
bool looks_like_noise(std::span<const std::uint8_t> bytes) {
  const std::size_t stride = std::max<std::size_t>(bytes.size() / 1024, 1);
  std::array<std::uint32_t, 256> counts{};
  double taken = 0;
  for (std::size_t i = 0; i < bytes.size(); i += stride) {
    ++counts[bytes[i]];
    ++taken;
  }
  double pairs = 0;  // of equal bytes
  for (const double count : counts) pairs += count * (count - 1);
  return pairs < 1.5 / 256 * taken * (taken - 1);
}

// Bytes of a plane that repeat do so at once: to look further back takes half as long again for files of the
// same size.
constexpr int strategy = Z_RLE;

}  // namespace

ChunkFilter::ChunkFilter() {
  constexpr int window = 15;
  constexpr int memory = 8;
  if (deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, window, memory, strategy) != Z_OK)
    throw std::bad_alloc();
}

ChunkFilter::~ChunkFilter() { deflateEnd(&stream_); }

std::span<const std::uint8_t> ChunkFilter::apply(std::span<const double> chunk) {
  const std::size_t size = chunk.size();
  const std::span<const std::byte> bytes = std::as_bytes(chunk);
  constexpr std::size_t change_of_level = 64;  // more bytes than it takes
  planes_.resize(bytes.size());
  packed_.resize(deflateBound(&stream_, bytes.size()) + sizeof(double) * change_of_level);
  deflateReset(&stream_);
  stream_.next_out = packed_.data();
  stream_.avail_out = static_cast<uInt>(packed_.size());
  int status = Z_OK;
  for (std::size_t k = 0; k < sizeof(double); ++k) {
    const std::span plane = std::span(planes_).subspan(k * size, size);
    for (std::size_t i = 0; i < size; ++i)
      plane[i] = std::to_integer<std::uint8_t>(bytes[sizeof(double) * i + k]);
    deflateParams(&stream_, looks_like_noise(plane) ? Z_NO_COMPRESSION : Z_BEST_SPEED, strategy);
    stream_.next_in = plane.data();
    stream_.avail_in = static_cast<uInt>(size);
    status = deflate(&stream_, k + 1 < sizeof(double) ? Z_NO_FLUSH : Z_FINISH);
  }
  if (status != Z_STREAM_END) throw Error("zlib does not compress a chunk of an HDF5 file");
  return std::span(packed_).first(stream_.total_out);
}

}  // namespace dalembert

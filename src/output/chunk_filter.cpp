#include "chunk_filter.hpp"

#ifdef DALEMBERT_HDF5

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "hdf5_library.hpp"

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

}  // namespace

struct ChunkFilterState : z_stream {};

ChunkFilter::ChunkFilter() : state_(std::make_unique<ChunkFilterState>()) {
  constexpr int fast = 1;
  constexpr int plain = -15;  // without head and sum: they are for all planes
  if (Hdf5::get().deflateInit2_(state_.get(), fast, Z_DEFLATED, plain, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                                sizeof(z_stream)) != Z_OK) {
    throw std::bad_alloc();
  }
}

ChunkFilter::~ChunkFilter() { Hdf5::get().deflateEnd(state_.get()); }

std::span<const std::uint8_t> ChunkFilter::apply(std::span<const double> chunk) {
  const std::size_t size = chunk.size();
  planes_.resize(sizeof(double) * size);
  const std::byte* const bytes = std::as_bytes(chunk).data();
  stream_.assign({0x78, 0x01});
  std::size_t waiting = 0;  // planes before the present one that are to be compressed in one piece
  for (std::size_t k = 0; k < sizeof(double); ++k) {
    std::uint8_t* const plane = planes_.data() + k * size;
    for (std::size_t i = 0; i < size; ++i)
      plane[i] = std::to_integer<std::uint8_t>(bytes[sizeof(double) * i + k]);
    if (!looks_like_noise({plane, size})) {
      ++waiting;
      continue;
    }
    compress({plane - waiting * size, waiting * size});
    waiting = 0;
    store({plane, size});
  }
  compress(std::span<const std::uint8_t>(planes_).last(waiting * size));
  stream_.insert(stream_.end(), {0x01, 0x00, 0x00, 0xFF, 0xFF});  // the last block, of no bytes
  const uLong sum = Hdf5::get().adler32(1, planes_.data(), static_cast<uInt>(planes_.size()));
  for (const unsigned shift : {24U, 16U, 8U, 0U})
    stream_.push_back(static_cast<std::uint8_t>(sum >> shift & 0xFFU));
  return stream_;
}

// Blocks of at most 65535 bytes: a zero, the length in two bytes, the same inverted.
void ChunkFilter::store(std::span<const std::uint8_t> rest) {
  while (!rest.empty()) {
    const std::size_t size = std::min<std::size_t>(rest.size(), 0xFFFF);
    const auto low = static_cast<std::uint8_t>(size & 0xFFU);
    const auto high = static_cast<std::uint8_t>(size >> 8U);
    const auto inverse = [](std::uint8_t byte) { return static_cast<std::uint8_t>(~byte); };
    stream_.insert(stream_.end(), {0x00, low, high, inverse(low), inverse(high)});
    stream_.insert(stream_.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size));
    rest = rest.subspan(size);
  }
}

// Ends at a whole byte, and looks back at nothing before it.
void ChunkFilter::compress(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  const Hdf5& library = Hdf5::get();
  library.deflateReset(state_.get());
  const std::size_t before = stream_.size();
  const std::size_t room = library.deflateBound(state_.get(), bytes.size()) + 16;
  stream_.resize(before + room);
  state_->next_in = const_cast<Bytef*>(bytes.data());  // read only
  state_->avail_in = static_cast<uInt>(bytes.size());
  state_->next_out = stream_.data() + before;
  state_->avail_out = static_cast<uInt>(room);
  library.deflate(state_.get(), Z_SYNC_FLUSH);
  stream_.resize(before + state_->total_out);
}

}  // namespace dalembert

#endif

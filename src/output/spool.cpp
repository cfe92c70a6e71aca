#include "spool.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dalembert {
namespace {

constexpr std::size_t block_values = 32'768;                   // 256 kB
constexpr std::size_t most_in_memory = std::size_t{1} << 24U;  // 16 MB

using Ends = std::array<std::uint64_t, 2>;  // of a range and of the one before it

}  // namespace

Spool::Spool(const AtomicPlace& place, std::vector<ColumnRange> ranges, Encode encode)
    : place_(&place), ranges_(std::move(ranges)), encode_(std::move(encode)) {
  for (const ColumnRange& range : ranges_) width_ += range.count;
  block_rows_ = std::max<std::size_t>(block_values / width_, 16);
}

void Spool::add(std::span<const double> row) {
  if (last_.empty()) last_.resize(block_rows_ * width_);
  for (const auto [first, count] : ranges_) {
    double* place = last_.data() + first * block_rows_ + filled_ * count;
    for (std::size_t k = 0; k < count; ++k) place[k] = row[first + k];
  }
  ++rows_;
  if (++filled_ == block_rows_) keep_block();
}

std::span<const double> Spool::last_of(const ColumnRange& range) const {
  return std::span(last_).subspan(range.first * block_rows_, filled_ * range.count);
}

void Spool::encode_block() {
  encoded_.assign((ranges_.size() + 1) * sizeof(std::uint64_t), '\0');
  const auto set_end = [&](std::size_t i) {
    const std::uint64_t end = encoded_.size();
    std::memcpy(encoded_.data() + i * sizeof end, &end, sizeof end);
  };
  set_end(0);
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    encode_(last_of(ranges_[i]), encoded_);
    set_end(i + 1);
  }
}

void Spool::keep_block() {
  encode_block();
  if (offsets_.empty() && in_memory_ + encoded_.size() <= most_in_memory) {
    in_memory_ += encoded_.size();
    blocks_.push_back(encoded_);
  } else {
    write_block();
  }
  filled_ = 0;
}

void Spool::write_block() {
  if (!file_) {
    const std::string name = place_->temporary().string() + ".rows";
    file_.reset(std::fopen(name.c_str(), "wb+"));
    if (!file_) place_->fail("create");
    std::remove(name.c_str());  // gone when it is closed, whatever happens
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  }
  if (std::fwrite(encoded_.data(), 1, encoded_.size(), file_.get()) != encoded_.size()) place_->fail("write");
  offsets_.push_back(file_size_);
  file_size_ += encoded_.size();
}

void Spool::read_file(std::uint64_t offset, std::span<char> target) {
  if (fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0 ||
      std::fread(target.data(), 1, target.size(), file_.get()) != target.size()) {
    place_->fail("write");
  }
}

void Spool::read(std::size_t range, const std::function<void(std::string_view)>& take) {
  Ends ends{};
  const std::size_t at = range * sizeof(std::uint64_t);
  for (const Block& block : blocks_) {
    std::memcpy(ends.data(), block.data() + at, sizeof ends);
    take({block.data() + ends[0], ends[1] - ends[0]});
  }
  std::string piece;
  for (const std::uint64_t offset : offsets_) {
    read_file(offset + at, {reinterpret_cast<char*>(ends.data()), sizeof ends});
    piece.resize(ends[1] - ends[0]);
    read_file(offset + ends[0], piece);
    take(piece);
  }
  if (filled_ > 0) {
    piece.clear();
    encode_(last_of(ranges_[range]), piece);
    take(piece);
  }
}

}  // namespace dalembert

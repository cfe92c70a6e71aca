#include "spool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace dalembert {
namespace {

constexpr std::size_t block_values = 32'768;    // 256 kB
constexpr std::size_t most_values = 2'097'152;  // 16 MB in memory

}  // namespace

Spool::Spool(const AtomicPlace& place, std::vector<ColumnRange> ranges)
    : place_(&place), ranges_(std::move(ranges)) {
  for (const ColumnRange& range : ranges_) width_ += range.count;
  block_rows_ = std::max<std::size_t>(block_values / width_, 16);
  most_blocks_ = std::max<std::size_t>(most_values / (block_rows_ * width_), 1);
}

void Spool::add(std::span<const double> row) {
  if (!last_) last_.reset(new double[block_rows_ * width_]);
  for (const auto [first, count] : ranges_) {
    double* place = last_.get() + first * block_rows_ + filled_ * count;
    for (std::size_t k = 0; k < count; ++k) place[k] = row[first + k];
  }
  ++rows_;
  if (++filled_ == block_rows_) keep_block();
}

void Spool::keep_block() {
  filled_ = 0;
  if (blocks_.size() < most_blocks_) {
    blocks_.push_back(std::move(last_));
  } else {
    write_block();
  }
}

void Spool::write_block() {
  if (!file_) {
    file_.reset(std::fopen((place_->temporary().string() + ".rows").c_str(), "wb+"));
    if (!file_) place_->fail("create");
    std::remove(
        (place_->temporary().string() + ".rows").c_str());  // gone when it is closed, whatever happens
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  }
  const std::size_t values = block_rows_ * width_;
  if (std::fwrite(last_.get(), sizeof(double), values, file_.get()) != values) place_->fail("write");
  ++in_file_;
}

void Spool::read(const ColumnRange& range, const std::function<void(std::span<const double>)>& take) {
  const std::size_t offset = range.first * block_rows_;
  const std::size_t values = range.count * block_rows_;
  for (const Block& block : blocks_) take({block.get() + offset, values});
  if (in_file_ > 0) {
    std::vector<double> piece(values);
    for (std::size_t i = 0; i < in_file_; ++i) {
      const std::size_t at = (i * block_rows_ * width_ + offset) * sizeof(double);
      if (fseeko(file_.get(), static_cast<off_t>(at), SEEK_SET) != 0 ||
          std::fread(piece.data(), sizeof(double), values, file_.get()) != values) {
        place_->fail("write");
      }
      take(piece);
    }
  }
  if (filled_ > 0) take({last_.get() + offset, range.count * filled_});
}

}  // namespace dalembert

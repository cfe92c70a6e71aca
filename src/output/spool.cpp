#include "spool.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dalembert {
namespace {

constexpr std::size_t block_values = 32'768;                   // 256 kB
constexpr std::size_t most_in_memory = std::size_t{1} << 25U;  // 32 MB

using Ends = std::array<std::uint64_t, 2>;  // of a range and of the one before it

}  // namespace

Spool::Spool(const AtomicPlace& place, std::vector<ColumnRange> ranges, Encode encode, std::size_t longest)
    : place_(&place), ranges_(std::move(ranges)), encode_(encode), longest_(longest) {
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

std::size_t Spool::encode_block(char* target) {
  char* place = target + (ranges_.size() + 1) * sizeof(std::uint64_t);
  const auto set_end = [&](std::size_t i) {
    const auto end = static_cast<std::uint64_t>(place - target);
    std::memcpy(target + i * sizeof end, &end, sizeof end);
  };
  set_end(0);
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    place = encode_(last_of(ranges_[i]), place);
    set_end(i + 1);
  }
  return static_cast<std::size_t>(place - target);
}

void Spool::keep_block() {
  if (!memory_) {  // room for all blocks that stay, and for one more on its way to the file
    const std::size_t table = (ranges_.size() + 1) * sizeof(std::uint64_t);
    const std::size_t block = table + block_rows_ * width_ * longest_;
    memory_ = std::make_unique_for_overwrite<char[]>(most_in_memory + block);
  }
  char* const target = memory_.get() + in_memory_.back();
  const std::size_t size = encode_block(target);
  if (in_file_.empty() && in_memory_.back() + size <= most_in_memory) {
    in_memory_.push_back(in_memory_.back() + size);
  } else {
    write_block({target, size});
  }
  filled_ = 0;
}

void Spool::write_block(std::string_view block) {
  if (!file_) {
    const std::string name = place_->temporary().string() + ".rows";
    file_.reset(std::fopen(name.c_str(), "wb+"));
    if (!file_) place_->fail("create");
    std::remove(name.c_str());  // gone when it is closed, whatever happens
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  }
  if (std::fwrite(block.data(), 1, block.size(), file_.get()) != block.size()) place_->fail("write");
  in_file_.push_back(file_size_);
  file_size_ += block.size();
}

void Spool::read_file(std::uint64_t offset, std::span<char> target) {
  if (fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0 ||
      std::fread(target.data(), 1, target.size(), file_.get()) != target.size()) {
    place_->fail("write");
  }
}

std::vector<std::string_view> Spool::in_memory(std::size_t range) const {
  std::vector<std::string_view> pieces;
  Ends ends{};
  for (std::size_t i = 0; i + 1 < in_memory_.size(); ++i) {
    const char* block = memory_.get() + in_memory_[i];
    std::memcpy(ends.data(), block + range * sizeof(std::uint64_t), sizeof ends);
    pieces.emplace_back(block + ends[0], ends[1] - ends[0]);
  }
  return pieces;
}

void Spool::read_rest(std::size_t range, const std::function<void(std::string_view)>& take) {
  Ends ends{};
  std::vector<char> piece(block_rows_ * ranges_[range].count * longest_);
  for (const std::uint64_t offset : in_file_) {
    read_file(offset + range * sizeof(std::uint64_t), {reinterpret_cast<char*>(ends.data()), sizeof ends});
    read_file(offset + ends[0], std::span(piece).first(ends[1] - ends[0]));
    take({piece.data(), ends[1] - ends[0]});
  }
  if (filled_ > 0) {
    const char* end = encode_(last_of(ranges_[range]), piece.data());
    take({piece.data(), static_cast<std::size_t>(end - piece.data())});
  }
}

}  // namespace dalembert

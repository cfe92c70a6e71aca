#include "zip_archive.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dalembert {
namespace {

constexpr std::uint32_t all_ones = 0xFFFFFFFFU;  // in place of a size: it stands in the 64-bit field

// The cyclic redundancy check of zip, by bytes.
std::uint32_t crc32(std::string_view text) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> values{};
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1U ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
      values[i] = value;
    }
    return values;
  }();
  std::uint32_t sum = all_ones;
  for (const char c : text) sum = sum >> 8U ^ table[(sum ^ static_cast<std::uint8_t>(c)) & 0xFFU];
  return ~sum;
}

// Little-endian fields, one after the other.
class Fields {
 public:
  Fields& u16(std::uint64_t value) { return put(value, 2); }
  Fields& u32(std::uint64_t value) { return put(value, 4); }
  Fields& u64(std::uint64_t value) { return put(value, 8); }
  Fields& text(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Fields& put(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFFU);
    return *this;
  }
  std::string bytes_;
};

constexpr std::uint64_t zip64 = 45;              // version of the format
constexpr std::uint64_t midnight_1980 = 0x0021;  // the same run gives the same file

}  // namespace

void ZipArchive::write(std::string_view text) {
  file_->write(text);
  written_ += text.size();
}

void ZipArchive::add(const std::string& name, std::string_view content) {
  const Entry entry{name, crc32(content), content.size(), written_};
  Fields header;
  header.u32(0x04034b50).u16(zip64).u16(0).u16(0).u16(0).u16(midnight_1980);
  header.u32(entry.checksum).u32(all_ones).u32(all_ones).u16(name.size()).u16(20).text(name);
  header.u16(1).u16(16).u64(entry.size).u64(entry.size);
  write(header.bytes());
  write(content);
  entries_.push_back(entry);
}

void ZipArchive::finish() {
  const std::uint64_t begin = written_;
  for (const Entry& entry : entries_) {
    Fields record;
    record.u32(0x02014b50).u16(zip64).u16(zip64).u16(0).u16(0).u16(0).u16(midnight_1980);
    record.u32(entry.checksum)
        .u32(all_ones)
        .u32(all_ones)
        .u16(entry.name.size())
        .u16(28)
        .u16(0)
        .u16(0)
        .u16(0);
    record.u32(0).u32(all_ones).text(entry.name);
    record.u16(1).u16(24).u64(entry.size).u64(entry.size).u64(entry.offset);
    write(record.bytes());
  }
  const std::uint64_t end = written_;
  Fields tail;
  tail.u32(0x06064b50).u64(44).u16(zip64).u16(zip64).u32(0).u32(0);
  tail.u64(entries_.size()).u64(entries_.size()).u64(end - begin).u64(begin);
  tail.u32(0x07064b50).u32(0).u64(end).u32(1);
  tail.u32(0x06054b50).u16(0).u16(0).u16(entries_.size()).u16(entries_.size());
  tail.u32(all_ones).u32(all_ones).u16(0);
  write(tail.bytes());
}

}  // namespace dalembert

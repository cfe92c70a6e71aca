#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <zlib.h>

#include <dalembert/output/zip_archive.hpp>

namespace dalembert {
namespace {

constexpr std::uint32_t all_ones = 0xFFFFFFFFU;  // in place of a size: it stands in the 64-bit field

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

std::string local_header(const std::string& name, std::uint32_t checksum, std::uint64_t size) {
  Fields header;
  header.u32(0x04034b50).u16(zip64).u16(0).u16(0).u16(0).u16(midnight_1980);
  header.u32(checksum).u32(all_ones).u32(all_ones).u16(name.size()).u16(20).text(name);
  return header.u16(1).u16(16).u64(size).u64(size).bytes();
}

}  // namespace

void ZipArchive::write(std::string_view text) {
  file_->write(text);
  written_ += text.size();
}

void ZipArchive::begin(const std::string& name) {
  entries_.push_back({name, 0, 0, written_});
  write(local_header(name, 0, 0));
}

void ZipArchive::append(std::string_view content) {
  Entry& entry = entries_.back();
  entry.checksum = static_cast<std::uint32_t>(
      crc32_z(entry.checksum, reinterpret_cast<const Bytef*>(content.data()), content.size()));
  entry.size += content.size();
  write(content);
}

// Now the sum and the size are known.
void ZipArchive::end() {
  const Entry& entry = entries_.back();
  file_->replace(entry.offset, local_header(entry.name, entry.checksum, entry.size));
}

void ZipArchive::add(const std::string& name, std::string_view content) {
  begin(name);
  append(content);
  end();
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

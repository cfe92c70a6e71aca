#include "npz_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/output/other_run.hpp>

namespace dalembert {
namespace {

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

// UTF-32 to UTF-8.
std::string utf8(std::string_view bytes) {
  std::string result;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    const auto point = static_cast<std::uint32_t>(little_endian(bytes.substr(i, 4)));
    if (point == 0) break;
    const auto tail = [&](unsigned shift) { result += static_cast<char>(0x80U | (point >> shift & 0x3FU)); };
    if (point < 0x80) {
      result += static_cast<char>(point);
    } else if (point < 0x800) {
      result += static_cast<char>(0xC0U | point >> 6U);
      tail(0);
    } else if (point < 0x10000) {
      result += static_cast<char>(0xE0U | point >> 12U);
      tail(6);
      tail(0);
    } else {
      result += static_cast<char>(0xF0U | (point >> 18U & 0x07U));
      tail(12);
      tail(6);
      tail(0);
    }
  }
  return result;
}

}  // namespace

void NpzReader::fail(const std::string& reason) const {
  throw Error(fmt::format("cannot read '{}': {}", path_.string(), reason));
}

// The directory at the end of the archive: names, sizes and places of its files.
NpzReader::NpzReader(const std::filesystem::path& path) : path_(path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(std::strerror(errno));
  content_.assign(std::istreambuf_iterator<char>(stream), {});
  const std::string_view all = content_;
  const auto part = [&](std::size_t at, std::size_t size) {
    if (at > all.size() || size > all.size() - at) fail("it is no whole NPZ file");
    return all.substr(at, size);
  };
  const std::size_t end = all.rfind("PK\x05\x06");
  if (end == std::string_view::npos) fail("it is no NPZ file");
  std::size_t count = little_endian(part(end + 10, 2));
  std::size_t at = little_endian(part(end + 16, 4));
  constexpr std::uint64_t beyond = 0xFFFFFFFF;  // in 64 bits elsewhere
  if (at == beyond) {
    const std::size_t wide = all.rfind("PK\x06\x06", end);
    if (wide == std::string_view::npos) fail("it is no whole NPZ file");
    count = little_endian(part(wide + 32, 8));
    at = little_endian(part(wide + 48, 8));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (part(at, 4) != "PK\x01\x02") fail("it is no whole NPZ file");
    if (little_endian(part(at + 10, 2)) != 0) fail("it is compressed; numpy.savez writes one that is not");
    const std::size_t name_size = little_endian(part(at + 28, 2));
    const std::size_t extra_size = little_endian(part(at + 30, 2));
    const std::string name(part(at + 46, name_size));
    std::string_view extra = part(at + 46 + name_size, extra_size);
    std::uint64_t size = little_endian(part(at + 24, 4));
    std::uint64_t place = little_endian(part(at + 42, 4));
    const bool packed_beyond = little_endian(part(at + 20, 4)) == beyond;
    if (extra.size() >= 4 && little_endian(extra.substr(0, 2)) == 1) {
      extra.remove_prefix(4);
      const auto take = [&] {
        if (extra.size() < 8) fail("it is no whole NPZ file");
        const std::uint64_t value = little_endian(extra.substr(0, 8));
        extra.remove_prefix(8);
        return value;
      };
      if (size == beyond) size = take();
      if (packed_beyond) take();
      if (place == beyond) place = take();
    }
    const std::size_t head = 30 + little_endian(part(place + 26, 2)) + little_endian(part(place + 28, 2));
    entries_[name] = part(place + head, size);
    at += 46 + name_size + extra_size + little_endian(part(at + 32, 2));
  }
}

NpzReader::Array NpzReader::find(const std::string& array) const {
  const auto entry = entries_.find(array + ".npy");
  if (entry == entries_.end())
    fail(fmt::format("it has no array '{}'; dalembert run -o run.npz writes one", array));
  const std::string_view bytes = entry->second;
  if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY")) fail(fmt::format("'{}' is no array", array));
  const bool wide = bytes[6] > 1;
  const std::size_t begin = wide ? 12 : 10;
  const std::size_t size = little_endian(bytes.substr(8, wide ? 4 : 2));
  if (size > bytes.size() - begin) fail(fmt::format("'{}' is no array", array));
  const std::string_view head = bytes.substr(begin, size);
  const auto after = [&](std::string_view key) {
    const std::size_t place = head.find(key);
    return place == std::string_view::npos ? std::string_view() : head.substr(place + key.size());
  };
  Array result;
  const std::string_view type = after("'descr': '");
  result.type = std::string(type.substr(0, std::min(type.find('\''), type.size())));
  if (!after("'fortran_order': ").starts_with("False")) fail(fmt::format("'{}' is stored by columns", array));
  std::string_view shape = after("'shape': (");
  shape = shape.substr(0, std::min(shape.find(')'), shape.size()));
  while (!shape.empty()) {
    std::size_t length = 0;
    const auto [stop, error] = std::from_chars(shape.data(), shape.data() + shape.size(), length);
    if (error == std::errc()) result.shape.push_back(length);
    shape.remove_prefix(std::max<std::size_t>(static_cast<std::size_t>(stop - shape.data()), 1));
  }
  result.bytes = bytes.substr(begin + size);
  return result;
}

NpzReader::Numbers NpzReader::numbers(const std::string& array) const {
  const Array found = find(array);
  if (found.type != "<f8" || found.shape.empty() || found.shape.size() > 2)
    fail(fmt::format("'{}' is no array of numbers", array));
  Numbers result{found.shape[0], found.shape.size() == 2 ? found.shape[1] : 1, {}};
  const std::size_t count = found.bytes.size() / sizeof(double);
  if (result.columns == 0 || result.rows > count / result.columns)
    fail(fmt::format("'{}' is cut off", array));
  result.values.resize(result.rows * result.columns);
  std::memcpy(result.values.data(), found.bytes.data(), result.values.size() * sizeof(double));
  return result;
}

std::vector<std::string> NpzReader::texts(const std::string& array) const {
  const Array found = find(array);
  std::size_t length = 0;
  if (found.type.starts_with("<U"))
    std::from_chars(found.type.data() + 2, found.type.data() + found.type.size(), length);
  const std::size_t count = found.shape.size() == 1 ? found.shape[0] : 0;
  if (length == 0 || count > found.bytes.size() / (4 * length))
    fail(fmt::format("'{}' is no array of texts", array));
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i)
    list.push_back(utf8(found.bytes.substr(4 * length * i, 4 * length)));
  return list;
}

OtherRun read_other_run(const std::filesystem::path& path) {
  struct Part {
    const char* array;
    ColumnGroup group;
  };
  constexpr std::array parts{Part{"q", ColumnGroup::q},
                             Part{"v", ColumnGroup::v},
                             Part{"a", ColumnGroup::a},
                             Part{"lam", ColumnGroup::lambda},
                             Part{"force", ColumnGroup::force},
                             Part{"outputs", ColumnGroup::output},
                             Part{"energies", ColumnGroup::energy},
                             Part{"g", ColumnGroup::g},
                             Part{"gv", ColumnGroup::gv}};
  constexpr std::size_t most_values = 100'000;  // a third of what a page holds
  const NpzReader file(path);
  const NpzReader::Numbers time = file.numbers("t");
  std::size_t width = 1;
  std::vector<std::pair<Part, NpzReader::Numbers>> arrays;
  for (const Part& part : parts) {
    if (!file.contains(part.array)) continue;
    arrays.emplace_back(part, file.numbers(part.array));
    width += arrays.back().second.columns;
  }
  const std::size_t step = std::max<std::size_t>(1, (time.rows * width + most_values - 1) / most_values);
  OtherRun run{path.filename().string(), {}, {}};
  const auto add = [&](const std::string& name, ColumnGroup group, std::size_t index,
                       const NpzReader::Numbers& numbers) {
    run.columns.push_back({name, group, index});
    std::vector<double>& values = run.values.emplace_back();
    for (std::size_t row = 0; row < std::min(time.rows, numbers.rows); row += step)
      values.push_back(numbers.values[row * numbers.columns + index]);
  };
  add("t", ColumnGroup::time, 0, time);
  for (const auto& [part, numbers] : arrays) {
    const std::vector<std::string> names = file.texts(std::string(part.array) + "_names");
    for (std::size_t i = 0; i < std::min(names.size(), numbers.columns); ++i)
      add(names[i], part.group, i, numbers);
  }
  return run;
}

}  // namespace dalembert

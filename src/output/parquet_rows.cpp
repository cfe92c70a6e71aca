#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/output/atomic_file.hpp>

#include "parquet_table.hpp"
#include "parquet_words.hpp"
#include "thrift.hpp"

namespace dalembert::parquet {
namespace {

template <class T>
T take_bytes(std::string_view& from) {
  T value{};
  if (from.size() < sizeof value) throw Error("a page ends too early");
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return value;
}

std::string read_piece(std::ifstream& stream, std::uint64_t place, std::uint64_t size) {
  std::string bytes(size, '\0');
  stream.seekg(static_cast<std::streamoff>(place));
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size))) throw Error("it ends too early");
  return bytes;
}

thrift::Value read_metadata(std::ifstream& stream, const std::filesystem::path& path) {
  constexpr std::uint64_t tail = sizeof(std::uint32_t) + mark.size();
  const std::uint64_t size = std::filesystem::file_size(path);
  if (size < mark.size() + tail) throw Error("it ends too early");
  const std::string end = read_piece(stream, size - tail, tail);
  std::string_view rest = end;
  const auto length = take_bytes<std::uint32_t>(rest);
  if (rest != mark || length > size - mark.size() - tail) throw Error("it does not end as Parquet");
  const std::string metadata = read_piece(stream, size - tail - length, length);
  rest = metadata;
  return thrift::read(rest);
}

// Of a page that this library has written.
std::string read_page(std::ifstream& stream, const thrift::Value& chunk) {
  const thrift::Value& of = chunk[parquet::chunk::data];
  std::string bytes = read_piece(stream, static_cast<std::uint64_t>(of[data::page].number),
                                 static_cast<std::uint64_t>(of[data::stored].number));
  std::string_view rest = bytes;
  const thrift::Value head = thrift::read(rest);
  if (of[data::codec].number != uncompressed || head[page::type].number != data_page ||
      head[page::data][page_data::encoding].number != plain)
    throw Error("it was written by another program");
  return std::string(rest);
}

std::string take_text(std::string_view& from) {
  const auto size = take_bytes<std::uint32_t>(from);
  if (size > from.size()) throw Error("a page ends too early");
  std::string text(from.substr(0, size));
  from.remove_prefix(size);
  return text;
}

double take_word(std::string_view& from, const std::vector<std::string>& words) {
  const std::string text = take_text(from);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == text) return static_cast<double>(i);
  throw Error(fmt::format("'{}' is no word of the table", text));
}

void read_group(std::ifstream& stream, const thrift::Value& group, const std::vector<TableColumn>& columns,
                std::uint64_t first, TableRows& table) {
  const std::vector<thrift::Value>& chunks = group[parquet::group::columns].list;
  if (chunks.size() != columns.size() + 1) throw Error("it has other columns");
  const auto rows = static_cast<std::uint64_t>(group[parquet::group::rows].number);
  if ((first + rows) * table.width > table.values.size()) throw Error("it has more rows");
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const std::string page = read_page(stream, chunks[i]);
    std::string_view rest = page;
    for (std::uint64_t k = 0; k < rows; ++k)
      table.values[(first + k) * table.width + i - 1] =
          columns[i].words.empty() ? take_bytes<double>(rest) : take_word(rest, columns[i].words);
  }
  const std::string page = read_page(stream, chunks.back());
  std::string_view rest = page;
  for (std::uint64_t k = 0; k < rows; ++k) {
    std::string remark = take_text(rest);
    if (!remark.empty()) table.remarks[first + k] = std::move(remark);
  }
}

}  // namespace
}  // namespace dalembert::parquet

namespace dalembert {

std::string read_parquet_text(const std::filesystem::path& path, const std::string& name) {
  try {
    std::ifstream stream(path, std::ios::binary);
    const thrift::Value metadata = parquet::read_metadata(stream, path);
    for (const thrift::Value& one : metadata[parquet::file::words].list)
      if (one[parquet::word::key].text == name) return one[parquet::word::value].text;
  } catch (const Error&) {  // no such file
  }
  return "";
}

TableRows read_parquet_rows(const std::filesystem::path& path, const std::vector<TableColumn>& columns,
                            std::uint64_t rows) {
  TableRows table{columns.size() - 1, std::vector<double>(rows * (columns.size() - 1)), {}};
  try {
    std::ifstream stream(path, std::ios::binary);
    const thrift::Value metadata = parquet::read_metadata(stream, path);
    std::uint64_t first = 0;
    for (const thrift::Value& group : metadata[parquet::file::groups].list) {
      parquet::read_group(stream, group, columns, first, table);
      first += static_cast<std::uint64_t>(group[parquet::group::rows].number);
    }
    if (first != rows) throw Error(fmt::format("it has {} rows instead of {}", first, rows));
  } catch (const Error& error) {
    throw OutputError(fmt::format("{}: {}", path.string(), error.message()));
  }
  return table;
}

}  // namespace dalembert

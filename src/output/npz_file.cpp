#include "npz_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "run_json.hpp"

namespace dalembert {
namespace {

// The header of the .npy format, padded to a multiple of 64 bytes.
std::string npy_header(std::string_view type, std::string_view shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  constexpr std::size_t before = 10;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xFFU);
  header += static_cast<char>(text.size() >> 8U);
  return header + text;
}

char* write_bytes(std::span<const double> values, char* place) {
  std::memcpy(place, values.data(), values.size_bytes());
  return place + values.size_bytes();
}

std::u32string code_points(std::string_view utf8) {
  std::u32string result;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<std::uint8_t>(utf8[i++]);
    const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    char32_t point = more == 0 ? lead : lead & (0x3FU >> static_cast<unsigned>(more));
    for (int k = 0; k < more && i < utf8.size(); ++k)
      point = point << 6U | (static_cast<std::uint8_t>(utf8[i++]) & 0x3FU);
    result += point;
  }
  return result;
}

std::string text_array(const std::vector<std::string>& texts, bool scalar) {
  std::vector<std::u32string> words;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    words.push_back(code_points(text));
    longest = std::max(longest, words.back().size());
  }
  std::string array =
      npy_header(fmt::format("<U{}", longest), scalar ? "" : fmt::format("{},", texts.size()));
  for (std::u32string& word : words) {
    word.resize(longest, U'\0');
    array.append(reinterpret_cast<const char*>(word.data()), word.size() * sizeof(char32_t));
  }
  return array;
}

}  // namespace

NpzFile::NpzFile(const std::filesystem::path& path, std::vector<Column> columns)
    : file_(path, FileAccess::random),
      columns_(std::move(columns)),
      plans_(plan_arrays(columns_)),
      spool_(file_.place(), ranges_of(plans_), write_bytes, sizeof(double)) {}

void NpzFile::add_numbers(ZipArchive& archive, std::size_t array) {
  const ArrayPlan& plan = plans_[array];
  const std::string shape = plan.name == "t" ? fmt::format("{},", spool_.size())
                                             : fmt::format("{}, {}", spool_.size(), plan.columns.count);
  archive.begin(plan.name + ".npy");
  archive.append(npy_header("<f8", shape));
  for (const std::string_view bytes : spool_.in_memory(array)) archive.append(bytes);
  spool_.read_rest(array, [&](std::string_view bytes) { archive.append(bytes); });
  archive.end();
}

void NpzFile::finish(const RunRecord& record) {
  ZipArchive archive(file_);
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const ArrayPlan& plan = plans_[i];
    add_numbers(archive, i);
    if (plan.name != "t") archive.add(plan.name + "_names.npy", text_array(plan.names(columns_), false));
    if (has_units(columns_)) archive.add(plan.name + "_units.npy", text_array(plan.units(columns_), false));
  }
  archive.add("text.npy", text_array({record.model->text}, true));
  Json summary = to_json(record);
  summary.erase("text");
  archive.add("summary.npy", text_array({dump(summary)}, true));
  for (const auto& [name, value] :
       {std::pair{"partial.npy", record.partial()}, {"doubtful.npy", record.doubtful()}})
    archive.add(name, npy_header("|b1", "") + (value ? '\x01' : '\x00'));
  archive.finish();
  file_.commit();
}

}  // namespace dalembert

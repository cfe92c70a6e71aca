#include "npz_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "run_json.hpp"
#include "zip_archive.hpp"

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

std::string number_array(const SampleTable& table, const ArrayPlan& plan) {
  const std::size_t width = plan.columns.size();
  const std::string shape =
      plan.name == "t" ? fmt::format("{},", table.size()) : fmt::format("{}, {}", table.size(), width);
  std::string array = npy_header("<f8", shape);
  std::vector<double> values(table.size() * width);
  for (std::size_t k = 0; k < width; ++k) {
    const auto column = table.values(plan.columns[k]);
    for (std::size_t i = 0; i < column.size(); ++i) values[i * width + k] = column[i];
  }
  return array.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}

}  // namespace

void NpzFile::finish(const RunRecord& record) {
  ZipArchive archive(file_);
  for (const ArrayPlan& plan : plan_arrays(table_.columns())) {
    archive.add(plan.name + ".npy", number_array(table_, plan));
    if (plan.name == "t") continue;
    std::vector<std::string> names;
    for (const std::size_t column : plan.columns) names.push_back(table_.columns()[column].name);
    archive.add(plan.name + "_names.npy", text_array(names, false));
  }
  archive.add("text.npy", text_array({record.model->text}, true));
  Json summary = to_json(record);
  summary.erase("text");
  archive.add("summary.npy", text_array({dump(summary)}, true));
  archive.add("partial.npy", npy_header("|b1", "") + (record.partial() ? '\x01' : '\x00'));
  archive.finish();
  file_.commit();
}

}  // namespace dalembert

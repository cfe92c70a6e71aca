// Numbers in CSV files.
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/model/builder.hpp>
#include <dalembert/output/result_writer.hpp>

namespace dalembert {
namespace {

std::string csv_of(const std::vector<double>& row) {
  const std::vector<Column> columns(row.size(), Column{"x", ColumnGroup::q, 0});
  std::string text;
  const auto writer = make_csv_writer([&](std::string_view piece) { text += piece; }, columns);
  writer->add(row);
  writer->finish(RunRecord(ModelBuilder("x").coordinate("x", {.position = 1}).kinetic("x'^2/2").build()));
  return text.substr(text.find('\n') + 1);
}

std::string shortest_texts(const std::vector<double>& row) {
  std::string text;
  std::array<char, 400> buffer{};
  for (const double value : row)
    text.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr) += ',';
  text.back() = '\n';
  return text;
}

TEST(Csv, NumbersAreTheShortestTextsOfTheStandardLibrary) {
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> magnitude(-25, 25);
  std::vector<double> row{0.,
                          -0.,
                          1.,
                          -1.,
                          10.,
                          0.1,
                          123456.,
                          1e-3,
                          1e-4,
                          1.2e-4,
                          1e-5,
                          1.2e-5,
                          1e15,
                          1e16,
                          1e17,
                          1e21,
                          1e22,
                          123456789012345680000.,
                          9007199254740993.,
                          5e-324,
                          2.2250738585072014e-308};
  for (int i = 0; i < 40'000; ++i) {
    row.push_back(std::bit_cast<double>(bits()));
    row.push_back(std::pow(10, magnitude(bits)));
    row.push_back(-std::round(std::pow(10, magnitude(bits))));
    row.push_back(std::round(1e4 * magnitude(bits)) / 1e4);
    row.push_back(std::ldexp(1., i % 2098 - 1074));
    row.push_back(std::bit_cast<double>(bits() >> (12 + i % 52)));  // subnormal
    row.push_back(static_cast<double>(bits() >> i % 64));
    row.push_back(0.25 *
                  static_cast<double>(bits() >> 12U | std::uint64_t{1} << 52U | 1U));  // amid two decimals
    const double ten = std::pow(10, i % 617 - 308);
    row.insert(row.end(), {ten, std::nextafter(ten, 0), std::nextafter(ten, 1e308)});
  }
  row.push_back(std::numeric_limits<double>::max());
  row.push_back(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(csv_of(row) == shortest_texts(row));
}

}  // namespace
}  // namespace dalembert

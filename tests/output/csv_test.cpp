// Numbers in CSV files.
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
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

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream rest(line.substr(0, line.find('\n')));
  for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
  return cells;
}

// Neither sign, point and exponent nor zeros at either end.
std::string significant_digits(std::string_view number) {
  std::string digits;
  for (const char c : number.substr(0, number.find('e'))) {
    if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

// Of the texts that read back exactly, as the standard library finds them.
std::string fewest_digits(double value) {
  std::array<char, 64> buffer{};
  char* const begin = buffer.data();
  char* const end = std::to_chars(begin, begin + buffer.size(), value, std::chars_format::scientific).ptr;
  return significant_digits({begin, end});
}

TEST(Csv, NumbersReadBackExactlyAndHaveNoMoreDigitsThanThatTakes) {
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
  const std::vector<std::string> cells = cells_of(csv_of(row));
  ASSERT_EQ(cells.size(), row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    double read = 0;
    const std::string& cell = cells[i];
    if (!std::isfinite(row[i])) continue;  // some of the random bits
    ASSERT_EQ(std::from_chars(cell.data(), cell.data() + cell.size(), read).ptr, cell.data() + cell.size());
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(row[i])) << cell;
    ASSERT_EQ(significant_digits(cell), fewest_digits(row[i])) << cell;
  }
}

TEST(Csv, NumbersAreWrittenAsAReaderExpectsThem) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(csv_of({0., -0., 1., -250., 0.1, 1e-4, 1e-5, 123456., 1e15, 1e16, -1.5e300}),
            "0,-0,1,-250,0.1,0.0001,1e-05,123456,1000000000000000,1e+16,-1.5e+300\n");
  EXPECT_EQ(csv_of({infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}), "inf,-inf,nan\n");
  EXPECT_EQ(csv_of({-std::numeric_limits<double>::max()}), "-1.7976931348623157e+308\n");
}

}  // namespace
}  // namespace dalembert

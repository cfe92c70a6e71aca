#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dalembert/model/builder.hpp>
#include <dalembert/output/page.hpp>

namespace dalembert {
namespace {

std::vector<Column> two_columns() { return {{"t", ColumnGroup::time, 0}, {"x", ColumnGroup::q, 0}}; }

double spiky(std::size_t i) {
  return std::sin(0.37 * static_cast<double>(i)) + (i == 777 ? 50 : 0) - (i == 1234 ? 70 : 0);
}

PageSamples samples_of(std::size_t count, std::size_t limit) {
  PageSamples samples(two_columns(), limit);
  for (std::size_t i = 0; i < count; ++i) samples.add(std::vector<double>{static_cast<double>(i), spiky(i)});
  return samples;
}

TEST(PageSamples, KeepAShortRunAsItIs) {
  const PageSamples samples = samples_of(100, 100);
  EXPECT_EQ(samples.every(), 1U);
  ASSERT_EQ(samples.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(samples.values(1)[i], spiky(i));
}

TEST(PageSamples, KeepEveryNthSampleAndAllExtremesOfALongRun) {
  const std::size_t count = 1999;
  const PageSamples samples = samples_of(count, 100);
  const std::size_t every = samples.every();
  EXPECT_EQ(samples.added(), count);
  EXPECT_LE(samples.size(), 50U);
  EXPECT_EQ(samples.size(), (count + every - 1) / every);
  const std::vector<double> curve = samples.envelope(1);
  ASSERT_EQ(curve.size(), 2 * samples.size());
  for (std::size_t bucket = 0; bucket < samples.size(); ++bucket) {
    EXPECT_EQ(samples.values(0)[bucket], static_cast<double>(bucket * every));
    std::vector<double> values;
    for (std::size_t i = bucket * every; i < std::min(count, (bucket + 1) * every); ++i)
      values.push_back(spiky(i));
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    EXPECT_EQ(curve[2 * bucket], least < greatest ? *least : *greatest);
    EXPECT_EQ(curve[2 * bucket + 1], least < greatest ? *greatest : *least);
  }
}

Page page_with(const std::string& title) {
  Page page(RunRecord(ModelBuilder(title).coordinate("x", {.position = 1}).kinetic("x'^2/2").build()));
  return page;
}

TEST(Page, NothingInItsDataCanEndTheScriptElement) {
  const std::string title = "</script><script>alert(1)</script><!-- \" \\ & é";
  const std::string data = page_data(page_with(title));
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(data).at("title"), title);
}

TEST(Page, NumbersOfItsColumnsAreTheirBytes) {
  Page page = page_with("Bytes");
  PageSamples samples(two_columns());
  samples.add(std::vector<double>{0, 1});
  samples.add(std::vector<double>{1, -2});
  page.samples = &samples;
  const auto columns = nlohmann::json::parse(page_data(page)).at("samples").at("columns");
  EXPECT_EQ(columns[0].at("data"),
            "AAAAAAAAAAAAAAAAAADwPw==");  // base64 of struct.pack("<2d", 0, 1) in Python
  EXPECT_EQ(columns[1].at("data"), "AAAAAAAA8D8AAAAAAAAAwA==");
}

std::vector<double> decoded(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> static_cast<unsigned>(count -= 8) & 255U);
  }
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

TEST(Page, ColumnsOfAnyLengthCanBeReadBack) {
  for (const std::size_t count : {3U, 4U, 5U, 64U, 1000U, 6145U}) {
    Page page = page_with("Bytes");
    const PageSamples samples = samples_of(count, 10'000);
    page.samples = &samples;
    const auto columns = nlohmann::json::parse(page_data(page)).at("samples").at("columns");
    const std::vector<double> values = decoded(columns[1].at("data"));
    ASSERT_EQ(values.size(), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(values[i], spiky(i));
  }
}

TEST(Page, OfManyColumnsAndLongEquationsStaysBelowFiveMegabytes) {
  std::vector<Column> columns{{"t", ColumnGroup::time, 0}};
  for (const ColumnGroup group : {ColumnGroup::q, ColumnGroup::v, ColumnGroup::a, ColumnGroup::g}) {
    for (std::size_t i = 0; i < 750; ++i)
      columns.push_back({std::string(group_name(group)) + "_" + std::to_string(i), group, i});
  }
  PageSamples samples(columns);
  for (std::size_t k = 0; k < 101; ++k) {
    std::vector<double> row(columns.size());
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(k * i);
    samples.add(row);
  }
  for (const std::size_t terms : {std::size_t{10}, std::size_t{90'000}}) {
    Page page = page_with("Large");
    page.samples = &samples;
    page.equations = [&] { return PageEquations{"", "", {{"M", "", std::string(10 * terms, 'x')}}}; };
    const std::string data = page_data(page);
    EXPECT_LT(data.size() + 1'400'000, 5'000'000U) << terms;  // the page itself has 1.4 MB
    const auto json = nlohmann::json::parse(data);
    EXPECT_EQ(json.contains("left_out"), terms > 10) << "what there is room for is there";
    EXPECT_EQ(json.at("equations").at("blocks").size(), 1U);
  }
}

}  // namespace
}  // namespace dalembert

// Tables in Parquet. That other readers read them is tested with PyArrow in tests/python/test_study.py.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/table_file.hpp>
#include <dalembert/output/table_rows.hpp>

#include "temporary_folder.hpp"
#include "thrift.hpp"

namespace dalembert {
namespace {

const std::vector<TableColumn> parquet_columns{{.name = "row"},
                                               {.name = "x", .unit = "m", .kind = "varied"},
                                               {.name = "outcome", .words = {"finished", "stopped early"}}};

void write_parquet(const std::filesystem::path& file, std::uint64_t rows) {
  const auto table = make_table_writer(file, parquet_columns, "reason");
  for (std::uint64_t i = 0; i < rows; ++i) {
    const bool stops = i % 7 == 3;
    const double x = i == 5 ? std::numeric_limits<double>::quiet_NaN() : std::sin(static_cast<double>(i));
    table->add(std::vector<double>{static_cast<double>(i), x, stops ? 1.0 : 0.0},
               stops ? "row " + std::to_string(i) : "");
  }
  table->finish({{{"study", "{\"a\": 1}"}}, {{"state", "complete"}}, {{"rows", rows}}});
}

// Two groups of rows and the begin of a third; and none.
TEST(TableInParquet, IsReadBack) {
  const test::TemporaryFolder folder;
  for (const std::uint64_t rows : {0U, 1U, 65'536U, 140'000U}) {
    const std::filesystem::path file = folder.path() / (std::to_string(rows) + ".parquet");
    write_parquet(file, rows);
    EXPECT_EQ(read_table_text(file, "study"), "{\"a\": 1}");
    EXPECT_EQ(read_table_text(file, "rows"), std::to_string(rows));
    EXPECT_EQ(read_table_text(file, "units"), R"({"x":"m"})");
    EXPECT_THROW(read_table_text(file, "other"), Error);
    const TableRows table = read_table_rows(file, parquet_columns, rows, "reason");
    for (std::uint64_t i = 0; i < rows; ++i) {
      const bool stops = i % 7 == 3;
      if (i == 5) {
        EXPECT_TRUE(std::isnan(table.row(i)[0]));
      } else {
        ASSERT_EQ(table.row(i)[0], std::sin(static_cast<double>(i)));
      }
      ASSERT_EQ(table.row(i)[1], stops ? 1 : 0);
      ASSERT_EQ(table.remarks.contains(i), stops);
      if (stops) {
        ASSERT_EQ(table.remarks.at(i), "row " + std::to_string(i));
      }
    }
    EXPECT_THROW(read_table_rows(file, parquet_columns, rows + 1, "reason"), OutputError);
  }
}

TEST(TableInParquet, IsRefusedWhereItIsCutOrHasOtherBytes) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a.parquet";
  write_parquet(file, 100);
  const auto size = std::filesystem::file_size(file);
  for (const std::uintmax_t cut : {size - 1, size - 100, std::uintmax_t{11}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(file, cut);
    EXPECT_THROW(read_table_text(file, "study"), Error) << cut;
    EXPECT_THROW(read_table_rows(file, parquet_columns, 100, "reason"), OutputError) << cut;
  }
}

TEST(TableInParquet, HasNoCurves) {
  EXPECT_THROW(check_table_name("a.parquet", true), Error);
  EXPECT_NO_THROW(check_table_name("a.parquet"));
}

// From the specification of the compact protocol: zigzag numbers, long lists, fields far apart.
TEST(Thrift, HasTheBytesOfItsCompactProtocol) {
  thrift::Writer writer;
  writer.number32(1, -1);
  writer.number64(3, 150);
  writer.text(4, "ab");
  writer.list_of_numbers(5, 20);
  for (int i = 0; i < 20; ++i) writer.add_number(i);
  const std::string bytes = writer.take();
  EXPECT_EQ(bytes.substr(0, 12), std::string("\x15\x01\x26\xAC\x02\x18\x02"
                                             "ab\x19\xF5\x14"));
  std::string_view rest = bytes;
  const thrift::Value value = thrift::read(rest);
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(value[1].number, -1);
  EXPECT_EQ(value[3].number, 150);
  EXPECT_EQ(value[4].text, "ab");
  ASSERT_EQ(value[5].list.size(), 20U);
  EXPECT_EQ(value[5].list[19].number, 19);
  EXPECT_EQ(value[7].number, 0);
  rest = std::string_view(bytes).substr(0, 8);
  EXPECT_THROW(thrift::read(rest), Error);
}

}  // namespace
}  // namespace dalembert

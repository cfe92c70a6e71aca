// Texts that are no honest models end in an error, soon.
#include <ctime>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

namespace dalembert {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

void expect_error_soon(const std::string& text, const std::string& words) {
  const std::clock_t start = std::clock();
  try {
    read_model_text(text);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_LT(std::string(error.what()).size(), 1000U);
  }
  EXPECT_LT(std::clock() - start, 10 * CLOCKS_PER_SEC);
}

TEST(HostileText, MillionsOfBrackets) {
  expect_error_soon("a = " + repeated("[", 1 << 20), "nested deeper");
  expect_error_soon("a = " + repeated("{a=", 1 << 20), "nested deeper");
  expect_error_soon(repeated("[", 1 << 20), "nested deeper");
}

TEST(HostileText, KeysOfAMillionParts) {
  expect_error_soon(fmt::format("[{}a]", repeated("a.", 1 << 20)), "more parts");
  expect_error_soon(repeated("a . ", 1 << 20) + "a = 1", "more parts");
  expect_error_soon(repeated("\"a\".", 1 << 20) + "a = 1", "more parts");
}

TEST(HostileText, MillionsOfValues) {
  expect_error_soon(fmt::format("a = [{}]", repeated("1,", 2'000'000)), "more values");
  expect_error_soon(repeated("[[a]]\n", 1'000'000), "more values");
}

TEST(HostileText, ParenthesesOverAMegabyte) {
  const std::string model = "[coordinates]\nx = 1\n[energy]\nkinetic = \"";
  expect_error_soon(model + repeated("(", 1 << 20) + "\"", "nested deeper");
  expect_error_soon(model + repeated("-", 1 << 20) + "\"", "expected a number");
  expect_error_soon(model + repeated("x^", 1 << 20) + "\"", "nested deeper");
  expect_error_soon(model + repeated("sin(", 1 << 20) + "\"", "nested deeper");
  expect_error_soon(model + repeated("x", 1 << 20) + "\"", "unknown name 'xxxx");
}

TEST(HostileText, ALongLineOfTextsIsReadInOnePass) {
  std::string names;
  for (int i = 0; i < 100'000; ++i) names += fmt::format("p{} = \"1\", ", i);
  expect_error_soon(fmt::format("coordinates = {{ x = 1 }}\nenergy = {{ kinetic = \"x'^2\" }}\nparameters = "
                                "{{ {} end = \"wrong\" }}",
                                names),
                    "unknown name 'wrong'");
}

TEST(HostileText, NumbersThatGrow) {
  const std::string model = "[coordinates]\nx = 1\n[energy]\nkinetic = \"";
  expect_error_soon(model + "9^9^9^9^9*x\"", "");
  std::string doubling = "[coordinates]\nx = 1\n[definitions]\nd0 = \"x'^2 + 2\"\n";
  for (int i = 1; i < 200; ++i) {
    doubling += fmt::format("d{0} = \"d{1}*d{1} + x\"\n", i, i - 1);
  }
  expect_error_soon(doubling + "[energy]\nkinetic = \"d199 + wrong\"", "unknown name 'wrong'");
}

TEST(HostileText, NumbersBeyondAllExponents) {
  const std::string model =
      "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2\"\n[constraints]\nnonholonomic = [\"";
  expect_error_soon(model + "x'^2*sin(exp(exp(20 + x)))\"]", "not linear");
}

TEST(HostileText, NamesOfAThousandLettersAreCut) {
  std::string names;
  for (int i = 0; i < 20; ++i) names += fmt::format("{}{} = 1\n", std::string(1000, 'n'), i);
  expect_error_soon(
      "[parameters]\n" + names + "y = \"wrong\"\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2\"\n",
      "unknown name 'wrong'");
}

TEST(HostileText, ControlCharactersDoNotReachTheTerminal) {
  try {
    read_model_text("title = \"a\"\nb\x1B[31m = 1\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\x1B'), std::string::npos);
  }
  expect_error_soon("\"a\\u001B[31m\" = 1\n", "unknown key 'a?[31m'");
}

}  // namespace
}  // namespace dalembert

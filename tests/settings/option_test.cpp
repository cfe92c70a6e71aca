// Every option of the schema: its name, its values, its default, its place in SolveOptions.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/settings/option.hpp>

#include "settings/option_samples.hpp"

namespace dalembert {
namespace {

class EachOption : public ::testing::TestWithParam<Option> {};

TEST_P(EachOption, IsDescribed) {
  const Option& option = GetParam();
  EXPECT_FALSE(option.title.empty());
  EXPECT_FALSE(option.help.empty());
  EXPECT_EQ(find_option(option.key)->key, option.key);
  EXPECT_EQ(spell(option, Spelling::flag).find('_'), std::string::npos);
}

TEST_P(EachOption, ReadsBackWhatWasSetAndIsUnsetBefore) {
  const Option& option = GetParam();
  SolveOptions options;
  EXPECT_EQ(get_option(options, option), std::nullopt);
  const OptionValue value = testing::sample_value(option);
  set_option(options, option, value);
  ASSERT_TRUE(get_option(options, option).has_value());
  EXPECT_EQ(text_of(*get_option(options, option)), text_of(value));
  EXPECT_NO_THROW(check_ranges(options));
  reset_option(options, option);
  EXPECT_EQ(get_option(options, option), std::nullopt);
}

TEST_P(EachOption, RefusesOtherTypesAndValuesOutsideItsRange) {
  const Option& option = GetParam();
  for (const OptionValue& wrong : testing::wrong_values(option)) {
    SolveOptions options;
    EXPECT_THROW(set_option(options, option, wrong), Error) << text_of(wrong);
    EXPECT_EQ(fault_of(option, wrong, "NAME").empty(), false) << text_of(wrong);
  }
}

INSTANTIATE_TEST_SUITE_P(Schema, EachOption, ::testing::ValuesIn(options().begin(), options().end()),
                         [](const auto& info) { return std::string(info.param.key); });

TEST(Options, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Option& option : options()) {
    EXPECT_TRUE(names.insert(std::string(option.key)).second) << option.key;
    EXPECT_TRUE(option.other_flag.empty() || names.insert(std::string(option.other_flag)).second);
  }
}

TEST(Options, SwitchOffWhatIsOnByDefault) {
  EXPECT_EQ(spell(*find_option("projection"), Spelling::flag), "--no-projection");
  EXPECT_EQ(spell(*find_option("max_step"), Spelling::flag), "--max-step");
  EXPECT_EQ(spell(*find_option("max_step"), Spelling::key), "max_step");
}

TEST(Options, NumbersOutsideTheirRangeAreNamedWithIt) {
  const auto message = [](const char* key, double value) {
    return fault_of(*find_option(key), value, spell(*find_option(key), Spelling::flag));
  };
  EXPECT_EQ(message("threads", 0), "--threads must be positive, not 0");
  EXPECT_EQ(message("threads", 1000), "the number of threads must be between 1 and 256, not 1000");
  EXPECT_EQ(message("order", 2.5), "--order must be a whole number up to 1000, not 2.5");
  EXPECT_EQ(message("digits", 5), "the number of digits must be between 17 and 10000, not 5");
  EXPECT_EQ(message("alpha", -3), "--alpha must not be negative, but is -3");
  EXPECT_EQ(message("duration", 0), "--duration must not be zero");
  EXPECT_EQ(message("duration", -2), "");
  EXPECT_EQ(message("tolerance", NAN), "--tolerance must be a finite number, not nan");
}

TEST(Options, TheFormerFormulationNamesBothOfToday) {
  const std::string flag = retired_option("formulation", Spelling::flag);
  EXPECT_NE(flag.find("--index-form (index1, index2, ggl)"), std::string::npos) << flag;
  EXPECT_NE(flag.find("--runge-kutta (euler, "), std::string::npos) << flag;
  EXPECT_EQ(retired_option("order", Spelling::flag), "");
}

}  // namespace
}  // namespace dalembert

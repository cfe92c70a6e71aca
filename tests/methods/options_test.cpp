// Which method takes which option: every pair of the registry and the schema.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/solve/runge_kutta_table.hpp>
#include <dalembert/solve/solve.hpp>

#include "laws/simulate.hpp"
#include "settings/option_samples.hpp"

namespace dalembert {
namespace {

using testing::sample_value;

Model pendulum(const std::string& solve = "") {
  return read_model_text(
      "[coordinates]\nx = 1\ny = 0\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
      "potential = \"9.81*y\"\n[constraints]\nholonomic = [\"x^2 + y^2 - 1\"]\n[solve]\n" +
      solve);
}

// What else a value needs to make sense.
std::vector<GivenOption> call(const Method& method, const Option& option) {
  std::vector<GivenOption> given{give("method", std::string(method.name))};
  if (option.key == "alpha" || option.key == "beta")
    given.push_back(give("stabilization", std::string("baumgarte")));
  if (option.key == "step" && takes(method, *find_option("runge_kutta")))
    given.push_back(give("runge_kutta", std::string("rk4")));
  if (option.key != "method") given.push_back({&option, sample_value(option)});
  return given;
}

class EachMethodOption : public ::testing::TestWithParam<Method> {};

TEST_P(EachMethodOption, IsTakenOrRefusedWithTheMethodsThatTakeIt) {
  const Model model = pendulum();
  for (const Option& option : options()) {
    const std::vector<GivenOption> given = call(GetParam(), option);
    if (takes(GetParam(), option)) {
      const SolveOptions made = options_for(*model, given);
      EXPECT_TRUE(option.key == "method" || get_option(made, option) == sample_value(option)) << option.key;
      continue;
    }
    try {
      options_for(*model, given);
      ADD_FAILURE() << option.key << " was taken";
    } catch (const Error& error) {
      const bool named = error.message().find(join(methods_with(option), ", ")) != std::string::npos;
      const bool of_steps = error.message().find("chooses its steps itself") != std::string::npos;
      const bool of_stabilization = error.message().find("has no use for stabilization") != std::string::npos;
      EXPECT_TRUE(named || of_steps || of_stabilization) << error.message();
    }
  }
}

TEST_P(EachMethodOption, OfTheModelIsLeftAsideWhereTheMethodHasNoUseForIt) {
  for (const Option& option : options()) {
    if (!option.in_model || option.key == "method" || takes(GetParam(), option)) continue;
    const OptionValue value = sample_value(option);
    const bool is_word = type_of(option) == OptionType::word;
    const std::string text = type_of(option) == OptionType::flag ? "false" : text_of(value);
    const Model model = pendulum(std::string(option.key) + " = " + (is_word ? '"' + text + '"' : text));
    EXPECT_TRUE(get_option(options_of(*model), option).has_value()) << option.key;
    const std::vector<GivenOption> given{give("method", std::string(GetParam().name))};
    EXPECT_EQ(get_option(options_for(*model, given), option), std::nullopt) << option.key;
  }
}

TEST_P(EachMethodOption, NamesOptionsThatThereAre) {
  for (const std::string_view key : GetParam().options) EXPECT_NE(find_option(key), nullptr) << key;
}

INSTANTIATE_TEST_SUITE_P(Registry, EachMethodOption, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(MethodOptions, EveryOptionIsTakenBySomeMethod) {
  for (const Option& option : options()) EXPECT_FALSE(methods_with(option).empty()) << option.key;
}

TEST(MethodOptions, TheRungeKuttaMethodsOfTheSchemaAreThoseThereAre) {
  std::vector<std::string_view> tables;
  for (const RungeKuttaTable& table : runge_kutta_tables()) tables.push_back(table.name);
  const auto choices = find_option("runge_kutta")->choices;
  EXPECT_EQ(tables, std::vector(choices.begin(), choices.end()));
}

TEST(MethodOptions, UnknownKeysNameTheNearest) {
  const auto message = [](const char* key) {
    try {
      give(key, 1.0);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("taken");
  };
  EXPECT_EQ(message("tolerence"), "there is no option 'tolerence'; did you mean 'tolerance'?");
  EXPECT_NE(message("formulation").find("is now two options: index_form"), std::string::npos);
}

TEST(MethodOptions, WordsInTheSchemaGiveTheDefaultRun) {
  const System system(pendulum("duration = 1\nstep = 0.01\n"));
  const auto end_of = [&](const std::string& method, const char* key) {
    std::vector<GivenOption> given{give("method", method)};
    const Option* const option = key == nullptr ? nullptr : find_option(key);
    if (option != nullptr && type_of(*option) == OptionType::number)
      given.push_back({option, std::stod(std::string(option->otherwise))});
    if (option != nullptr && type_of(*option) == OptionType::word)
      given.push_back({option, std::string(option->otherwise.substr(0, option->otherwise.find(';')))});
    return testing::simulate(system, options_for(system.model(), given)).samples.back().q;
  };
  EXPECT_EQ(end_of("generalized_alpha", "rho"), end_of("generalized_alpha", nullptr));
  EXPECT_EQ(end_of("partition", "runge_kutta"), end_of("partition", nullptr));
  EXPECT_EQ(end_of("ndf", "index_form"), end_of("ndf", nullptr));
  EXPECT_EQ(end_of("ndf", "formula"), end_of("ndf", nullptr));
  EXPECT_EQ(end_of("rk4", "stabilization"), end_of("rk4", nullptr));
  EXPECT_EQ(end_of("rk4", "start"), end_of("rk4", nullptr));
}

}  // namespace
}  // namespace dalembert

// Right and wrong values of any option, made from its schema.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/settings/option.hpp>

namespace dalembert::testing {

/// A number inside the range that is no option's default.
inline double sample_number(const Option& option) {
  if (type_of(option) == OptionType::whole_number) return option.range.least + 4;
  return std::isinf(option.range.most) ? 0.25 : (option.range.least + option.range.most) / 2;
}

/// Not the default; a word of those that the schema lists.
inline OptionValue sample_value(const Option& option) {
  switch (type_of(option)) {
    case OptionType::flag:
      return false;
    case OptionType::word:
      return option.choices.empty() ? std::string("rk4") : std::string(option.choices.back());
    case OptionType::numbers:
      return std::vector<double>{0.25, 0.5};
    case OptionType::number:
    case OptionType::whole_number:
      return sample_number(option);
  }
  return {};
}

inline std::vector<OptionValue> wrong_values(const Option& option) {
  const OptionRange& range = option.range;
  std::vector<OptionValue> wrong;
  switch (type_of(option)) {
    case OptionType::flag:
    case OptionType::numbers:
      return {1.0, std::string("word")};
    case OptionType::word:
      wrong = {1.0, true};
      if (!option.choices.empty()) wrong.emplace_back(std::string(option.choices.back()) + "x");
      return wrong;
    case OptionType::whole_number:
      wrong.emplace_back(range.least + 0.5);
      [[fallthrough]];
    case OptionType::number:
      wrong.insert(wrong.end(), {std::string("word"), true, std::nan("")});
      if (range.open) wrong.emplace_back(range.least);
      if (range.not_zero) wrong.emplace_back(0.0);
      if (!std::isinf(range.least)) wrong.emplace_back(range.least - 1);
      if (!std::isinf(range.most)) wrong.emplace_back(range.most + 1);
      return wrong;
  }
  return wrong;
}

}  // namespace dalembert::testing

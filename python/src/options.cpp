#include "options.hpp"

#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <dalembert/settings/option.hpp>

#include "bindings.hpp"

namespace nb = nanobind;

namespace dalembert::python {
namespace {

GivenOption given_option(nb::handle key, nb::handle value) {
  const auto name = nb::cast<std::string>(key);
  const auto wrong = [&](const char* wanted) {
    const std::string text = "option '" + name + "' takes " + wanted;
    return nb::type_error(text.c_str());
  };
  const Option* const option = find_option(name);
  if (option == nullptr) return give(name, 0.0);  // throws
  try {
    switch (type_of(*option)) {
      case OptionType::flag:
        if (!nb::isinstance<nb::bool_>(value)) throw wrong("True or False");
        return {option, nb::cast<bool>(value)};
      case OptionType::number:
      case OptionType::whole_number:
        if (nb::isinstance<nb::bool_>(value)) throw wrong("a number");
        return {option, nb::cast<double>(value)};
      case OptionType::word:
        return {option, nb::cast<std::string>(value)};
      case OptionType::numbers:
        return {option, nb::cast<std::vector<double>>(value)};
    }
  } catch (const nb::cast_error&) {
    throw wrong(type_of(*option) == OptionType::word      ? "a word"
                : type_of(*option) == OptionType::numbers ? "numbers"
                                                          : "a number");
  }
  throw wrong("another type");
}

const char* kind_of(const Option& option) {
  switch (type_of(option)) {
    case OptionType::flag:
      return "flag";
    case OptionType::number:
      return "number";
    case OptionType::whole_number:
      return "whole_number";
    case OptionType::word:
      return "word";
    case OptionType::numbers:
      return "numbers";
  }
  return "";
}

// Key, kind of value and meaning of each.
nb::list all_options() {
  nb::list list;
  for (const Option& option : options())
    list.append(nb::make_tuple(std::string(option.key), kind_of(option), std::string(option.help)));
  return list;
}

}  // namespace

void bind_options(nb::module_& module) { module.def("options", all_options); }

std::vector<GivenOption> given_options(const nb::dict& values) {
  std::vector<GivenOption> given;
  for (const auto [key, value] : values) given.push_back(given_option(key, value));
  return given;
}

}  // namespace dalembert::python

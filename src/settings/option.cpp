#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/settings/option.hpp>

namespace dalembert {
namespace {

constexpr std::array<std::string_view, 4> stabilization_names{"none", "baumgarte", "linear", "projection"};
constexpr std::array<std::string_view, 3> index_forms{"index1", "index2", "ggl"};
constexpr std::array<std::string_view, 6> runge_kutta_names{"euler", "heun",   "kutta3",
                                                            "rk4",   "dopri5", "dop853"};
constexpr std::array<std::string_view, 2> multistep_formulas{"ndf", "bdf"};
constexpr std::array<std::string_view, 3> native_choices{"auto", "on", "off"};

constexpr OptionRange any{};
constexpr OptionRange positive{.least = 0, .open = true};
constexpr OptionRange not_negative{.least = 0};
constexpr OptionRange whole(double least, double most) { return {.least = least, .most = most}; }

constexpr std::array all_options{
    Option{.key = "method",
           .title = "method",
           .member = &SolveOptions::method,
           .otherwise = "adomian; dop853 of kinematic models",
           .help = "method of integration"},
    Option{.key = "start",
           .title = "start time",
           .member = &SolveOptions::start,
           .otherwise = "0",
           .help = "time at which the motion starts"},
    Option{.key = "duration",
           .title = "duration",
           .member = &SolveOptions::duration,
           .range = {.not_zero = true},
           .otherwise = "10",
           .help = "time to simulate; negative: backwards"},
    Option{.key = "output_step",
           .title = "output step",
           .member = &SolveOptions::output_step,
           .range = positive,
           .otherwise = "the duration / 1000",
           .help = "time between samples",
           .other_flag = "every"},
    Option{.key = "times",
           .title = "output times",
           .member = &SolveOptions::output_times,
           .help = "sample times instead, separated by commas",
           .in_model = false},
    Option{.key = "tolerance",
           .title = "tolerance",
           .member = &SolveOptions::tolerance,
           .range = positive,
           .otherwise = "the method's own",
           .help = "relative error allowed per step"},
    Option{.key = "step",
           .title = "step",
           .member = &SolveOptions::step,
           .range = positive,
           .otherwise = "the duration / 10000",
           .help = "step of methods with a constant step"},
    Option{.key = "max_step",
           .title = "longest step",
           .member = &SolveOptions::max_step,
           .range = positive,
           .otherwise = "the duration / 20",
           .help = "longest step"},
    Option{.key = "max_steps",
           .title = "number of steps",
           .member = &SolveOptions::max_steps,
           .range = whole(1, 1e15),  // counted without rounding in doubles too
           .help = "stop after so many steps"},
    Option{.key = "order",
           .title = "order",
           .member = &SolveOptions::order,
           .range = whole(1, 1000),
           .otherwise = "chosen by cost",
           .help = "order of the series, highest one of multistep formulas"},
    Option{.key = "digits",
           .title = "number of digits",
           .member = &SolveOptions::digits,
           .range = whole(17, 10000),
           .otherwise = "doubles",
           .help = "compute in so many decimal digits",
           .in_model = false},  // a reference of `compare` has digits of its own
    Option{.key = "threads",
           .title = "number of threads",
           .member = &SolveOptions::threads,
           .range = whole(1, 256),
           .otherwise = "as many as pay",
           .help = "threads on large models, the same numbers on any number"},
    Option{.key = "native",
           .title = "use of native code",
           .member = &SolveOptions::native,
           .choices = native_choices,
           .otherwise = "auto",
           .help = "compile the series of long runs, from the start, or never"},
    Option{.key = "projection",
           .title = "projection",
           .member = &SolveOptions::project,
           .otherwise = "true",
           .help = "return to the constraints after each step"},
    Option{.key = "stabilization",
           .title = "stabilization",
           .member = &SolveOptions::stabilization,
           .choices = stabilization_names,
           .otherwise = "projection; linear of kinematic models",
           .help = "how explicit methods stay near the constraints"},
    Option{.key = "alpha",
           .title = "gain alpha",
           .member = &SolveOptions::alpha,
           .range = not_negative,  // residuals would grow
           .otherwise = "1 / longest step",
           .help = "Baumgarte gain of the velocity"},
    Option{.key = "beta",
           .title = "gain beta",
           .member = &SolveOptions::beta,
           .range = not_negative,
           .otherwise = "alpha",
           .help = "Baumgarte gain of the position"},
    Option{.key = "runge_kutta",
           .title = "Runge-Kutta method",
           .member = &SolveOptions::runge_kutta,
           .choices = runge_kutta_names,
           .otherwise = "dop853",
           .help = "Runge-Kutta method of a method that steps by one"},
    Option{.key = "index_form",
           .title = "index form",
           .member = &SolveOptions::index_form,
           .choices = index_forms,
           .otherwise = "index1; ggl of bdf with redundant constraints",
           .help = "form of the equations for multistep formulas"},
    Option{.key = "formula",
           .title = "formula",
           .member = &SolveOptions::formula,
           .choices = multistep_formulas,
           .otherwise = "ndf",
           .help = "numerical or backward differentiation formulas"},
    Option{.key = "rho",
           .title = "spectral radius rho",
           .member = &SolveOptions::rho,
           .range = {.least = 0, .most = 1},
           .otherwise = "0.8",
           .help = "spectral radius at infinity: 0 damps most, 1 not at all"},
};

// Words in place of a member's value; none: the value of SolveOptions{}.
template <class T>
std::optional<OptionValue> value_of(const T& value, const T& unset) {
  if (value == unset) return std::nullopt;
  if constexpr (std::is_same_v<T, std::optional<Stabilization>>) {
    return std::string(name_of(*value));
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    return *value;
  } else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::size_t>) {
    return static_cast<double>(value);
  } else {
    return value;
  }
}

template <class T>
void assign(T& member, const OptionValue& value) {
  if constexpr (std::is_same_v<T, std::optional<Stabilization>>) {
    member = find_stabilization(std::get<std::string>(value));
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    member = std::get<double>(value);
  } else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::size_t>) {
    member = static_cast<T>(std::get<double>(value));
  } else {
    member = std::get<T>(value);
  }
}

std::vector<std::string> strings(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

std::string fault_of_number(const Option& option, double value, std::string_view name) {
  const OptionRange& range = option.range;
  const bool is_whole = type_of(option) == OptionType::whole_number;
  if (!std::isfinite(value)) return fmt::format("{} must be a finite number, not {}", name, value);
  if (range.not_zero && value == 0) return fmt::format("{} must not be zero", name);
  if (range.least >= 0 && (range.open || is_whole) && value <= 0)
    return fmt::format("{} must be positive, not {}", name, value);
  if (is_whole && value != std::floor(value))
    return fmt::format("{} must be a whole number up to {:g}, not {}", name, range.most, value);
  if (value >= range.least && value <= range.most) return "";
  if (std::isinf(range.most)) return fmt::format("{} must not be negative, but is {}", name, value);
  return fmt::format("the {} must be between {} and {}, not {}", option.title, range.least, range.most,
                     value);
}

std::string fault_of_word(const Option& option, const std::string& word) {
  if (option.choices.empty() || std::ranges::find(option.choices, word) != option.choices.end()) return "";
  return fmt::format("there is no {} '{}'{}", option.title, word, suggestion(word, strings(option.choices)));
}

}  // namespace

std::span<const Option> options() { return all_options; }

const Option* find_option(std::string_view key) {
  const auto* const found = std::ranges::find(all_options, key, &Option::key);
  return found == all_options.end() ? nullptr : found;
}

OptionType type_of(const Option& option) {
  return std::visit(
      []<class T>(T SolveOptions::*) {
        if constexpr (std::is_same_v<T, bool>) return OptionType::flag;
        if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::size_t>)
          return OptionType::whole_number;
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>)
          return OptionType::number;
        if constexpr (std::is_same_v<T, std::vector<double>>) return OptionType::numbers;
        return OptionType::word;
      },
      option.member);
}

std::string spell(const Option& option, Spelling spelling) {
  if (spelling == Spelling::key) return std::string(option.key);
  const bool switches_off =
      type_of(option) == OptionType::flag && SolveOptions{}.*std::get<bool SolveOptions::*>(option.member);
  std::string flag = fmt::format("--{}{}", switches_off ? "no-" : "", option.key);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::string describe_values(const Option& option) {
  const auto& [least, most, open, not_zero] = option.range;
  switch (type_of(option)) {
    case OptionType::flag:
      return "true or false";
    case OptionType::word:
      return option.choices.empty() ? "a name" : join(strings(option.choices), ", ");
    case OptionType::numbers:
      return "numbers";
    case OptionType::whole_number:
      return fmt::format("a whole number from {} to {:g}", least, most);
    case OptionType::number:
      break;
  }
  if (open) return "a positive number";
  if (!std::isinf(most)) return fmt::format("a number from {} to {}", least, most);
  return least == 0 ? "a number, not negative" : not_zero ? "a number, not zero" : "a number";
}

std::string fault_of(const Option& option, const OptionValue& value, std::string_view name) {
  const auto expect = [&](bool right) {
    return right ? "" : fmt::format("{} must be {}", name, describe_values(option));
  };
  switch (type_of(option)) {
    case OptionType::flag:
      return expect(std::holds_alternative<bool>(value));
    case OptionType::numbers:
      return expect(std::holds_alternative<std::vector<double>>(value));
    case OptionType::word:
      if (const auto* word = std::get_if<std::string>(&value)) return fault_of_word(option, *word);
      return expect(false);
    case OptionType::number:
    case OptionType::whole_number:
      if (const auto* number = std::get_if<double>(&value)) return fault_of_number(option, *number, name);
      return expect(false);
  }
  return "";
}

void set_option(SolveOptions& target, const Option& option, const OptionValue& value, Spelling spelling) {
  const std::string fault = fault_of(option, value, spell(option, spelling));
  if (!fault.empty()) throw Error(fault);
  std::visit([&](auto member) { assign(target.*member, value); }, option.member);
}

std::optional<OptionValue> get_option(const SolveOptions& source, const Option& option) {
  static const SolveOptions unset;
  return std::visit([&](auto member) { return value_of(source.*member, unset.*member); }, option.member);
}

void reset_option(SolveOptions& target, const Option& option) {
  std::visit([&](auto member) { target.*member = SolveOptions{}.*member; }, option.member);
}

std::string text_of(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  if (const auto* number = std::get_if<double>(&value)) return shortest(*number);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  std::vector<std::string> numbers;
  for (const double number : std::get<std::vector<double>>(value)) numbers.push_back(shortest(number));
  return join(numbers, ", ");
}

void check_ranges(const SolveOptions& options) {
  for (const Option& option : all_options) {
    const std::optional<OptionValue> value = get_option(options, option);
    const std::string fault = value ? fault_of(option, *value, fmt::format("the {}", option.title)) : "";
    if (!fault.empty()) throw Error(fault);
  }
}

std::string retired_option(std::string_view name, Spelling spelling) {
  if (name != "formulation") return "";
  const auto named = [&](const char* key) {
    const Option& option = *find_option(key);
    return fmt::format("{} ({})", spell(option, spelling), describe_values(option));
  };
  return fmt::format(
      "'{}{}' is now two options: {} of methods by multistep formulas, and {} of methods that step by one",
      spelling == Spelling::flag ? "--" : "", name, named("index_form"), named("runge_kutta"));
}

Stabilization find_stabilization(std::string_view name) {
  const auto* const found = std::ranges::find(stabilization_names, name);
  if (found == stabilization_names.end())
    throw Error(fault_of_word(*find_option("stabilization"), std::string(name)));
  return static_cast<Stabilization>(found - stabilization_names.begin());
}

std::string_view name_of(Stabilization stabilization) {
  return stabilization_names.at(static_cast<std::size_t>(stabilization));
}

}  // namespace dalembert

// The schema of what a run is asked to do: one row per option. The command line, the keys of [solve],
// refusals, documents and tests are made from it; the registry of methods says which method takes which
// option.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <dalembert/settings/solve_options.hpp>

namespace dalembert {

/// What people give: yes or no, a number, a word, or numbers.
using OptionValue = std::variant<bool, double, std::string, std::vector<double>>;

enum class OptionType { flag, number, whole_number, word, numbers };

/// Which numbers an option takes.
struct OptionRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool open = false;  ///< without `least` itself
  bool not_zero = false;
};

struct Option {
  /// Where the value is kept; its type is the option's.
  using Member =
      std::variant<bool SolveOptions::*, double SolveOptions::*, std::optional<double> SolveOptions::*,
                   int SolveOptions::*, std::size_t SolveOptions::*, std::string SolveOptions::*,
                   std::optional<Stabilization> SolveOptions::*, std::vector<double> SolveOptions::*>;

  std::string_view key;    ///< in [solve] and in calls
  std::string_view title;  ///< in sentences: "the number of threads must be ..."
  Member member;
  OptionRange range = {};
  std::span<const std::string_view> choices = {};  ///< of words; none: others check them
  std::string_view otherwise = {};                 ///< the value where none is given, in words
  std::string_view help;
  bool in_model = true;              ///< a key of [solve]; the others are of a call alone
  std::string_view other_flag = {};  ///< second name on the command line, without dashes
};

/// All options, in the order of help and documents.
std::span<const Option> options();
/// Null: there is none of that name.
const Option* find_option(std::string_view key);
OptionType type_of(const Option& option);

/// How messages name an option: as a key, or as a flag of the command line.
enum class Spelling { key, flag };
/// "max_step", "--max-step"; of what is on by default the flag switches off: "--no-projection".
std::string spell(const Option& option, Spelling spelling);

/// "a positive number", "a whole number from 1 to 256", "index1, index2, ggl".
std::string describe_values(const Option& option);

/// What is wrong with a value, beginning with `name`; empty: nothing.
std::string fault_of(const Option& option, const OptionValue& value, std::string_view name);

/// Sets what a user gave; throws Error where the value is wrong.
void set_option(SolveOptions& target, const Option& option, const OptionValue& value,
                Spelling spelling = Spelling::key);
/// None: it is as in SolveOptions{}.
std::optional<OptionValue> get_option(const SolveOptions& source, const Option& option);
/// As in SolveOptions{}.
void reset_option(SolveOptions& target, const Option& option);
/// For people and files: "yes", "0.001", "rk4".
std::string text_of(const OptionValue& value);

/// Checks every value that is set; throws Error.
void check_ranges(const SolveOptions& options);

/// What a name that was an option before means today; empty: it never was one.
std::string retired_option(std::string_view name, Spelling spelling);

/// "none", "baumgarte", "linear", "projection"; throws Error with the nearest name.
Stabilization find_stabilization(std::string_view name);
std::string_view name_of(Stabilization stabilization);

}  // namespace dalembert

// Options of runs on the command line, made from their schema.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <dalembert/solve/solve.hpp>

namespace dalembert::app {

class OptionArguments {
 public:
  /// This must stay where it is while the command line is parsed.
  void add_to(CLI::App& command);
  void add_to(CLI::App& command, std::span<const std::string_view> keys);

  /// What the call gave, in the order of the schema.
  std::vector<GivenOption> given() const;
  bool has(std::string_view key) const;

 private:
  void add(CLI::App& command, const Option& option);

  std::map<std::string_view, std::optional<std::string>> words_;
  std::map<std::string_view, std::optional<double>> numbers_;
  std::map<std::string_view, std::optional<std::int64_t>> whole_numbers_;
  std::map<std::string_view, std::vector<double>> lists_;
  std::map<std::string_view, bool> flags_;  // whether it was switched
};

/// The methods with what they take, for the end of a help text.
std::string method_list();

}  // namespace dalembert::app
